// Writes the tables of docs/configuration.md from the schema: `node scripts/config-docs.ts`. A test fails when they differ.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { configSchema } from "../src/config/schema.ts";
import { toNode, walkKeys } from "../src/config/schema-node.ts";

const mark = "<!-- Everything below is written by scripts/config-docs.ts -->";
export const configurationPage = join(import.meta.dirname, "../docs/configuration.md");

export function renderConfigurationPage(page: string): string {
  const [introduction = ""] = page.split(mark);
  const root = toNode(configSchema);
  const sections = root.kind === "section" ? Object.entries(root.keys) : [];
  return `${introduction}${mark}\n\n${sections.map(([name, schema]) => renderSection(name, schema)).join("\n")}`;
}

function renderSection(name: string, schema: z.ZodType): string {
  const rows = [...walkKeys(schema, [name])]
    .filter(({ node }) => node.kind !== "section" && node.kind !== "blocks")
    .map((key) => `| \`${key.path.join(".")}\` | ${showDefault(key.schema)} | ${describe(key.schema)} |`);
  const about = schema.description ?? "";
  return `## ${name}\n\n${about}.\n\n| key | default | meaning |\n|---|---|---|\n${rows.join("\n")}\n`;
}

function describe(schema: z.ZodType): string {
  const bounds = boundsOf(schema);
  return `${schema.description ?? ""}${bounds === "" ? "" : ` (${bounds})`}`;
}

function showDefault(schema: z.ZodType): string {
  const parsed = schema.safeParse(undefined);
  if (!parsed.success) return "needed";
  return parsed.data === undefined ? "–" : `\`${JSON.stringify(parsed.data)}\``;
}

function boundsOf(schema: z.ZodType): string {
  const {
    enum: choices,
    minimum,
    exclusiveMinimum,
    maximum,
    maxItems,
  } = z.toJSONSchema(schema, { io: "input" });
  if (choices !== undefined) return choices.map((choice) => `\`${choice}\``).join(", ");
  const least = minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER ? minimum : undefined;
  const most = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined;
  if (maxItems !== undefined) return `at most ${maxItems} entries`;
  if (exclusiveMinimum !== undefined) return `more than ${exclusiveMinimum}`;
  if (least !== undefined && most !== undefined) return `${least} to ${most}`;
  return least !== undefined ? `at least ${least}` : "";
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(configurationPage, renderConfigurationPage(readFileSync(configurationPage, "utf8")));
}
