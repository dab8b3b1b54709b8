/** `value` is the uploaded share, 0 to 1, or undefined if unknown. */
export function UploadProgress({ value }: { value: number | undefined }) {
  return (
    <progress
      className="h-2 w-full accent-primary"
      value={value}
      max={1}
      aria-label="Photo upload"
    />
  );
}
