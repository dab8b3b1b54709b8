import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { StaleMarkup } from "./ui/ServerRendered.tsx";

// A page whose styles can't be fetched is shown without them: it can still say what is wrong.
addEventListener("vite:preloadError", (event) => {
  if (event.payload.message.includes("preload CSS")) event.preventDefault();
});

startTransition(() => {
  hydrateRoot(document, <HydratedRouter />, {
    onRecoverableError(error) {
      const isStale = error instanceof Error && error.cause instanceof StaleMarkup;
      if (!isStale) reportError(error);
    },
  });
});
