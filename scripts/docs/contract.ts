export function contract(current: string): string {
  return current;
}
