import { useSyncExternalStore } from "react";

type ToastLibrary = typeof import("./ToastRegion.tsx");

/** The library, fetched with the first toast; undefined before that. */
let library: ToastLibrary | undefined;
/** Texts shown without the library, if it could not be fetched. */
let plain: readonly string[] = [];
const listeners = new Set<() => void>();

export const toast = {
  success: (text: string) => void show("success", text),
  error: (text: string) => void show("error", text),
  dismiss() {
    plain = [];
    library?.toast.dismiss();
    notify();
  },
};

async function show(kind: "success" | "error", text: string): Promise<void> {
  try {
    library ??= await import("./ToastRegion.tsx");
    library.toast[kind](text);
  } catch {
    plain = [...plain, text];
  }
  notify();
}

function notify(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Works only after hydration, because it has no snapshot for the server. */
export function useToastLibrary(): ToastLibrary | undefined {
  return useSyncExternalStore(subscribe, () => library);
}

export function usePlainToasts(): readonly string[] {
  return useSyncExternalStore(subscribe, () => plain);
}
