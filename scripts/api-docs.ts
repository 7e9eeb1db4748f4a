// Writes the list of operations in docs/api.md from their table: `node scripts/api-docs.ts`. A test fails when they differ.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { operations } from "../src/api/index.ts";
import type { Operation } from "../src/api/operation.ts";

const mark = "<!-- Everything below is written by scripts/api-docs.ts -->";
export const apiPage = join(import.meta.dirname, "../docs/api.md");

export function renderApiPage(page: string): string {
  const [introduction = ""] = page.split(mark);
  const sorted = [...operations.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const topics = Map.groupBy(sorted, ({ name }) => name.replace(/\..*/, ""));
  const sections = [...topics].map(([topic, rows]) => renderTopic(topic, rows));
  return `${introduction}${mark}\n\n${sections.join("\n")}`;
}

function renderTopic(topic: string, rows: Operation[]): string {
  const lines = rows.map(
    ({ name, about, access, changes = [], params }) =>
      `| \`${name}\` | ${escapeCell(about)} | ${access} | ${changes.join(", ")} | ${renderParams(params)} |`,
  );
  return `## ${topic}\n\n| operation | what it does | access | changes | params |\n|---|---|---|---|---|\n${lines.join("\n")}\n`;
}

function renderParams(params: z.ZodType): string {
  const { properties = {}, required = [] } = z.toJSONSchema(params, { io: "input", unrepresentable: "any" });
  const names = Object.keys(properties).map((name) => `\`${name}${required.includes(name) ? "" : "?"}\``);
  return names.join(", ");
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|");
}

if (process.argv[1] === import.meta.filename)
  writeFileSync(apiPage, renderApiPage(readFileSync(apiPage, "utf8")));
