import { useQuery } from "@tanstack/react-query";
import type { Answer } from "#contract/call.ts";
import { readShopSettings, restoreShopVersion, settingNames } from "#contract/shop-settings.ts";
import { firstStepsPath } from "#web/admin-paths.ts";
import { queryOf } from "#web/api/api.ts";
import { useConfirmedCall } from "#web/domain/members/ConfirmIdentity.tsx";
import { ConfirmButton } from "#web/ui/ConfirmButton.tsx";
import { type Column, DataTable } from "#web/ui/DataTable.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { formatDateTime } from "#web/ui/format-dates-and-counts.ts";
import { TextLink } from "#web/ui/Link.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { Catalog } from "./Catalog.tsx";
import { FirstSteps } from "./FirstSteps.tsx";
import { ShopSettingsForm } from "./ShopSettingsForm.tsx";

type ShopSettingsProps = { part: "settings" | "categories" | "first-steps" };

/** One module, because these pages share most of their code. */
export default function ShopSettings({ part }: ShopSettingsProps) {
  if (part === "settings") return <Settings />;
  return part === "categories" ? <Catalog /> : <FirstSteps />;
}

function Settings() {
  const settings = useQuery(queryOf(readShopSettings, {}));
  return (
    <QueryState query={settings} skeleton={<div className="skeleton h-96" />}>
      {(found) => (
        <>
          <p className="mb-8">
            <TextLink to={firstStepsPath}>First steps of a new shop</TextLink>
          </p>
          <ShopSettingsForm settings={found} />
          <ShopVersions versions={found.versions} />
        </>
      )}
    </QueryState>
  );
}

type Version = Answer<typeof readShopSettings>["versions"][number];

const columns: Column<Version>[] = [
  { header: "Published", as: "title", cell: ({ publishedAt }) => <DateTime at={publishedAt} /> },
  { header: "By", cell: ({ publishedBy }) => <bdi>{publishedBy}</bdi> },
  {
    header: "Changed",
    cell: ({ changed }) =>
      changed.map((name) => settingNames[name] ?? name).join(", ") || "Nothing",
  },
];

function ShopVersions({ versions }: { versions: Version[] }) {
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
