import { createHash } from "node:crypto";
import type { Plugin } from "vite";
import { type IconName, iconNames } from "../ui/icon-names.ts";

type IconModule = { __iconData: { node: [tag: string, attributes: Record<string, string>][] } };

/** One SVG file with all icons, so that pages refer to icons instead of repeating their paths. */
export function iconSprite(): Plugin {
  const id = "\0virtual:icon-sprite";
  let sprite: Promise<{ path: string; svg: string }>;
  return {
    name: "icon-sprite",
    buildStart() {
      sprite ??= drawSprite();
    },
    resolveId: (source) => (source === "virtual:icon-sprite" ? id : undefined),
    async load(loaded) {
      if (loaded !== id) return undefined;
      const { path, svg } = await sprite;
      if (this.environment.name === "client" && this.environment.mode === "build")
        this.emitFile({ type: "asset", fileName: path, source: svg });
      return `export default ${JSON.stringify(`/${path}`)}`;
    },
    configureServer({ middlewares }) {
      middlewares.use(async ({ url }, response, next) => {
        const { path, svg } = await sprite;
        if (url !== `/${path}`) return next();
        response.setHeader("content-type", "image/svg+xml").end(svg);
      });
    },
  };
}

async function drawSprite() {
  const symbols = await Promise.all(iconNames.map(drawSymbol));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join("")}</svg>`;
  const hash = createHash("sha256").update(svg).digest("hex").slice(0, 8);
  return { path: `assets/icons-${hash}.svg`, svg };
}

async function drawSymbol(name: IconName): Promise<string> {
  const { __iconData: icon }: IconModule = await import(`lucide-react/icons/${name}`);
  const shapes = icon.node.map(([tag, { key: _, ...attributes }]) => {
    const given = Object.entries(attributes).map(
      ([attribute, value]) => ` ${attribute}="${value}"`,
    );
    return `<${tag}${given.join("")}/>`;
  });
  return `<symbol id="${name}" viewBox="0 0 24 24">${shapes.join("")}</symbol>`;
}
