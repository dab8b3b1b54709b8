/** An image of this shop as a whole string of JSON. Text of a member would have its quotes escaped. */
const ownImage = /"(\/(?:images\/[0-9a-f]{64}\.jpg|brands\/[\w-]+\.\w+))"/g;

/**
 * Images are stored by their path, and have their whole address on the wire, so that a client on another origin can
 * show them. Done once over the JSON, because so many answers contain images.
 */
export function withImageAddresses(json: string, publicUrl: string): string {
  return json.replaceAll(ownImage, (_, path: string) => `"${publicUrl}${path}"`);
}

/** The path of an image of this shop, sent as its whole address or its path; other addresses stay as they are. */
export function imagePath(address: string, publicUrl: string): string {
  return address.startsWith(`${publicUrl}/`) ? address.slice(publicUrl.length) : address;
}
