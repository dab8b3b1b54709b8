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
