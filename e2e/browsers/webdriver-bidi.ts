import { once } from "node:events";
import type { Element, Session } from "./session.ts";

type Value = { type: string; value?: unknown; sharedId?: string };
type Event = { method: "log.entryAdded"; params: { level: string; text: string } };
type Answer = { id: number; result?: unknown; error?: string; message?: string };

export async function openBidi(server: string): Promise<Session> {
  const { send, errors, close } = await connect(`${server}/session`);
  const { capabilities } = await send<{ capabilities: Record<string, string> }>("session.new", {
    capabilities: {},
  });
  await send("session.subscribe", { events: ["log.entryAdded"] });
  const { contexts } = await send<{ contexts: { context: string }[] }>(
    "browsingContext.getTree",
    {},
  );
  const page = contexts[0]?.context ?? "";
  let context = page;

  async function evaluate(script: string, ...args: (string | Element)[]): Promise<unknown> {
    const { result, exceptionDetails } = await send<{
      result: Value;
      exceptionDetails?: { text: string };
    }>("script.callFunction", {
      functionDeclaration: `function () { ${script} }`,
      target: { context },
      awaitPromise: true,
      arguments: args.map((arg) =>
        typeof arg === "string" ? { type: "string", value: arg } : arg,
      ),
    });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return result.sharedId === undefined ? (result.value ?? null) : { sharedId: result.sharedId };
  }
  const act = (source: object) => send("input.performActions", { context, actions: [source] });
  const press = (text: string) =>
    act({
      type: "key",
      id: "keyboard",
      actions: [...text].flatMap((value) => [
        { type: "keyDown", value },
        { type: "keyUp", value },
      ]),
    });

  return {
    browser: `${capabilities.browserName} ${capabilities.browserVersion}`,
    evaluate,
    goto: (url) => send("browsingContext.navigate", { context: page, url, wait: "complete" }),
    async click(element) {
      if (!(await evaluate(isUncovered, element))) throw new Error("Something covers it.");
      const move = { type: "pointerMove", x: 0, y: 0, origin: { type: "element", element } };
      const [down, up] = [
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ];
      await act({ type: "pointer", id: "mouse", actions: [move, down, up] });
    },
    async type(element, text) {
      await evaluate("arguments[0].focus()", element);
      await press(text);
    },
    async select(field, option) {
      await evaluate("arguments[0].focus()", field);
      await press(option);
    },
    chooseFile: (element, path) => send("input.setFiles", { context, element, files: [path] }),
    async enterFrame(frame) {
      context = page;
      if (frame === null) return;
      const inside = await evaluate("return arguments[0].contentWindow", frame);
      ({ context } = inside as { context: string });
    },
    errors,
    async screenshot() {
      const { data } = await send<{ data: string }>("browsingContext.captureScreenshot", {
        context: page,
      });
      return Buffer.from(data, "base64");
    },
    close: async () => close(),
  };
}

/** JavaScript: scrolls to the element, and returns whether nothing covers its center. */
const isUncovered = `const [element] = arguments;
  element.scrollIntoView({ block: "center", behavior: "instant" });
  const { x, y, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));`;

async function connect(url: string) {
  const socket = new WebSocket(url);
  const closed = once(socket, "close").then(() => Promise.reject(new Error("It is not ready.")));
  await Promise.race([once(socket, "open"), closed]);
  closed.catch(() => {});
  const errors: string[] = [];
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as Answer | Event;
    if ("method" in message) {
      if (message.params.level === "error") errors.push(message.params.text);
      return;
    }
    const { id, result, error, message: reason } = message;
    if (error === undefined) waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error(`${error}: ${reason}`));
    waiting.delete(id);
  });
  return {
    errors,
    async send<T>(method: string, params: object): Promise<T> {
      last += 1;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(last, answer);
      socket.send(JSON.stringify({ id: last, method, params }));
      return (await answer.promise) as T;
    },
    close: () => socket.close(),
  };
}
