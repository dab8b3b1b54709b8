import { readdir, rm, writeFile } from "node:fs/promises";
import { screens } from "./list.ts";

const folder = "docs/screens";

/** Writes docs/screens/README.md and deletes the screenshots of removed pages. */
export default async function index(): Promise<void> {
  const names = Object.keys(screens);
  for (const file of await readdir(folder))
    if (file.endsWith(".webp") && !names.some((name) => pictures(name).includes(file)))
      await rm(`${folder}/${file}`);
  const rows = Object.entries(screens).map(
    ([name, { title, role }]) =>
      `| ${title}<br>*${role}* | ${pictures(name).map(linked).join(" | ")} |`,
  );
  await writeFile(
    `${folder}/README.md`,
    `# Every page

On a phone (390 px), a tablet (768 px) and a desk (1440 px), by day and by night, with the demo data. Made by \`npm run screens\`; long pages are shown from their top.

| | phone | | tablet | | desk | |
|---|---|---|---|---|---|---|
${rows.join("\n")}
`,
  );
}

function pictures(name: string): string[] {
  return ["390", "768", "1440"].flatMap((width) =>
    ["light", "dark"].map((theme) => `${name}-${width}-${theme}.webp`),
  );
}

function linked(file: string): string {
  return `[<img src="${file}" width="140" alt="">](${file})`;
}
