import "./blogs.css";
import type { ReactNode } from "react";

type QuestionCardProps = { id: QuestionId; children: ReactNode };

/** The four questions (specification 2.3) by element id. */
export const questions = {
  state: "What are the different ways to manage state in a React application?",
  prototypes: "How does prototypal inheritance work?",
  "unit-tests": "What is a unit test, and why should we write unit tests?",
  frameworks: "React vs Angular vs Vue: which one, and when?",
};

type QuestionId = keyof typeof questions;

function QuestionCard({ id, children }: QuestionCardProps) {
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

export function StateInReact() {
  return (
    <QuestionCard id="state">
      <p>
        First ask whose state it is. Most of the trouble with state comes from keeping it in a place
        it does not belong to, and then keeping two copies in step.
      </p>
      <ul>
        <li>
          <strong>Local state</strong> lives in one component: <code>useState</code> for a value,{" "}
          <code>useReducer</code> for several that change together. If two components need it, lift
          it to their nearest common parent.
        </li>
        <li>
          <strong>The address</strong> is state too. A search, a filter, an open dialog: in the URL
          it survives a reload, can be shared, and the Back button works.
        </li>
        <li>
          <strong>Server state</strong> is somebody else's data that you have a copy of. It goes
          stale, has to be fetched again and can fail. A query cache such as TanStack Query handles
          that, and what is left over is usually surprisingly little.
        </li>
        <li>
          <strong>Form state</strong> belongs to the form, until it is sent. React Hook Form, or
          plain form elements, keep it out of your components.
        </li>
        <li>
          <strong>Shared client state</strong> such as a theme or a cart: a context when it changes
          rarely; a store such as Zustand, Jotai or Redux Toolkit when many parts read and write it.
        </li>
      </ul>
      <p>And what can be worked out from other state while rendering is not state at all.</p>
    </QuestionCard>
  );
}

/** The example's lines are short, so that they fit on phones. */
const prototypeExample = `const laptop = {
  describe() {
    return this.name + "!";
  },
};

const my = Object.create(laptop);
my.name = "ThinkPad";

my.describe();
// "ThinkPad!"
Object.hasOwn(my, "describe");
// false: it was found on laptop
Object.getPrototypeOf(my);
// laptop`;

export function PrototypalInheritance() {
  return (
    <QuestionCard id="prototypes">
      <p>
        In JavaScript an object inherits from another object, not from a class. Every object has a
        hidden link to one other object, its prototype, or to <code>null</code>. Read a property the
        object does not have, and the engine follows that link, then the prototype's own, until it
        finds the property or the chain ends and the answer is <code>undefined</code>.
      </p>
      <pre>
        <code>{prototypeExample}</code>
      </pre>
      <p>
        Two things follow. Writing never climbs the chain: an assignment makes the object's own
        property, which hides the inherited one. And <code>this</code> is whatever the method was
        called on, so one shared function serves every object below it.
      </p>
      <p>
        <code>class</code> is the same machinery in a friendlier coat. Methods go on{" "}
        <code>Laptop.prototype</code>, <code>new</code> links each instance to it, and{" "}
        <code>extends</code> links one prototype to the next.
      </p>
    </QuestionCard>
  );
}

const testExample = `test("a price shows cents", () => {
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
        <code>{testExample}</code>
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
        decisions made, Vue when you want to start today, React when you want the widest choice.
        This site is built with React.
      </p>
    </QuestionCard>
  );
}
