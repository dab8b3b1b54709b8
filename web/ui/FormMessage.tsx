/** What went wrong with a form as a whole, read out when it appears. */
export function FormMessage({ message }: { message: string | undefined }) {
  return (
    <div role="alert">
      {message && (
        <p className="rounded-field border border-error/40 bg-error/8 px-4 py-3 text-error text-sm">
          {message}
        </p>
      )}
    </div>
  );
}
