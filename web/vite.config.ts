// How the browser UI is built: into dist/web, with hashed names and no inline scripts, so that a strict policy holds.
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const gateway = process.env.NANOBOT_GATEWAY ?? "http://127.0.0.1:18790";

export default defineConfig({
  root: import.meta.dirname,
  // Relative: a home may lie below a path.
  base: "./",
  plugins: [react(), tailwindcss()],
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What every page needs, in two files instead of forty; pages, formulas and highlighting come when they are used.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "libraries", test: /node_modules\/(react|react-dom|scheduler|lucide-react|marked)\// },
            // Not what single pages and previews of files use.
            {
              name: "frame",
              test: /web\/src\/((app|components|store|wire)\/(?!preview\/)|words\/(catalogue|chat|files|index|shell|start)\.)/,
            },
          ],
        },
      },
    },
  },
  // `npx vite web` with a gateway next to it: the pages from their sources.
  server: { host: "127.0.0.1", proxy: { "/api": { target: gateway, ws: true } } },
});
