// Estimate: how far our estimates of tokens are from a tokenizer's count, by kind of text, alone and corrected; their time.
// Corrected: a conversation that grows piece by piece, each request estimated with the factor that the one before gave.
// An older tokenizer (cl100k) is used for the hosts that count otherwise.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer";
import { countTokens as countOtherwise } from "gpt-tokenizer/encoding/cl100k_base";
import { toCorrection } from "../src/context/fit-prompt.ts";
import { packagePath, packageRoot } from "../src/lib/package-root.ts";
import { estimateTokens } from "../src/lib/tokens.ts";
import { printFigure } from "./report.ts";

const usualFile = packagePath("../shared/data/locomo-dev.json");
const pieceLength = 400;
const everything = { disallowedSpecial: new Set<string>() };
const timedLength = 2_000_000;

type Count = (text: string) => number;

export async function bench([file = usualFile]: string[]): Promise<void> {
  const conversation = readConversation(file);
  if (conversation === undefined) console.error(`There is no ${file}: conversations are left out.`);
  const kinds: Array<[name: string, text: string]> = [
    ...(conversation === undefined ? [] : [["conversation", conversation] as [string, string]]),
    ["prose", readAll("{templates/**,skills/*,docs/**}/*.md")],
    ["code", readAll("src/**/*.ts")],
    ["json", readAll("bench/samples/results.jsonl")],
    ["chinese", readAll("bench/samples/chinese.md")],
    ["mixed", readAll("bench/samples/mixed.md")],
  ];
  for (const [name, text] of kinds) measure(name, text);
}

function measure(name: string, text: string): void {
  measureErrors(name, text, count);
  measureErrors(`${name}-cl100k`, text, (piece) => countOtherwise(piece, everything));
  const timed = text.repeat(Math.ceil(timedLength / text.length)).slice(0, timedLength);
  const baseline = time(timed, count);
  printFigure({ name: `${name}-time`, value: time(timed, estimateTokens), unit: "ms/MB", baseline });
}

function measureErrors(name: string, text: string, tokenize: Count): void {
  const error = estimateTokens(text) / tokenize(text) - 1;
  printFigure({ name: `${name}-error`, value: 100 * error, unit: "%" });
  printFigure({ name: `${name}-corrected-error`, value: 100 * measureCorrected(text, tokenize), unit: "%" });
}

/** The mean distance over all requests but the first, which has nothing to be corrected by. */
function measureCorrected(text: string, tokenize: Count): number {
  const errors: number[] = [];
  let [tokens, estimate] = [0, 0];
  for (let start = 0; start < text.length; start += pieceLength) {
    const piece = text.slice(start, start + pieceLength);
    const correction = toCorrection({ model: "bench", tokens, estimate }, "bench");
    tokens += tokenize(piece);
    estimate += estimateTokens(piece);
    if (start > 0) errors.push(Math.abs((estimate * correction) / tokens - 1));
  }
  return errors.reduce((sum, error) => sum + error, 0) / errors.length;
}

function time(text: string, work: Count): number {
  const times = Array.from({ length: 3 }, () => {
    const start = performance.now();
    work(text);
    return performance.now() - start;
  });
  return Math.min(...times) / (text.length / 1e6);
}

function count(text: string): number {
  return countTokens(text, everything);
}

function readAll(pattern: string): string {
  const files = globSync(pattern, { cwd: packageRoot }).sort();
  return files.map((file) => readFileSync(join(packageRoot, file), "utf8")).join("\n");
}

/** What was said in a file of LoCoMo's shape. */
function readConversation(file: string): string | undefined {
  try {
    const samples = JSON.parse(readFileSync(file, "utf8")) as Array<{
      conversation: Record<string, unknown>;
    }>;
    const turns = samples.flatMap(({ conversation }) =>
      Object.values(conversation).filter(Array.isArray).flat(),
    );
    return turns.map(({ speaker, text }) => `${speaker}: ${text}`).join("\n");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
