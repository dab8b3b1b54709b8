import type { ReactNode } from "react";

type FormMessageProps = {
  message: string | undefined;
  /** What can be done about it, such as a link. */
  children?: ReactNode;
};

/** What went wrong with a form as a whole, read out when it appears; until then it takes no room. */
export function FormMessage({ message, children }: FormMessageProps) {
  return (
    <div role="alert" className="empty:contents">
      {message && (
        <p className="rounded-field border border-error/40 bg-error/8 px-4 py-3 text-error text-sm">
          {message} {children}
        </p>
      )}
    </div>
  );
}
