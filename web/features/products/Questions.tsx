import { useState } from "react";
import { questionsAbout } from "#contract/plausibility.ts";
import type { FilledProduct } from "./product-form.ts";

/**
 * Asks once about numbers that are probably typos. If a listing raises new questions, `isAnswered`
 * shows them and returns false. Submitting the listing again counts as the answer.
 */
export function useQuestions() {
  const [questions, setQuestions] = useState<string[]>([]);
  const isAnswered = (product: FilledProduct) => {
    const found = questionsAbout(
      {
        resale_price: product.resalePrice,
        original_price: product.originalPrice,
        use_duration: product.duration,
        yearOf_purchase: product.purchaseYear,
      },
      new Date(),
    );
    setQuestions(found);
    return found.every((question) => questions.includes(question));
  };
  return { questions, isAnswered };
}

/** Questions about unlikely values, to check before submitting the form again. */
export function Questions({ questions, button }: { questions: string[]; button: string }) {
  if (questions.length === 0) return null;
  return (
    <div role="alert" className="rounded-field bg-secondary px-4 py-3 text-secondary-content">
      {questions.map((question) => (
        <p key={question}>{question}</p>
      ))}
      <p>If it is, press {button} again.</p>
    </div>
  );
}
