import { html, page } from "../html.ts";
import { type Person, people } from "./people.ts";

const style = "/google/chooser.css";

/** The account chooser; `action` is the address its choice is sent to. */
export function chooserPage(action: string): string {
  const body = html`<main>
    <p class="brand">Sign in with Google <span>(sandbox)</span></p>
    <h1>Choose an account</h1>
    <p>to continue to <strong>Secondlap</strong></p>
    <form method="post" action="${action}">
      <ul>${people.map((person) => html`<li>${personButton(person)}</li>`)}</ul>
    </form>
    <details>
      <summary>Use another account</summary>
      <form method="post" action="${action}" class="other">
        <label>Name <input name="name" required maxlength="80" autocomplete="off"></label>
        <label>Email <input name="email" type="email" required autocomplete="off"></label>
        <label class="check">
          <input name="verified" type="checkbox" checked>
          Google has verified this address
        </label>
        <button class="main">Continue</button>
      </form>
    </details>
    <form method="post" action="${action}"><button name="cancel" value="1">Cancel</button></form>
    <p class="note">This is a stand-in on this machine: nobody has to prove anything, and nothing
      leaves it. With a client ID of Google's, Google's own page opens here.</p>
  </main>`;
  return page({ title: "Sign in with Google (sandbox)", style, body });
}

function personButton({ name, email }: Person) {
  return html`<button name="person" value="${email}">
    <span class="initial" aria-hidden="true">${name.slice(0, 1)}</span>
    <span><strong>${name}</strong><br>${email}</span>
  </button>`;
}

/** What is shown where a request is one Google would not answer. */
export function blockedPage(reason: string): string {
  const body = html`<main>
    <p class="brand">Sign in with Google <span>(sandbox)</span></p>
    <h1>Access blocked: this app’s request is invalid</h1>
    <p>${reason}</p>
  </main>`;
  return page({ title: "Access blocked", style, body });
}
