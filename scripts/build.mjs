// Bundles the program into dist/: one file for the terminal, one for embedders, one for own tools, one for each thread, and
// the types of what embedders import; and the pages of the browser into dist/web.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build } from "esbuild";
import { createBuildFolder, finishBuild, readStamp } from "./build-folder.mjs";
import { buildLibraries, createLibraryFiles, writeLicences } from "./build-libraries.mjs";

const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
);
// zod is bundled as well: a dependency only because the types of the library name it.
const installed = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).filter(
  (name) => name !== "zod",
);
const { plugin: libraryFiles, libraries } = createLibraryFiles(installed);

// To import node:http as a module reads each of its exports, and one of them loads the whole of `fetch`: a tenth of a
// start.
const plainHttp = {
  name: "plain-http",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:https?$/ }, ({ path }) => ({ path, namespace: "plain-http" }));
    onLoad({ filter: /./, namespace: "plain-http" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

const root = fileURLToPath(new URL("..", import.meta.url));

// For tests: see test/support/keys-catalogue.ts.
const keysForSentences = {
  name: "keys-for-sentences",
  setup({ onLoad }) {
    if (process.env.CATALOGUE !== "keys") return;
    onLoad({ filter: /src\/i18n\/en\/index\.ts$/ }, ({ path }) => ({
      loader: "ts",
      contents: [
        readFileSync(path, "utf8"),
        `import { putKeys } from ${JSON.stringify(join(root, "test/support/keys-catalogue.ts"))};`,
        "putKeys(english);",
      ].join("\n"),
    }));
  },
};

const chineseWhenSpoken = {
  name: "chinese-when-spoken",
  setup({ onLoad }) {
    onLoad({ filter: /src\/i18n\/words\.ts$/ }, ({ path }) => {
      const [above, below] = ['import { chinese } from "./zh/index.ts";', "return chinese;"];
      const source = readFileSync(path, "utf8");
      if (!source.includes(above) || !source.includes(below)) throw new Error(`${path} has another form`);
      const contents = source.replace(above, "").replace(below, 'return require("./zh/index.ts").chinese;');
      return { loader: "ts", contents };
    });
  },
};

// The engine keeps a file as two bytes for each character as soon as one of them needs it. esbuild escapes all but patterns
// (`/…/`, String.raw), where an escape means the same.
const onlyAscii = {
  name: "only-ascii",
  setup({ initialOptions, onEnd }) {
    initialOptions.write = false;
    onEnd(({ outputFiles = [] }) => {
      for (const { path, text } of outputFiles)
        writeFileSync(path, text.replace(/[\u0080-\uffff]/g, toEscape));
    });
  },
};

function toEscape(sign) {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

const stamp = readStamp(root);
const folder = createBuildFolder(root);

const shared = {
  absWorkingDir: root,
  outdir: folder,
  bundle: true,
  platform: "node",
  target: "node22",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "linked",
  logLevel: "warning",
  metafile: true,
  plugins: [plainHttp, libraryFiles, keysForSentences, chineseWhenSpoken, onlyAscii],
  external: installed,
};

// A function in place of a module, for the launcher: a module's compiled code is kept without that of the functions inside it,
// and it loads all that it might import. One file, because opening eighty took longer. With short names, which every process
// holds: a third of the file. `npm run dev` shows the long ones in a stack.
const { metafile: program } = await build({
  ...shared,
  minifyIdentifiers: true,
  entryPoints: { main: "src/cli/main.ts" },
  format: "cjs",
  outExtension: { ".js": ".cjs" },
  define: { "import.meta.url": "__address" },
  banner: { js: "(function(exports,require,module,__address){" },
  footer: { js: "})" },
});

const { metafile: others } = await build({
  ...shared,
  entryPoints: {
    index: "src/index.ts",
    // Worker threads are files of their own; lib/package-root.ts finds them.
    "recall-worker": "src/recall/recall-worker.ts",
    "document-worker": "src/tools/documents/document-worker.ts",
    // Runs in the sandbox of a command that was granted hosts.
    "network-bridge": "src/guards/sandbox/network-bridge.ts",
    // What custom tools and channels import as "nanobot".
    "tool-kit": "src/tools/tool-kit.ts",
  },
  splitting: false,
  format: "esm",
});

const vendor = await buildLibraries({ root, folder, libraries, installed });
const sources = [program, others, vendor].flatMap(({ inputs }) => Object.keys(inputs));

buildTypes();

// The pages of the browser, where their tools are installed.
// Whatever it runs under, such as tests: React's own checks are for its developers.
process.env.NODE_ENV = "production";
const vite = await import("vite").catch(({ code, message }) => {
  if (code !== "ERR_MODULE_NOT_FOUND") throw new Error(message);
});
if (vite === undefined) console.log("nanobot: vite is not installed, the web UI was not built.");
else {
  const outDir = join(folder, "web");
  const built = await vite.build({
    configFile: join(root, "web", "vite.config.ts"),
    logLevel: "warn",
    build: { outDir },
  });
  const chunks = [built].flat().flatMap(({ output }) => output);
  sources.push(...chunks.flatMap(({ modules = {} }) => Object.keys(modules)));
  precompress(outDir);
}
writeLicences(root, folder, sources);
finishBuild(root, folder, stamp);

/** Once here instead of with every visit. */
function precompress(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!/\.(js|css|html|svg|webmanifest)$/.test(name)) continue;
    const bytes = readFileSync(join(folder, name));
    if (bytes.length < 1_024) continue;
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes));
  }
}

/** What programs that embed it are checked against, and no more. Whether the types are right is the check's business. */
function buildTypes() {
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const compile = (...args) => execFileSync(process.execPath, [compiler, ...args], { encoding: "utf8" });
  const types = join(folder, "types");
  compile("--project", join(root, "tsconfig.types.json"), "--outDir", types);
  const entry = join(types, "index.d.ts");
  const reached = new Set(
    compile("--ignoreConfig", "--module", "nodenext", "--listFilesOnly", entry).split("\n"),
  );
  for (const name of readdirSync(types, { recursive: true })) {
    const path = join(types, name);
    if (name.endsWith(".ts") && !reached.has(path)) rmSync(path);
  }
}
