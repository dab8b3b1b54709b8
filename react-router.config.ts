import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "web",
  buildDirectory: "build",
  ssr: true,
  // The first page loads the whole route table, so that navigation requests no parts of it.
  routeDiscovery: { mode: "initial" },
  // Our pages are small. One file per page loads faster than three, and can't load partially.
  splitRouteModules: false,
} satisfies Config;
