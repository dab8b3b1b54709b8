import { useSyncExternalStore } from "react";

/** False on the server and in the first render in the browser, which has to match it; true from then on. */
export function useHydrated(): boolean {
  return useSyncExternalStore(neverChanges, inBrowser, onServer);
}

const neverChanges = () => () => {};
const inBrowser = () => true;
const onServer = () => false;
