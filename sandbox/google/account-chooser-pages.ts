import { html, page } from "../html.ts";
import { type Account, accounts } from "./accounts.ts";

export function chooserPage(action: string): string {
  const body = html`<main class="google">
    <p class="brand">Sign in with Google <span>(sandbox)</span></p>
    <h1>Choose an account</h1>
    <p>to continue to <strong>Secondlap</strong></p>
    <form method="post" action="${action}">
      <ul>${accounts.map((account) => html`<li>${accountButton(account)}</li>`)}</ul>
    </form>
    <details>
      <summary>Use another account</summary>
      <form method="post" action="${action}" class="fields">
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
    <p class="note">This page runs on this machine and asks for no password. If you set a Google client
      ID, Google's own page opens instead.</p>
  </main>`;
  return page({ title: "Sign in with Google (sandbox)", body });
}

function accountButton({ name, email }: Account) {
  return html`<button name="person" value="${email}">
    <span class="initial" aria-hidden="true">${name.slice(0, 1)}</span>
    <span><strong>${name}</strong><br>${email}</span>
  </button>`;
}

/** For an unknown client or redirect URI. */
export function blockedPage(reason: string): string {
  const body = html`<main class="google">
    <p class="brand">Sign in with Google <span>(sandbox)</span></p>
    <h1>Access blocked: this app’s request is invalid</h1>
    <p>${reason}</p>
  </main>`;
  return page({ title: "Access blocked", body });
}
