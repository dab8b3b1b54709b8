import type { Answer } from "#contract/call.ts";
import {
  type readShopSettings,
  restoreShopVersion,
  type ShopSettings,
} from "#contract/shop-settings.ts";
import { useConfirmedCall } from "#web/domain/members/ConfirmIdentity.tsx";
import { ConfirmButton } from "#web/ui/ConfirmButton.tsx";
import { type Column, DataTable } from "#web/ui/DataTable.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { formatDateTime } from "#web/ui/format.ts";
import { UserText } from "#web/ui/UserText.tsx";

type Version = Answer<typeof readShopSettings>["versions"][number];

const columns: Column<Version>[] = [
  { header: "Published", as: "title", cell: ({ publishedAt }) => <DateTime at={publishedAt} /> },
  {
    header: "By",
    cell: ({ publishedBy }) => <UserText>{publishedBy}</UserText>,
  },
  {
    header: "Changed",
    cell: ({ changed }) =>
      changed.map((name) => partNames[name as keyof ShopSettings] ?? name).join(", ") || "Nothing",
  },
];

const partNames: Record<keyof ShopSettings, string> = {
  name: "Shop name",
  tagline: "Tagline",
  announcement: "Announcement",
  operator: "Who runs the shop",
  social: "Profiles",
  logo: "Logo",
  icon: "Icon",
  colors: "Colors",
  currency: "Currency",
  fee: "Fee",
  times: "Times",
  promo: "Promo",
  selling: "Selling",
  closed: "Closed",
  conditions: "Conditions",
  texts: "Pages",
  emails: "Emails",
};

/** The published versions. Each can be published again. */
export function ShopVersions({ versions }: { versions: Version[] }) {
  if (versions.length === 0) return null;
  return (
    <section className="mt-16">
      <h2 className="mb-4 text-heading">Versions</h2>
      <DataTable
        caption="Versions"
        columns={[...columns, { header: "Action", cell: (version) => <Restore {...version} /> }]}
        rows={versions}
        keyOf={({ _id }) => _id}
      />
    </section>
  );
}

function Restore({ _id, publishedAt }: Version) {
  const restore = useConfirmedCall(restoreShopVersion, { onSuccess: () => location.reload() });
  const when = formatDateTime(publishedAt);
  return (
    <>
      <ConfirmButton
        look="plain"
        label={`Publish the version of ${when} again`}
        title={`Publish the version of ${when} again?`}
        message="Everybody sees it within a second. The draft is deleted."
        confirm="Publish again"
        busy={restore.isPending}
        onConfirm={(done) => {
          restore.mutate({ body: { _id } });
          done();
        }}
      >
        Publish again
      </ConfirmButton>
      {restore.confirmation}
    </>
  );
}
