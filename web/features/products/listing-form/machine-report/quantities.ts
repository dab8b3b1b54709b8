/** Reads "57,020", "57.020" and "57 020" as whole numbers, for units without decimals. */
export function readWhole(text = ""): number | undefined {
  const digits = /\d[\d., '’]{0,20}/.exec(text)?.[0].replaceAll(/\D/g, "");
  return digits ? Number(digits) : undefined;
}

/** Reads "50.1", "50,1" and "1.024,5". A separator before the last three digits is not decimal. */
export function readDecimal(text = ""): number | undefined {
  const found = /\d[\d., ]{0,20}/
    .exec(text)?.[0]
    .replaceAll(" ", "")
    .replace(/[.,]+$/, "");
  if (!found) return undefined;
  const [, whole = "", decimals = ""] = /^(.*?)(?:[.,](\d{1,2}|\d{4,}))?$/.exec(found) ?? [];
  return Number(`${whole.replaceAll(/[.,]/g, "")}.${decimals || "0"}`);
}

/** `power` is 1 for KB, 2 for MB, 3 for GB and 4 for TB. */
type Amount = { amount: number; power: number; isBinary: boolean };

/** Reads amounts such as "16.0 GB", "16.149 MB", "16 149 Mo" and "476,94 GiB". */
function readAmount(text = ""): Amount | undefined {
  const [, number, unit = "", binary] =
    /(\d[\d., ]{0,20}?) {0,2}([kmgt])(i?)[bo]\b/i.exec(text) ?? [];
  const amount = /[km]/i.test(unit) ? readWhole(number) : readDecimal(number);
  if (amount === undefined) return undefined;
  return { amount, power: "kmgt".indexOf(unit.toLowerCase()) + 1, isBinary: binary !== "" };
}

/** Memory is counted in binary units, even if the report says GB. */
export function readMemoryGb(text?: string): number | undefined {
  const found = readAmount(text);
  return found && found.amount * 1024 ** (found.power - 3);
}

/** In decimal GB, from the exact number of bytes if the text has it. */
export function readDiskGb(text = ""): number | undefined {
  const [, bytes] = /([\d., ]{9,30}) ?(?:bytes|octets|byte)/i.exec(text) ?? [];
  if (bytes !== undefined) return (readWhole(bytes) ?? 0) / 1e9;
  const found = readAmount(text);
  if (!found) return undefined;
  return (found.amount * (found.isBinary ? 1024 : 1000) ** found.power) / 1e9;
}

const memorySizes = [2, 3, 4, 6, 8, 12, 16, 18, 20, 24, 32, 36, 40, 48, 64, 72, 96, 128, 192, 256];

/** Rounds usable memory to a common size of installed memory, if one is near. */
export function toInstalledMemory(gb: number | undefined): number | undefined {
  if (gb === undefined || gb < 1) return undefined;
  return memorySizes.find((size) => gb <= size * 1.02 && gb >= size * 0.8);
}

const diskSizes = [16, 32, 64, 128, 256, 512, 1000, 2000, 4000, 8000];
const rarerDiskSizes = [120, 160, 180, 240, 250, 320, 480, 500, 640, 750, 960];

/** Rounds to a common size. `gb` may be decimal, binary, or as Apple counts (500.28 for 512). */
export function toDiskSize(gb: number | undefined, isApple: boolean): number | undefined {
  if (gb === undefined) return undefined;
  const near = (share: number) => (size: number) => Math.abs(gb / size - 1) <= share;
  if (isApple) return diskSizes.find(near(0.045)) ?? rarerDiskSizes.find(near(0.02));
  const binary = diskSizes.find((size) => Math.abs((gb * 1.073_741_824) / size - 1) <= 0.006);
  return diskSizes.find(near(0.025)) ?? rarerDiskSizes.find(near(0.015)) ?? binary;
}

export function readResolution(text = ""): [number, number] | undefined {
  const [, width, height] = /(\d{3,5}) ?[x×] ?(\d{3,5})/i.exec(text) ?? [];
  return width === undefined ? undefined : [Number(width), Number(height)];
}
