import type { ReactNode } from "react";

type QuestionCardProps = { question: string; children: ReactNode };

/** A question with its answer. */
export function QuestionCard({ question, children }: QuestionCardProps) {
  return (
    <article className="flex flex-col gap-4 rounded-box border border-line bg-base-100 p-6 shadow-rest sm:p-9">
      <h2 className="text-heading">{question}</h2>
      <div className="prose-answer">{children}</div>
    </article>
  );
}
