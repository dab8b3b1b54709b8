/** Matches only whole JSON strings, because quotes in a member's text are escaped. */
const ownImage = /"(\/(?:images\/[0-9a-f]{64}\.jpg|brands\/[\w-]+\.\w+))"/g;

/**
 * Replaces image paths in a JSON response with absolute addresses, so that a client on another
 * origin can show the images. Runs on the whole JSON, because many responses contain images.
 */
export function withImageAddresses(json: string, publicUrl: string): string {
  return json.replaceAll(ownImage, (_, path: string) => `"${publicUrl}${path}"`);
}

/** The path of an own image, given its address or path. Other addresses stay unchanged. */
export function imagePath(address: string, publicUrl: string): string {
  return address.startsWith(`${publicUrl}/`) ? address.slice(publicUrl.length) : address;
}
