// npm run check: format and lint (biome), types (tsc), direction and size. `--fix` lets biome repair what it can.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { findDirectionProblems } from "./direction.ts";
import { countTotals, findSizeProblems } from "./size.ts";
import { readSources } from "./sources.ts";

const root = join(import.meta.dirname, "..");

interface Outcome {
  name: string;
  problems: string;
}

async function runTool(name: string, argv: string[]): Promise<Outcome> {
  const child = spawn(join(root, "node_modules/.bin", argv[0] ?? ""), argv.slice(1), { cwd: root });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.on("close", resolve).on("error", reject),
  );
  return { name, problems: code === 0 ? "" : output };
}

const fix = process.argv.includes("--fix") ? ["--write"] : [];
const sources = readSources(root);
const outcomes = await Promise.all([
  runTool("format and lint", ["biome", "check", "--error-on-warnings", ...fix, "."]),
  runTool("types", ["tsc", "--pretty", "false"]),
  { name: "direction", problems: findDirectionProblems(sources).join("\n") },
  { name: "size", problems: findSizeProblems(sources).join("\n") },
]);

for (const { name, problems } of outcomes) {
  console.log(`${problems === "" ? "ok  " : "FAIL"} ${name}`);
  if (problems !== "") console.log(problems.trimEnd().replaceAll(/^/gm, "     "));
}
const { heart, rim, web } = countTotals(sources);
console.log(`lines: heart ${heart}, rim ${rim}, web ${web}`);
process.exitCode = outcomes.some(({ problems }) => problems !== "") ? 1 : 0;
