import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";

export default defineConfig({
  publicDir: "web/public",
  plugins: [tailwindcss(), reactRouter(), sonnerWithoutInlineStyles()],
  // All pages are looked through at the start, so that a newly met package does not reload the browser.
  optimizeDeps: { entries: ["web/root.tsx", "web/pages/*.tsx"], exclude: ["sonner"] },
});

/**
 * Sonner adds its styles to the page when its module loads, which our content policy refuses. We import
 * its stylesheet as a file instead (web/root.tsx) and drop the call that adds them.
 */
function sonnerWithoutInlineStyles(): Plugin {
  return {
    name: "sonner-without-inline-styles",
    transform: {
      filter: { id: /sonner\/dist\/index\.mjs/ },
      handler(code) {
        const styles = /^__insertCSS\(".*"\);?$/m;
        if (!styles.test(code)) this.error("Sonner changed how it adds its styles.");
        return { code: code.replace(styles, ""), map: null };
      },
    },
  };
}
