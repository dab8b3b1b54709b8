import { useEffect, useEffectEvent } from "react";

/** Accepts photos pasted or dropped anywhere on the page. */
export function useDropAndPaste(take: (photos: File[]) => void): void {
  const bring = useEffectEvent((event: Event, files: FileList | undefined) => {
    if (!files?.length) return;
    event.preventDefault();
    take([...files]);
  });
  useEffect(() => {
    const paste = (event: ClipboardEvent) => bring(event, event.clipboardData?.files);
    const drop = (event: DragEvent) => bring(event, event.dataTransfer?.files);
    // Otherwise the browser would navigate to the file and lose the form.
    const allowDrop = (event: DragEvent) =>
      event.dataTransfer?.types.includes("Files") && event.preventDefault();
    document.addEventListener("paste", paste);
    document.addEventListener("drop", drop);
    document.addEventListener("dragover", allowDrop);
    return () => {
      document.removeEventListener("paste", paste);
      document.removeEventListener("drop", drop);
      document.removeEventListener("dragover", allowDrop);
    };
  }, []);
}
