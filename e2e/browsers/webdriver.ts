import { type Element, type Session, until } from "./session.ts";

const elementKey = "element-6066-11e4-a52e-4f735466cecf";

export async function openWebDriver(server: string, alwaysMatch: object): Promise<Session> {
  await until(() => fetch(`${server}/status`).then(({ ok }) => ok));
  const { sessionId, capabilities } = (await send(`${server}/session`, {
    capabilities: { alwaysMatch },
  })) as { sessionId: string; capabilities: Record<string, string> };
  const session = `${server}/session/${sessionId}`;
  const evaluate: Session["evaluate"] = (script, ...args) =>
    send(`${session}/execute/sync`, { script, args });
  const on = (element: Element, command: string, body: object = {}) =>
    send(`${session}/element/${element[elementKey]}/${command}`, body);
  return {
    browser: `${capabilities.browserName} ${capabilities.browserVersion}`,
    evaluate,
    goto: (url) => send(`${session}/url`, { url }),
    click: (element) => on(element, "click"),
    type: (element, text) => on(element, "value", { text }),
    async select(field, option) {
      const found = await evaluate(optionOf, field, option);
      await on(found as Element, "click");
    },
    chooseFile: (field, path) => on(field, "value", { text: path }),
    enterFrame: (frame) => send(`${session}/frame`, { id: frame }),
    errors: [],
    screenshot: async () => Buffer.from(String(await send(`${session}/screenshot`)), "base64"),
    close: () => fetch(session, { method: "DELETE" }),
  };
}

const optionOf = `const [field, text] = arguments;
  return [...field.options].find((option) => option.text === text) ?? null;`;

async function send(url: string, body?: object): Promise<unknown> {
  const init = body && { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(url, init);
  const { value } = (await response.json()) as { value: { error?: string; message?: string } };
  if (response.ok) return value;
  throw new Error(`${value.error}: ${value.message}`);
}
