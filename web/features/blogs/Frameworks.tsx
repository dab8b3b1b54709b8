import { QuestionCard } from "./QuestionCard.tsx";

export function Frameworks() {
  return (
    <QuestionCard id="frameworks">
      <p>
        All three build interfaces from components, and all three are fast, well kept and here to
        stay. They differ in how much they decide for you.
      </p>
      <ul>
        <li>
          <strong>React</strong> is a library for the view. You describe what the screen is for a
          given state, in JavaScript with JSX, and choose routing, data and forms yourself or take a
          framework that has chosen. It has the largest ecosystem and the most people who know it.
          The price is that no two projects look alike.
        </li>
        <li>
          <strong>Angular</strong> is a whole framework: router, forms, HTTP client, dependency
          injection and testing come in the box, in TypeScript, with one way to do each. There is
          more to learn before the first page stands. Large teams and long-lived applications get it
          back in consistency.
        </li>
        <li>
          <strong>Vue</strong> sits in between. Templates are close to HTML, reactivity is
          automatic, and router and store are official but optional. It is the quickest of the three
          to pick up, and easy to add to a page that already exists. Its ecosystem is smaller.
        </li>
      </ul>
      <p>
        If your team knows one of them well, that is your answer. If not: Angular when you want the
        decisions made, Vue when you want to start today, React when you want the maxWidth choice.
        This site is built with React.
      </p>
    </QuestionCard>
  );
}
