import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { EmailText } from "./EmailText.tsx";

test.each([
  ["marta@example.com", "marta@<wbr/>example<wbr/>.com"],
  [
    "j.p.van-der-berg@mail.example.co.uk",
    "j<wbr/>.p<wbr/>.van-der-berg@<wbr/>mail<wbr/>.example<wbr/>.co<wbr/>.uk",
  ],
])("the email address %s can wrap after the @ and before each dot", (email, markup) => {
  const html = renderToStaticMarkup(createElement(EmailText, null, email));
  expect(html).toContain(`>${markup}</bdi>`);
});
