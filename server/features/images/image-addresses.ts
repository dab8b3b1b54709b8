/** An image of this shop as a whole JSON string. Quotes in a member's text would be escaped. */
const ownImage = /"(\/(?:images\/[0-9a-f]{64}\.jpg|brands\/[\w-]+\.\w+))"/g;

/**
 * Images are stored by path, but sent with their absolute address, so that a client on another
 * origin can show them. Runs once over the JSON, because many answers contain images.
 */
export function withImageAddresses(json: string, publicUrl: string): string {
  return json.replaceAll(ownImage, (_, path: string) => `"${publicUrl}${path}"`);
}

/** The path of an image of this shop, given its address or path. Other addresses don't change. */
export function imagePath(address: string, publicUrl: string): string {
  return address.startsWith(`${publicUrl}/`) ? address.slice(publicUrl.length) : address;
}
