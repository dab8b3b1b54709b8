/** opentype.js ships no types. */
declare module "opentype.js" {
  type Options = { letterSpacing?: number };

  export type Font = {
    charToGlyphIndex(character: string): number;
    getAdvanceWidth(text: string, size: number, options?: Options): number;
    getPath(
      text: string,
      x: number,
      y: number,
      size: number,
      options?: Options,
    ): { commands: PathCommand[] };
  };

  /** `x1` to `y2`: the control points of curves. */
  export type PathCommand = {
    type: "M" | "L" | "Q" | "C" | "Z";
    x1?: number;
    y1?: number;
    x2?: number;
    y2?: number;
    x?: number;
    y?: number;
  };

  const opentype: { parse(file: ArrayBuffer): Font };
  export default opentype;
}
