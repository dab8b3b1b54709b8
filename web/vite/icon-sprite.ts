import { createHash } from "node:crypto";
import { icons as lucide } from "@iconify-json/lucide";
import type { Plugin } from "vite";
import { type IconName, iconNames } from "../ui/icon-names.ts";

/** Attributes of every Lucide icon. CSS sets them instead, so that pages can change them. */
const drawing =
  ' fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" stroke-width="2"';

/** One SVG file with all icons, so that pages refer to icons instead of repeating their paths. */
export function iconSprite(): Plugin {
  const id = "\0virtual:icon-sprite";
  const { path, svg } = drawSprite();
  return {
    name: "icon-sprite",
    resolveId: (source) => (source === "virtual:icon-sprite" ? id : undefined),
    load(loaded) {
      if (loaded !== id) return undefined;
      if (this.environment.name === "client" && this.environment.mode === "build")
        this.emitFile({ type: "asset", fileName: path, source: svg });
      return `export default ${JSON.stringify(`/${path}`)}`;
    },
    configureServer({ middlewares }) {
      middlewares.use(({ url }, response, next) => {
        if (url !== `/${path}`) return next();
        response.setHeader("content-type", "image/svg+xml").end(svg);
      });
    },
  };
}

function drawSprite() {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg">${iconNames.map(drawSymbol).join("")}</svg>`;
  const hash = createHash("sha256").update(svg).digest("hex").slice(0, 8);
  return { path: `assets/icons-${hash}.svg`, svg };
}

function drawSymbol(name: IconName): string {
  const icon = lucide.icons[name];
  if (!icon) throw new Error(`Lucide has no icon ${name}.`);
  return `<symbol id="${name}" viewBox="0 0 24 24">${icon.body.replace(drawing, "")}</symbol>`;
}
