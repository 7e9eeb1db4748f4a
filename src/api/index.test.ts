import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { apiPage, renderApiPage } from "../../scripts/api-docs.ts";
import { operations } from "./index.ts";

test("docs/api.md lists every operation as the table has it (node scripts/api-docs.ts)", () => {
  const page = readFileSync(apiPage, "utf8");
  expect(page).toBe(renderApiPage(page));
});

test("every operation names its topic and says what it does in a sentence", () => {
  for (const { name, about } of operations.values()) {
    expect(name).toMatch(/^([a-z-]+\.[a-z-]+|ping)$/);
    expect(about).toMatch(/^[A-Z].*\.$/s);
  }
});
