export function Spinner() {
  return (
    <div role="status" className="grid min-h-[85vh] place-items-center">
      <span className="loading loading-large text-primary" aria-hidden="true" />
      <span className="sr-only">Loading</span>
    </div>
  );
}
