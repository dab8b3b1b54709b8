import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "web",
  buildDirectory: "build",
  ssr: true,
  // The whole route table travels with the first page, so moving about asks the server for data alone.
  routeDiscovery: { mode: "initial" },
  // Our pages are small: one file each comes sooner than three, and is wholly there or not at all.
  splitRouteModules: false,
} satisfies Config;
