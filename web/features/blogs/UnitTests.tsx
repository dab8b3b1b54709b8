import { QuestionCard } from "./QuestionCard.tsx";

const example = `test("a price shows cents", () => {
  expect(formatPrice(1299.5))
    .toBe("$1,299.50");
});`;

export function UnitTests() {
  return (
    <QuestionCard id="unit-tests">
      <p>
        A unit test runs one small piece of a program by itself, usually a function, and checks that
        a given input leads to the expected result. It needs no network and no database, takes
        milliseconds, and says exactly what is broken when it fails.
      </p>
      <pre>
        <code>{example}</code>
      </pre>
      <ul>
        <li>
          <strong>Change without fear.</strong> With tests around it, code can be taken apart and
          put together again on a Friday afternoon.
        </li>
        <li>
          <strong>Find mistakes while they are cheap.</strong> The person who just wrote the bug can
          mend it in a minute; found in production, it takes a day and an apology.
        </li>
        <li>
          <strong>Say what the code is for.</strong> Good test titles read like a specification that
          cannot go out of date.
        </li>
        <li>
          <strong>Better design.</strong> What is hard to test is usually doing too much.
        </li>
      </ul>
      <p>
        They don't prove that the pieces fit together. For that, keep a smaller number of tests that
        go through the real database and a real browser. And a test that can't fail is worth
        nothing: break the code on purpose once, and watch it go red.
      </p>
    </QuestionCard>
  );
}
