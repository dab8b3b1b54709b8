import { type Element, type Session, until } from "./session.ts";

/** Waits for each element and text to appear. */
export function pageOf(session: Session) {
  const find = (script: string, ...args: string[]) =>
    until(() => session.evaluate(script, ...args) as Promise<Element | null>);
  return {
    goto: (url: string) => session.goto(url),
    /** `inside` limits the search to rows and cards that contain this text. */
    async click(name: string, inside = ""): Promise<void> {
      await until(async () => {
        const found = (await session.evaluate(control, name, inside)) as Element | null;
        if (found) await session.click(found);
        return found;
      });
    },
    async fill(label: string, text: string): Promise<void> {
      const field = await find(labelled, label);
      await session.click(field);
      await session.type(field, text);
      await until(async () => (await session.evaluate(valueIn, field)) === text);
    },
    async select(label: string, option: string): Promise<void> {
      const field = await find(labelled, label);
      await session.select(field, option);
      await until(async () => (await session.evaluate(chosenIn, field)) === option);
    },
    async chooseFile(path: string): Promise<void> {
      await session.chooseFile(await find("return document.querySelector('[type=file]')"), path);
    },
    async expectText(text: string): Promise<void> {
      await until(async () => await session.evaluate(showsText, text)).catch(() => {
        throw new Error(`The page does not show “${text}”.`);
      });
    },
    async inFrameWith(selector: string, work: (page: FramePage) => Promise<void>): Promise<void> {
      await until(async () => {
        await session.enterFrame(null);
        for (const index of [0, 1, 2, 3]) {
          const frame = await session.evaluate(frameAt, String(index));
          if (frame === null) continue;
          await session.enterFrame(frame as Element);
          if (await session.evaluate(query, selector)) return true;
          await session.enterFrame(null);
        }
        return false;
      });
      await work({
        async type(wanted, text) {
          const field = await find(query, wanted);
          await session.click(field);
          await session.type(field, text);
        },
        click: async (wanted) => void (await session.click(await find(query, wanted))),
      });
      await session.enterFrame(null);
    },
  };
}

type FramePage = {
  type(selector: string, text: string): Promise<void>;
  click(selector: string): Promise<void>;
};

/**
 * JavaScript: finds a button or link by its name or, failing that, by the start of its name.
 * Without `inside`, searches the open dialog first, then `main`, then the page.
 */
const control = `const [name, inside] = arguments;
  const nameOf = (one) => (one.getAttribute("aria-label") ?? one.textContent).replace(/\\s+/g, " ").trim();
  const isReady = (one) => one.checkVisibility() && !one.disabled && one.ariaBusy !== "true";
  const places = inside
    ? [...document.querySelectorAll("tr, article")].filter((one) => one.textContent.includes(inside))
    : [document.querySelector("dialog[open]"), document.querySelector("main"), document.body];
  const candidates = places.flatMap((place) => place ? [...place.querySelectorAll("button, a[href]")].filter(isReady) : []);
  return candidates.find((one) => nameOf(one) === name) ?? candidates.find((one) => nameOf(one).startsWith(name)) ?? null;`;

const labelled = `const [name] = arguments;
  const isCalled = (field) => [...field.labels].some((label) => label.textContent.trim() === name);
  const fields = [...document.querySelectorAll("input, select, textarea")];
  return fields.find((field) => field.checkVisibility() && isCalled(field)) ?? null;`;

const query = "return document.querySelector(arguments[0])";
const frameAt = `return document.querySelectorAll("iframe")[Number(arguments[0])] ?? null`;
const valueIn = "return arguments[0].value";
const chosenIn = "return arguments[0].selectedOptions[0]?.text ?? null";
const showsText = "return document.body.innerText.includes(arguments[0])";
