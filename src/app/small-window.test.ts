import { expect, it } from "vitest";
import { chooseTools } from "./small-window.ts";

const tools = ["edit_file", "exec", "glob", "grep", "list_dir", "mcp_x", "read_file", "write_file"].map(
  (name) => ({
    name,
    description: "",
    parameters: {},
  }),
);

it("a window under eight thousand tokens gets only the essential tools", () => {
  expect(chooseTools(tools, 8_191).map(({ name }) => name)).toEqual([
    "exec",
    "list_dir",
    "read_file",
    "write_file",
  ]);
  expect(chooseTools(tools, 8_192)).toBe(tools);
});
