import { readdir, rm, writeFile } from "node:fs/promises";
import { fileOf, picturesOf, screens } from "./list.ts";

const folder = "docs/screens";

/** Writes docs/screens/README.md and deletes the screenshots of removed pages. */
export default async function index(): Promise<void> {
  const kept = Object.keys(screens).flatMap((name) =>
    picturesOf(name).map((picture) => fileOf(name, picture)),
  );
  for (const file of await readdir(folder))
    if (file.endsWith(".webp") && !kept.includes(file)) await rm(`${folder}/${file}`);
  const sections = Object.entries(screens).map(([name, { title, role }]) => {
    const pictures = picturesOf(name).map((picture) => linked(fileOf(name, picture), picture));
    return `## ${title}\n\nSeen by ${role === "admin" ? "an" : "a"} ${role}.\n\n${pictures.join("\n")}`;
  });
  await writeFile(
    `${folder}/README.md`,
    `# Every page

Taken by \`npm run screens\` with the demo data, at 390, 768 and 1440 px, in light and dark. The most important pages have all six pictures, the others two. Long pages are cut.

${sections.join("\n\n")}
`,
  );
}

function linked(file: string, { width, theme }: { width: number; theme: string }): string {
  return `[<img src="${file}" width="${width === 1440 ? 300 : 120}" alt="${width} px, ${theme}">](${file})`;
}
