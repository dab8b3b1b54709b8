import type { DatabaseSync } from "node:sqlite";

/** The contents of uploaded files. */
export function fileContents(db: DatabaseSync) {
  const save = db.prepare("insert into file_contents (file, contents) values (?, ?)");
  const read = db.prepare("select contents from file_contents where file = ?");
  return {
    saveContents: (file: string, contents: Buffer) => void save.run(file, contents),
    contentsOf(file: string): Buffer | undefined {
      const contents = read.get(file)?.contents;
      return contents instanceof Uint8Array ? Buffer.from(contents) : undefined;
    },
  };
}
