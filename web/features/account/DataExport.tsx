import { readOwnData } from "#contract/account.ts";
import { useCall } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { downloadFile } from "#web/ui/download-file.ts";
import { ProfileSection } from "./ProfileSection.tsx";

export function DataExport() {
  const read = useCall(readOwnData, { onSuccess: saveAsFile });
  return (
    <ProfileSection
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
    </ProfileSection>
  );
}

function saveAsFile(data: object): void {
  const file = new Blob([JSON.stringify(data, null, 2)], { type: "application/json" });
  downloadFile("secondlap-data.json", file);
}
