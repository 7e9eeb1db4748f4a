import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configurationPage, renderConfigurationPage } from "../../scripts/config-docs.ts";
import { pythonKeysPage, renderPythonKeys } from "../../scripts/python-keys.ts";
import { packagePath } from "../lib/package-root.ts";
import { configSchema } from "./schema.ts";
import { walkKeys } from "./schema-node.ts";
import { hasEffect, withoutEffect } from "./without-effect.ts";

const keys = [...walkKeys(configSchema)]
  .filter(({ node }) => node.kind !== "section" && node.kind !== "blocks")
  .map(({ path }) => path.join("."));

function readTable(): string[] {
  const [, table = ""] = readFileSync(packagePath("docs/moving-in.md"), "utf8").split("do nothing yet");
  return [...table.matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1] ?? "");
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

test("docs/moving-in.md names the keys without effect, which all exist", () => {
  expect(readTable()).toEqual(withoutEffect);
  const isKnown = (row: string) => keys.some((key) => key === row || key.startsWith(row.replace(/\*$/, "")));
  expect(withoutEffect.filter((row) => !isKnown(row))).toEqual([]);
});

test("docs/moving-in-keys.md tells what each key of the original does here (node scripts/python-keys.ts)", () => {
  const page = readFileSync(pythonKeysPage, "utf8");
  expect(page).toBe(renderPythonKeys());
  expect(page).not.toMatch(/comes with \|/);
});

test("every other key is used somewhere", () => {
  const code = readCode();
  const unused = keys
    .filter(hasEffect)
    .filter((key) => !new RegExp(`\\b${key.split(".").at(-1)}\\b`).test(code));
  expect(unused).toEqual([]);
});
