import { QuestionCard } from "./QuestionCard.tsx";

/** The example's lines are short, so that they fit on phones. */
const example = `const laptop = {
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
        <code>{example}</code>
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
