import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { setCurrency } from "#contract/price.ts";
import { StaleMarkup } from "./start/server-render.ts";

// A page whose styles can't be fetched still renders, so that it can report errors.
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
