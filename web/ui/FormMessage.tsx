import type { ReactNode } from "react";

type FormMessageProps = {
  message: string | undefined;
  children?: ReactNode;
};

/** An error about the whole form, announced when it appears. */
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
