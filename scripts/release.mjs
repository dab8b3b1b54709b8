import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { finish, root } from "./run.mjs";

/** `npm run release -- 1.2.0`: builds the image, commits, and tags with notes. Pushes nothing. */
await finish(() => {
  const [version = ""] = process.argv.slice(2);
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error("Usage: npm run release -- 1.2.0");
  if (call("git", "status", "--porcelain") !== "") throw new Error("Commit your changes first.");
  if (call("git", "tag", "--list", `v${version}`) !== "")
    throw new Error(`${version} was released before.`);
  const upgrade = upgradeNotes(version);
  const notes = `${takeChanges(version)}\n\n${upgrade}\n`;
  try {
    call("npm", "version", version, "--no-git-tag-version", "--allow-same-version");
    call("docker", "build", "--tag", `secondlap:${version}`, "--file", "deploy/Dockerfile", ".");
  } catch (error) {
    call("git", "checkout", "--quiet", "--", ".");
    throw error;
  }
  const file = join(root, "build", `release-${version}.md`);
  mkdirSync(join(root, "build"), { recursive: true });
  writeFileSync(file, notes);
  call("git", "commit", "--quiet", "--all", "--message", `Release ${version}`);
  // Headings begin with #, which Git would treat as comments.
  call("git", "tag", "--annotate", `v${version}`, "--cleanup=verbatim", "--file", file);
  console.log(
    `Tagged v${version} and built secondlap:${version}; the notes are in ${file}. Now push: git push --follow-tags`,
  );
});

function call(command, ...args) {
  return execFileSync(command, args, { cwd: root, encoding: "utf8" }).trim();
}

function takeChanges(version) {
  const path = join(root, "CHANGELOG.md");
  const text = readFileSync(path, "utf8");
  const heading = "\n## Unreleased\n";
  const from = text.indexOf(heading) + heading.length;
  const next = text.indexOf("\n## ", from);
  const changes = text.slice(from, next === -1 ? undefined : next).trim();
  if (changes === "") throw new Error("CHANGELOG.md has nothing unreleased.");
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(path, `${text.slice(0, from)}\n## ${version} (${date})\n${text.slice(from)}`);
  return changes;
}

function upgradeNotes(version) {
  const path = join(root, "docs/releases.md");
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const [, notes] = text.split(`\n## ${version}\n`);
  if (notes === undefined)
    throw new Error(`Write how to upgrade to ${version} and back in docs/releases.md.`);
  return `## Upgrade\n\n${notes.split("\n## ", 1)[0].trim()}`;
}
