import { Button } from "#web/ui/Button.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { downloadFile } from "#web/ui/object-url.ts";
import { toast } from "#web/ui/toast.ts";

/** The ten backup codes, shown once. */
export function BackupCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const list = codes.join("\n");
  const copy = async () => {
    await navigator.clipboard.writeText(list);
    toast.success("Backup codes copied.");
  };
  return (
    <>
      <p>
        Keep these backup codes somewhere safe. Use one to log in when you don't have your phone.
        Each code works once, and we won't show them again.
      </p>
      <ul
        aria-label="Backup codes"
        className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-field bg-base-200 p-4 text-center font-mono text-sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button look="plain" onClick={() => void copy()}>
          <Icon name="copy" className="size-4" />
          Copy
        </Button>
        <Button
          look="plain"
          onClick={() =>
            downloadFile("backup-codes.txt", new Blob([`${list}\n`], { type: "text/plain" }))
          }
        >
          <Icon name="download" className="size-4" />
          Download
        </Button>
        <Button className="ml-auto" onClick={onDone}>
          I've saved them
        </Button>
      </div>
    </>
  );
}
