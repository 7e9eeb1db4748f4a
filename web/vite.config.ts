// How the browser UI is built: into dist/web, with hashed names and no inline scripts, so that a strict policy holds.
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const gateway = process.env.NANOBOT_GATEWAY ?? "http://127.0.0.1:18790";

export default defineConfig({
  root: import.meta.dirname,
  base: "/",
  plugins: [react(), tailwindcss()],
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  // `npx vite web` with a gateway beside it: the pages from their sources.
  server: { host: "127.0.0.1", proxy: { "/api": { target: gateway, ws: true, changeOrigin: true } } },
});
