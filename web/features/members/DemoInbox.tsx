import { useQuery } from "@tanstack/react-query";
import { readConfig } from "#contract/config.ts";
import { queryOf } from "#web/api/api.ts";

export function DemoInbox() {
  const { data: config } = useQuery(queryOf(readConfig, {}));
  if (!config?.mailInboxUrl) return null;
  return (
    <p>
      This is a demo, so no email leaves this machine. To read it,{" "}
      <a href={config.mailInboxUrl} target="_blank" rel="noreferrer" className="link">
        open the demo inbox
      </a>
      .
    </p>
  );
}
