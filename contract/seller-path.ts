/** The path of a seller's page. */
export function sellerPath(sellerId: string): string {
  return `/sellers/${sellerId}`;
}
