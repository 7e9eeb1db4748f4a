// npm run check: format and lint (biome), types (tsc), direction, size and unused exports. `--fix` lets biome repair what it
// can.
// Another tree can be named as argument; the tools are always those of this one.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { findDirectionProblems } from "./direction.ts";
import { describeTotals, findGuideProblems, findSizeProblems } from "./size.ts";
import { readSources } from "./sources.ts";
import { findUnusedExports } from "./unused.ts";

const tools = join(import.meta.dirname, "../node_modules/.bin");
const { values, positionals } = parseArgs({ options: { fix: { type: "boolean" } }, allowPositionals: true });
const root = resolve(positionals[0] ?? join(import.meta.dirname, ".."));

interface Outcome {
  name: string;
  problems: string;
}

async function runTool(name: string, tool: string, argv: string[]): Promise<Outcome> {
  const child = spawn(join(tools, tool), argv, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.on("close", resolve).on("error", reject),
  );
  return { name, problems: code === 0 ? "" : output || `${tool} ended with ${code}` };
}

function readGuide(): string {
  const path = join(root, "AGENTS.md");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** Incremental: a second run looks only at what changed. The tree that is checked keeps what is known of it. */
function checkTypes(name: string, project: string): Promise<Outcome> {
  const known = join(root, "node_modules/.cache/tsc", `${project === "." ? "root" : project}.tsbuildinfo`);
  const incremental = ["--incremental", "--tsBuildInfoFile", known];
  return runTool(name, "tsc", ["--pretty", "false", "--project", project, ...incremental]);
}

const fix = values.fix ? ["--write"] : [];
const sources = readSources(root);
const size = [...findSizeProblems(sources), ...findGuideProblems(readGuide())];
const outcomes = await Promise.all([
  runTool("format and lint", "biome", ["check", "--error-on-warnings", "--max-diagnostics=200", ...fix, "."]),
  checkTypes("types", "."),
  ...(existsSync(join(root, "web/tsconfig.json")) ? [checkTypes("types of the web", "web")] : []),
  { name: "direction", problems: findDirectionProblems(sources).join("\n") },
  { name: "size", problems: size.join("\n") },
  { name: "unused exports", problems: findUnusedExports(sources).join("\n") },
]);

for (const { name, problems } of outcomes) {
  console.log(`${problems === "" ? "ok  " : "FAIL"} ${name}`);
  if (problems !== "") console.log(problems.trimEnd().replaceAll(/^/gm, "     "));
}
console.log(describeTotals(sources));
process.exitCode = outcomes.some(({ problems }) => problems !== "") ? 1 : 0;
