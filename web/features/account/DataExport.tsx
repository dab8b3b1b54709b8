import { readOwnData } from "#contract/account.ts";
import { useCall } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { saveFile } from "#web/ui/save-file.ts";
import { Section } from "./ProfileSection.tsx";

export function DataExport() {
  const read = useCall(readOwnData, { onSuccess: saveAsFile });
  return (
    <Section
      title="Your data"
      about="Everything we hold about you, as a JSON file: profile, listings, orders, payments, reports, photos, sessions and activity."
    >
      <Button
        look="plain"
        className="self-start"
        busy={read.isPending}
        onClick={() => read.mutate({})}
      >
        Download my data
      </Button>
    </Section>
  );
}

function saveAsFile(data: object): void {
  const file = new Blob([JSON.stringify(data, null, 2)], { type: "application/json" });
  saveFile("secondlap-data.json", file);
}
