import { readdir, rm, writeFile } from "node:fs/promises";
import { screens } from "./list.ts";

const folder = "docs/screens";

/** Writes docs/screens/README.md and deletes the screenshots of removed pages. */
export default async function index(): Promise<void> {
  const kept = Object.keys(screens).map((name) => `${name}.webp`);
  for (const file of await readdir(folder))
    if (file.endsWith(".webp") && !kept.includes(file)) await rm(`${folder}/${file}`);
  const byRole = Object.groupBy(Object.entries(screens), ([, { role }]) => role);
  const sections = Object.entries(byRole).flatMap(([role, pages]) => [
    `## As ${role === "admin" ? "an" : "a"} ${role}`,
    ...pages.map(
      ([name, { title }]) => `### ${title}\n\n[![${title}](${name}.webp)](${name}.webp)`,
    ),
  ]);
  await writeFile(
    `${folder}/README.md`,
    `# Every page

Taken by \`npm run screens\` with the demo data: on a phone (390 px) in dark, and on a desktop (1440 px) in light. Four important pages also have a tablet (768 px) and each theme. Long pages are cut.

${sections.join("\n\n")}
`,
  );
}
