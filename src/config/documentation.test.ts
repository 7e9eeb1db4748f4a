import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configurationPage, renderConfigurationPage } from "../../scripts/config-docs.ts";
import { packagePath } from "../lib/package-root.ts";
import { configSchema } from "./schema.ts";
import { walkKeys } from "./schema-node.ts";

/** Keys that the program acts on. Every other one is in the table at the end of docs/moving-in.md. */
const actedOn = [
  ...["model", "provider", "maxTokens", "contextWindowTokens", "temperature", "reasoningEffort"].flatMap(
    (key) => [`agents.defaults.${key}`, `modelPresets.<name>.${key}`],
  ),
  "agents.defaults.modelPreset",
  "agents.defaults.fallbackModels",
  "agents.defaults.providerRetryMode",
  "agents.defaults.workspace",
  "agents.defaults.bootstrapFiles",
  "agents.defaults.maxToolIterations",
  "agents.defaults.maxConcurrentTurns",
  "agents.defaults.maxConcurrentSubagents",
  "agents.defaults.timezone",
  "agents.defaults.timezoneMode",
  "agents.defaults.epochIdleMinutes",
  "agents.defaults.dream.enabled",
  "agents.defaults.dream.modelOverride",
  "agents.defaults.dream.intervalH",
  "agents.defaults.dream.cron",
  ...["displayName", "apiKey", "apiBase", "extraHeaders", "extraBody", "extraQuery"].map(
    (key) => `providers.<name>.${key}`,
  ),
  "providers.<name>.proxy",
  "providers.<name>.thinkingStyle",
  "providers.<name>.script",
  "agents.defaults.maxToolResultChars",
  "agents.defaults.toolHintMaxLength",
  "tools.restrictToWorkspace",
  ...[
    "type",
    "auth",
    "command",
    "args",
    "env",
    "cwd",
    "url",
    "headers",
    "toolTimeout",
    "enabledTools",
    "disabled",
  ].map((key) => `tools.mcpServers.<name>.${key}`),
  "api.apiKey",
  "api.timeout",
  ...["host", "port", "publicUrl", "restartMode"].map((key) => `gateway.${key}`),
  ...["sendProgress", "sendToolHints", "sendMaxRetries", "collectMs"].map((key) => `channels.${key}`),
  ...["enabled", "provider", "model", "language", "maxDurationSec", "maxUploadMb"].map(
    (key) => `transcription.${key}`,
  ),
  ...[
    "turn",
    "day",
    "month",
    "causes.<name>.day",
    "causes.<name>.month",
    "people.<name>.day",
    "people.<name>.month",
  ].flatMap((limit) => [`budget.${limit}.tokens`, `budget.${limit}.money`]),
  "budget.warnAt",
  ...["enabled", "intervalS", "keepRecentMessages", "target"].map((key) => `gateway.heartbeat.${key}`),
  "tools.approval",
  "tools.file.enable",
  "tools.ssrfWhitelist",
  ...["enable", "proxy", "userAgent"].map((key) => `tools.web.${key}`),
  ...["provider", "apiKey", "baseUrl", "maxResults", "timeout"].map((key) => `tools.web.search.${key}`),
  ...["enable", "timeout", "pathPrepend", "pathAppend", "allowedEnvKeys"].map((key) => `tools.exec.${key}`),
  ...["sandbox", "sandboxRoBinds", "sandboxRwBinds"].map((key) => `tools.exec.${key}`),
  ...["allow", "deny", "allowPatterns", "denyPatterns"].map((key) => `tools.exec.${key}`),
];

const keys = [...walkKeys(configSchema)]
  .filter(({ node }) => node.kind !== "section" && node.kind !== "blocks")
  .map(({ path }) => path.join("."));

function readTable(): string[] {
  const [, table = ""] = readFileSync(packagePath("docs/moving-in.md"), "utf8").split("do nothing yet");
  return [...table.matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1] ?? "");
}

function covers(row: string, key: string): boolean {
  return row.endsWith(".*") ? key.startsWith(row.slice(0, -1)) : key === row;
}

/** All code but the slices, which only name the keys. */
function readCode(): string {
  const files = readdirSync(packagePath("src"), { recursive: true, encoding: "utf8" });
  const code = files.filter((file) => file.endsWith(".ts") && !/(\.test|[\\/]config)\.ts$/.test(file));
  return code.map((file) => readFileSync(join(packagePath("src"), file), "utf8")).join("\n");
}

test("docs/configuration.md tells every key as the schema has it (node scripts/config-docs.ts)", () => {
  const page = readFileSync(configurationPage, "utf8");
  expect(page).toBe(renderConfigurationPage(page));
});

test("every key is either acted on or said to do nothing yet, in docs/moving-in.md", () => {
  const table = readTable();
  const placed = keys.map((key) => [key, actedOn.includes(key) !== table.some((row) => covers(row, key))]);
  expect(placed.filter(([, isPlaced]) => !isPlaced)).toEqual([]);
});

test("no list names a key that does not exist", () => {
  const rows = [...actedOn, ...readTable()];
  expect(rows.filter((row) => !keys.some((key) => covers(row, key)))).toEqual([]);
});

test("a key that is said to be acted on is used somewhere", () => {
  const code = readCode();
  const unused = actedOn.filter((key) => !new RegExp(`\\b${key.split(".").at(-1)}\\b`).test(code));
  expect(unused).toEqual([]);
});
