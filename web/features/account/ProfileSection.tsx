import { type ReactNode, useId } from "react";

type ProfileSectionProps = { title: string; about: string; children?: ReactNode };

export function ProfileSection({ title, about, children }: ProfileSectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="flex max-w-3xl flex-col gap-4 rounded-box border border-line bg-base-100 p-5 shadow-rest sm:p-8"
    >
      <header>
        <h2 id={id} className="text-heading">
          {title}
        </h2>
        <p className="mt-1 max-w-prose text-muted text-sm">{about}</p>
      </header>
      {children}
    </section>
  );
}
