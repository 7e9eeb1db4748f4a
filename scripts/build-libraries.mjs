// Libraries that the program loads when they are first used: each becomes a file in dist/vendor, so that a user installs
// none of them. Also the licences of all bundled packages.
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

/** Collects the libraries behind `import()` and points these imports at dist/vendor. `installed` stay as they are. */
export function createLibraryFiles(installed) {
  const libraries = new Set();
  const plugin = {
    name: "library-files",
    setup({ onResolve }) {
      onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind !== "dynamic-import" || path.startsWith("node:") || installed.includes(path)) return;
        libraries.add(path);
        return { path: `./vendor/${toFileName(path)}.js`, external: true };
      });
    },
  };
  return { plugin, libraries };
}

/** Answers esbuild's record of what is in the files. */
export async function buildLibraries({ root, folder, libraries, installed }) {
  const noLibrary = join(root, "scripts", "no-library.cjs");
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries([...libraries].map((name) => [toFileName(name), `entry:${name}`])),
    outdir: join(folder, "vendor"),
    bundle: true,
    splitting: true,
    platform: "node",
    mainFields: ["module", "main"],
    target: "node22",
    format: "esm",
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
    // CommonJS asks for Node's modules with `require`, which modules do not have.
    banner: {
      js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
    },
    // Optional parts of ws, unpdf and linkedom, which are used where a user has installed them.
    external: [...installed, "bufferutil", "utf-8-validate", "@napi-rs/canvas", "canvas"],
    // turndown is given elements and never parses; node-fetch prefers Node's own URL.
    alias: { "@mixmark-io/domino": noLibrary, "whatwg-url": noLibrary },
    plugins: [{ name: "entries", setup: (setup) => resolveEntries(root, setup) }],
  });
  // Where the library looks for the keys that Windows and macOS report in their own way.
  const native = "node_modules/@earendil-works/pi-tui/native";
  for (const platform of readdirSync(join(root, native))) {
    const prebuilds = join(platform, "prebuilds");
    if (existsSync(join(root, native, prebuilds)))
      cpSync(join(root, native, prebuilds), join(folder, "native", prebuilds), { recursive: true });
  }
  return metafile;
}

/** An entry names each export, because those of CommonJS are only known when it runs. */
function resolveEntries(root, { onResolve, onLoad }) {
  onResolve({ filter: /^entry:/ }, ({ path }) => ({ path: path.slice("entry:".length), namespace: "entry" }));
  onLoad({ filter: /./, namespace: "entry" }, async ({ path }) => {
    const names = Object.keys(await import(path)).filter((name) => /^[\w$]+$/.test(name));
    return { contents: `export { ${names.join(", ")} } from ${JSON.stringify(path)};`, resolveDir: root };
  });
}

function toFileName(library) {
  return library.replace("@", "").replaceAll("/", "-");
}

/** Those of the packages that these files are from, which ask for it. */
export function writeLicences(root, folder, files) {
  const packages = new Set(
    files.flatMap((path) => /node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  );
  const notices = [...packages].sort().map((path) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8"));
    const file = readdirSync(join(root, path)).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
    const text = file === undefined ? "" : readFileSync(join(root, path, file), "utf8").trim();
    return `${name} ${version} (${license})\n\n${text}`;
  });
  const line = `\n\n${"-".repeat(80)}\n\n`;
  writeFileSync(join(folder, "third-party-licences.txt"), `${notices.join(line)}\n`);
}
