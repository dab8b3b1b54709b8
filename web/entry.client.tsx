import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { StaleMarkup } from "./ui/ServerRendered.tsx";

startTransition(() => {
  hydrateRoot(document, <HydratedRouter />, {
    onRecoverableError(error) {
      const isStale = error instanceof Error && error.cause instanceof StaleMarkup;
      if (!isStale) reportError(error);
    },
  });
});
