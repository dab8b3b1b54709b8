import { lazy, Suspense } from "react";

/** Loads a drawing on demand, because few pages show one. Offline, the drawing is left out. */
function drawing(name: "ErrorDrawing" | "EmptyDrawing") {
  return lazy(async () => {
    const drawings = await import("./drawings.tsx").catch(() => undefined);
    return { default: drawings?.[name] ?? (() => null) };
  });
}

const ErrorDrawing = drawing("ErrorDrawing");
const EmptyDrawing = drawing("EmptyDrawing");

export function ErrorIllustration({ className }: { className: string }) {
  return (
    <svg
      viewBox="-16 0 352 260"
      className={className}
      role="img"
      aria-label="A laptop with a sad face"
    >
      <Suspense fallback={null}>
        <ErrorDrawing />
      </Suspense>
    </svg>
  );
}

export function EmptyIllustration() {
  return (
    <svg viewBox="0 0 320 240" className="w-44" aria-hidden="true">
      <Suspense fallback={null}>
        <EmptyDrawing />
      </Suspense>
    </svg>
  );
}
