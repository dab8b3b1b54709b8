import { html, page } from "../html.ts";
import type { Account } from "./objects.ts";
import { testBanks } from "./test-banks.ts";

export const goneText = "This page has expired. Go back to the shop and open it again.\n";

type Filled = Partial<Record<"given_name" | "surname" | "account_number", string>>;

export function onboardingPage(account: Account, filled: Filled, problem?: string): string {
  const body = html`<main>
    <p class="brand">Stripe <span>(sandbox)</span></p>
    <h1>Get paid by Secondlap</h1>
    <p>${account.contact_email}</p>
    ${problem === undefined ? undefined : html`<p class="problem" role="alert">${problem}</p>`}
    <form method="post" class="fields">
      <fieldset>
        <legend>You</legend>
        <label>First name <input name="given_name" required maxlength="80" value="${filled.given_name ?? ""}"></label>
        <label>Last name <input name="surname" required maxlength="80" value="${filled.surname ?? ""}"></label>
      </fieldset>
      <fieldset>
        <legend>Your bank account</legend>
        <label>Routing number <input name="routing_number" required inputmode="numeric" value="110000000"></label>
        <label>Account number
          <input name="account_number" required inputmode="numeric" list="banks" autocomplete="off"
            value="${filled.account_number ?? "000123456789"}"></label>
        <datalist id="banks">
          ${testBanks.map(({ number, says }) => html`<option value="${number}">${says}</option>`)}
        </datalist>
      </fieldset>
      <label class="check"><input type="checkbox" name="terms" value="yes" required>
        I accept the Connected Account Agreement</label>
      <button class="main" name="action" value="finish">Finish</button>
      <button name="action" value="later" formnovalidate>Finish later</button>
    </form>
    <details>
      <summary>Account numbers for tests</summary>
      <dl>${testBanks.map(({ number, says }) => html`<dt>${number}</dt><dd>${says}</dd>`)}</dl>
    </details>
    <p class="note">This page runs on this machine and keeps only the last four digits. If you set
      Stripe’s keys, Stripe’s own page opens instead.</p>
  </main>`;
  return page({ title: "Get paid (sandbox)", body });
}
