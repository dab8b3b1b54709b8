import { QuestionCard } from "./QuestionCard.tsx";

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
