import { Frameworks } from "#web/features/blogs/Frameworks.tsx";
import { PrototypalInheritance } from "#web/features/blogs/PrototypalInheritance.tsx";
import { StateInReact } from "#web/features/blogs/StateInReact.tsx";
import { UnitTests } from "#web/features/blogs/UnitTests.tsx";
import { titled } from "#web/meta.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";

export const meta = titled(
  "Blogs",
  "Four questions, answered plainly: state in React, prototypal inheritance, unit tests, and React vs Angular vs Vue.",
);

/** Four question-and-answer cards (specification 2, /blogs). */
export default function Blogs() {
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeading title="Blogs">
        <p className="text-muted">Four questions people ask us, answered plainly.</p>
      </PageHeading>
      <div className="flex flex-col gap-6">
        <StateInReact />
        <PrototypalInheritance />
        <UnitTests />
        <Frameworks />
      </div>
    </div>
  );
}
