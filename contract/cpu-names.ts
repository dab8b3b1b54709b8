/** Such as "Core i7" and 11; undefined if the processor's name omits them. */
export type Processor = { cpu_family: string | undefined; cpu_generation: number | undefined };

type Reader = {
  name: RegExp;
  family: (match: RegExpExecArray) => string;
  generation: (match: RegExpExecArray) => number | undefined;
};

const readers: Reader[] = [
  {
    name: /\bCore[\s-]*(?:Ultra|ultra)\s*([3579])(?:\s+(?:PRO\s+)?(\d)\d\d\w*)?/i,
    family: ([, tier]) => `Core Ultra ${tier}`,
    generation: ([, , series]) => numberOf(series),
  },
  {
    name: /\b(?:Core[\s-]*)?i([3579])(?:[\s-]+(\d{3,5})\w*)?/i,
    family: ([, tier]) => `Core i${tier}`,
    generation: ([, , model]) => intelGeneration(model),
  },
  {
    name: /\bCore[\s-]*m([357])?(?:-(\d)Y?\w*)?/i,
    family: ([, tier = ""]) => `Core m${tier}`,
    generation: ([, , series]) => numberOf(series),
  },
  {
    name: /\bRyzen\s+AI\s+(?:Max\+?\s+)?([3579])/i,
    family: ([, tier]) => `Ryzen AI ${tier}`,
    generation: () => undefined,
  },
  {
    name: /\bRyzen\s+([3579])(?:\s+PRO)?(?:\s+(\d)\d{3}\w*)?/i,
    family: ([, tier]) => `Ryzen ${tier}`,
    generation: ([, , series]) => numberOf(series),
  },
  {
    name: /\b(?:Apple\s+)?M(\d)(?:\s+(Pro|Max|Ultra))?\b/,
    family: ([, number, size]) => `Apple M${number}${size === undefined ? "" : ` ${size}`}`,
    generation: ([, number]) => numberOf(number),
  },
  {
    name: /\b(Celeron|Pentium|Athlon|Xeon|Snapdragon X Elite|Snapdragon X Plus|Snapdragon)\b/i,
    family: ([, name = ""]) => name,
    generation: () => undefined,
  },
];

export function readProcessor(cpu: string): Processor {
  for (const { name, family, generation } of readers) {
    const match = name.exec(cpu);
    if (match) return { cpu_family: family(match), cpu_generation: generation(match) };
  }
  return { cpu_family: undefined, cpu_generation: undefined };
}

/** i7-8550U is 8th generation, i7-1165G7 is 11th, i7-12700H is 12th, i7-720QM is 1st. */
export function intelGeneration(model = ""): number | undefined {
  const [digits = ""] = /^\d{3,5}/.exec(model) ?? [];
  if (digits.length === 3) return 1;
  return numberOf(digits.slice(0, digits.length === 5 || digits.startsWith("1") ? 2 : 1));
}

function numberOf(digits = ""): number | undefined {
  return digits === "" ? undefined : Number(digits);
}
