// npm run bench: lists the benchmarks. npm run bench -- <name> [arguments]: runs one. A benchmark is a file of this
// folder that exports `bench(argv)` and prints its figures with report.ts; its first line says what it measures.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Benchmark {
  bench(argv: string[]): Promise<void>;
}

function listBenchmarks(): string[] {
  return readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith(".ts") && /^export async function bench\(/m.test(read(file)))
    .map((file) => file.slice(0, -".ts".length));
}

function read(file: string): string {
  return readFileSync(join(import.meta.dirname, file), "utf8");
}

function describe(name: string): string {
  const [first = ""] = read(`${name}.ts`).split("\n", 1);
  return `${name.padEnd(10)} ${first.replace(/^\/\/\s*/, "")}`;
}

const [name, ...argv] = process.argv.slice(2);
const names = listBenchmarks();
if (name === undefined) {
  for (const known of names) console.log(describe(known));
} else if (!names.includes(name)) {
  console.error(`There is no benchmark "${name}". Known: ${names.join(", ")}.`);
  process.exitCode = 2;
} else {
  // npm runs scripts in the package's folder; what is typed counts from where it was typed.
  process.chdir(process.env.INIT_CWD ?? ".");
  const { bench } = (await import(`./${name}.ts`)) as Benchmark;
  await bench(argv);
}
