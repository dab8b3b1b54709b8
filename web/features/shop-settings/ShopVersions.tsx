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

type Version = Answer<typeof readShopSettings>["versions"][number];

const columns: Column<Version>[] = [
  { header: "Published", as: "title", cell: ({ publishedAt }) => <DateTime at={publishedAt} /> },
  { header: "By", cell: ({ publishedBy }) => <bdi>{publishedBy}</bdi> },
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

/** Earlier versions, and the built-in settings, can be published again. */
export function ShopVersions({ versions }: { versions: Version[] }) {
  const [current] = versions;
  if (!current) return null;
  const action = (version: Version) => {
    if (version === current) return "Current";
    const when = formatDateTime(version.publishedAt);
    return <Restore {...version} what={`the version of ${when} again`} text="Publish again" />;
  };
  return (
    <section className="mt-16">
      <h2 className="mb-4 text-heading">Versions</h2>
      <DataTable
        caption="Versions"
        columns={[...columns, { header: "Action", cell: action }]}
        rows={versions}
        keyOf={({ _id }) => _id}
      />
      <div className="mt-4">
        <Restore _id={null} what="the built-in settings" text="Publish the built-in settings" />
      </div>
    </section>
  );
}

type RestoreProps = { _id: string | null; what: string; text: string };

function Restore({ _id, what, text }: RestoreProps) {
  const restore = useConfirmedCall(restoreShopVersion, { onSuccess: () => location.reload() });
  return (
    <>
      <ConfirmButton
        look="plain"
        label={`Publish ${what}`}
        title={`Publish ${what}?`}
        message={`Everybody sees the change within a second. The draft is deleted.${_id === null ? " The currency stays, and a closed shop stays closed." : ""}`}
        confirm="Publish"
        busy={restore.isPending}
        onConfirm={(done) => {
          restore.mutate({ body: { _id } });
          done();
        }}
      >
        {text}
      </ConfirmButton>
      {restore.confirmation}
    </>
  );
}
