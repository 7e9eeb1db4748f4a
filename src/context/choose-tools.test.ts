import { expect, it } from "vitest";
import { chooseTools } from "./fit-prompt.ts";

const tools = ["edit_file", "exec", "glob", "grep", "list_dir", "mcp_x", "read_file", "write_file"].map(
  (name) => ({ name, description: "word ".repeat(60), parameters: {} }),
);
const namesFor = (contextWindow: number, correction = 1) =>
  chooseTools(tools, { contextWindow, maxTokens: contextWindow / 4, correction }).map(({ name }) => name);

it("a window under eight thousand tokens gets only the essential tools", () => {
  expect(namesFor(8_191)).toEqual(["exec", "list_dir", "read_file", "write_file"]);
  expect(chooseTools(tools, { contextWindow: 8_192, maxTokens: 1 })).toBe(tools);
});

it("tools never fill the window, and the essential ones come first", () => {
  expect(namesFor(1_024)).toEqual(["exec", "list_dir", "read_file"]);
  expect(namesFor(256)).toEqual([]);
  const many = Array.from({ length: 100 }, (_, n) => ({ ...tools[0], name: `mcp_${n}` })) as typeof tools;
  const chosen = chooseTools([...many, ...tools], { contextWindow: 16_384, maxTokens: 2_048 });
  expect(chosen.map(({ name }) => name)).toContain("read_file");
  expect(chosen.length).toBeLessThan(90);
});

it("the same choice is the same object, also while the count of a host wavers", () => {
  const choose = (correction: number) =>
    chooseTools(tools, { contextWindow: 4_096, maxTokens: 1_024, correction });
  expect(choose(1.11)).toBe(choose(1.19));
});
