/** The maximum length of a picture's data URL, below the contract's limits. */
const mostCharacters = 80_000;

/**
 * Scales down further if the URL would be too long. Rejects unreadable pictures. An SVG's scripts
 * don't run in the canvas, and they aren't stored.
 */
export async function drawAsPng(
  file: File,
  { width, height }: { width: number; height: number },
): Promise<string> {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  try {
    await image.decode();
    // An SVG may have no size of its own.
    const [across, down] = [image.naturalWidth || width, image.naturalHeight || height];
    let scale = Math.min(width / across, height / down);
    for (;;) {
      const canvas = document.createElement("canvas");
      canvas.width = Math.max(1, Math.round(across * scale));
      canvas.height = Math.max(1, Math.round(down * scale));
      canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
      const drawn = canvas.toDataURL("image/png");
      if (drawn.length <= mostCharacters || canvas.width < 64) return drawn;
      scale *= 0.8;
    }
  } finally {
    URL.revokeObjectURL(image.src);
  }
}
