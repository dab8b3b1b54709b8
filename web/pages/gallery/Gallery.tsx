import type { ReactNode } from "react";

/** A part of the page of components; its name is that of its picture. */
export function GallerySection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-6">
      <h2 className="text-title">{title}</h2>
      {children}
    </section>
  );
}

/** States of one thing beside one another. */
export function Row({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-4">{children}</div>;
}
