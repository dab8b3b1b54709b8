import {
  Frameworks,
  PrototypalInheritance,
  questions,
  StateInReact,
  UnitTests,
} from "#web/features/blogs/answers.tsx";
import { pageMeta } from "#web/page-meta.ts";

export const meta = pageMeta(
  "Blogs",
  "Four questions, answered plainly: state in React, prototypal inheritance, unit tests, and React vs Angular vs Vue.",
);

export default function Blogs() {
  return (
    <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(16rem,1fr)_minmax(0,46rem)] lg:gap-16">
      <header className="flex flex-col gap-4 lg:sticky lg:top-8">
        <h1 className="text-headline">Blogs</h1>
        <p className="text-muted">Four questions people ask us, answered plainly.</p>
        <nav aria-label="Questions">
          <ol className="flex flex-col gap-2 border-line border-t pt-4 text-sm">
            {Object.entries(questions).map(([id, question]) => (
              <li key={id}>
                <a href={`#${id}`} className="link-hover">
                  {question}
                </a>
              </li>
            ))}
          </ol>
        </nav>
      </header>
      <div className="flex flex-col gap-6">
        <StateInReact />
        <PrototypalInheritance />
        <UnitTests />
        <Frameworks />
      </div>
    </div>
  );
}
