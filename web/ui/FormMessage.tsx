/** What went wrong with a form as a whole, read out when it appears; until then it takes no room. */
export function FormMessage({ message }: { message: string | undefined }) {
  return (
    <div role="alert" className="empty:contents">
      {message && (
        <p className="rounded-field border border-error/40 bg-error/8 px-4 py-3 text-error text-sm">
          {message}
        </p>
      )}
    </div>
  );
}
