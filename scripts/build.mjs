// Bundles the program into dist/: one file for the terminal, one for embedders, one for the thread of the search.
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
rmSync(new URL("../dist", import.meta.url), { recursive: true, force: true });

await build({
  absWorkingDir: root,
  entryPoints: {
    main: "src/cli/main.ts",
    index: "src/index.ts",
    // Worker threads are files of their own; lib/package-root.ts finds them.
    "recall-worker": "src/memory/recall-worker.ts",
  },
  outdir: "dist",
  bundle: true,
  // One file an entry: what is imported dynamically is still evaluated only when it is used, and opening eighty chunks
  // cost a one-shot start more than reading one larger file from the compile cache.
  splitting: false,
  format: "esm",
  platform: "node",
  target: "node22",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "linked",
  logLevel: "warning",
  // They locate files beside themselves, or are CommonJS that asks for Node's modules at run time.
  external: ["@vscode/ripgrep", "sharp", "undici", "yaml"],
});
