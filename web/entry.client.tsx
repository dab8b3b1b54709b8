import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { setCurrency } from "#contract/price.ts";
import { StaleMarkup } from "./start/ServerRendered.tsx";

// If styles can't be fetched, the page shows without them, so that it can still report errors.
addEventListener("vite:preloadError", (event) => {
  if (event.payload.message.includes("preload CSS")) event.preventDefault();
});

setCurrency(document.documentElement.dataset.currency);

startTransition(() => {
  hydrateRoot(document, <HydratedRouter />, {
    onRecoverableError(error) {
      const isStale = error instanceof Error && error.cause instanceof StaleMarkup;
      if (!isStale) reportError(error);
    },
  });
});
