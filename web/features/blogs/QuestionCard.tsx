import "./blogs.css";
import type { ReactNode } from "react";

type QuestionCardProps = { id: QuestionId; children: ReactNode };

/** The four questions (specification 2, /blogs) by element id. */
export const questions = {
  state: "What are the different ways to manage state in a React application?",
  prototypes: "How does prototypal inheritance work?",
  "unit-tests": "What is a unit test, and why should we write unit tests?",
  frameworks: "React vs Angular vs Vue: which one, and when?",
};

type QuestionId = keyof typeof questions;

export function QuestionCard({ id, children }: QuestionCardProps) {
  return (
    <article
      id={id}
      className="flex scroll-mt-6 flex-col gap-5 rounded-box border border-line bg-base-100 p-6 sm:p-10"
    >
      <h2 className="text-subtitle">{questions[id]}</h2>
      <div className="prose-answer">{children}</div>
    </article>
  );
}
