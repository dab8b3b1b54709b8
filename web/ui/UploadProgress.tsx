/** Progress of a photo upload; `value` is the share sent, 0 to 1. */
export function UploadProgress({ value }: { value: number }) {
  return (
    <progress
      className="progress progress-primary"
      value={value}
      max={1}
      aria-label="Photo upload"
    />
  );
}
