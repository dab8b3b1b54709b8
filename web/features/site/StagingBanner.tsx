export function StagingBanner() {
  return (
    <p
      role="note"
      className="bg-warning px-5 py-2 text-center font-medium text-sm text-warning-content"
    >
      This is a test site. Use test cards only: no real payments are taken and nothing is delivered.
    </p>
  );
}
