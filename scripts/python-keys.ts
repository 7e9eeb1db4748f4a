// Writes docs/moving-in-keys.md, every key that the Python original writes with what it does here, from a config of the original and the
// table of docs/moving-in.md: `node scripts/python-keys.ts`. A test fails when they differ.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasEffect } from "../src/config/without-effect.ts";

const root = join(import.meta.dirname, "..");
export const pythonKeysPage = join(root, "docs/moving-in-keys.md");

/** Read in silence; everything else is a key of ours or one of the table. */
const retired: ReadonlyArray<[key: RegExp, reason: string]> = [
  [/^channels\.extractDocumentText$/, "has no effect here: documents are read when the model asks for them"],
  [
    /^channels\.transcription(Provider|Language)$/,
    "works, read as `transcription.provider` and `transcription.language`",
  ],
  [/^channels\.websocket\./, "has no effect here: pages and terminals use the port of the gateway"],
];

/** What the original takes, and leaves out of its file while it is not set. */
const unwritten = [
  "agents.defaults.sessionTtlMinutes",
  "agents.defaults.dream.cron",
  ..."model provider maxTokens contextWindowTokens temperature reasoningEffort"
    .split(" ")
    .map((key) => `modelPresets.<name>.${key}`),
];

export function renderPythonKeys(): string {
  const config: unknown = JSON.parse(
    readFileSync(join(root, "test/fixtures/python-home/config.json"), "utf8"),
  );
  const [, table = ""] = readFileSync(join(root, "docs/moving-in.md"), "utf8").split("do nothing yet");
  const reasons = new Map(
    Array.from(table.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm), ([, key = "", why = ""]) => [key, why]),
  );
  const keys = [...new Set([...listKeys(config, []), ...unwritten])];
  const rows = keys.map((key) => `| \`${key}\` | ${describe(key, reasons)} |`);
  return `# Keys of the Python nanobot

What each key of a config that the original (0.3.5) writes does here; [how to move in](moving-in.md). Written by \`scripts/python-keys.ts\`.

| key | here |
|---|---|
${rows.join("\n")}
`;
}

function listKeys(value: unknown, path: readonly string[]): string[] {
  const isSection = typeof value === "object" && value !== null && !Array.isArray(value);
  const entries = isSection ? Object.entries(value) : [];
  if (entries.length === 0) return [path.join(".")];
  const isNamed = ["providers", "tools.mcpServers", "modelPresets"].includes(path.join("."));
  return entries.flatMap(([key, inner]) => listKeys(inner, [...path, isNamed ? "<name>" : key]));
}

function describe(key: string, reasons: ReadonlyMap<string, string>): string {
  const known = retired.find(([pattern]) => pattern.test(key))?.[1];
  if (known !== undefined) return known;
  if (hasEffect(key)) return "works";
  const why = reasons.get(key) ?? reasons.get(`${key.slice(0, key.lastIndexOf("."))}.*`) ?? "";
  return why.startsWith("nothing") ? `has no effect here${why.slice("nothing".length)}` : `comes with ${why}`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(pythonKeysPage, renderPythonKeys());
