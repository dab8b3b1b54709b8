type Intersection<Union> = (Union extends unknown ? (part: Union) => void : never) extends (
  whole: infer All,
) => void
  ? All
  : never;

/** Merges records. Throws if two records share a key, because one value would replace the other. */
export function mergeDistinct<Parts extends readonly object[]>(
  ...parts: Parts
): Intersection<Parts[number]> {
  const names = parts.flatMap((part) => Object.keys(part));
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new Error(`${repeated} is defined twice.`);
  return Object.assign({}, ...parts);
}
