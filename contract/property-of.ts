/** The property with this name; undefined if the value is no object or lacks the property. */
export function propertyOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** The property with this name, if it is a string. */
export function textOf(value: unknown, name: string): string | undefined {
  const found = propertyOf(value, name);
  return typeof found === "string" ? found : undefined;
}
