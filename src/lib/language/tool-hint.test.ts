import { describe, expect, it } from "vitest";
import { toolHint } from "./tool-hint.ts";

describe("toolHint", () => {
  it.each([
    ["read_file", { path: "notes.md" }, "read notes.md"],
    ["write_file", { path: "a/b.txt", content: "x" }, "write a/b.txt"],
    ["edit_file", { path: "a.ts" }, "edit a.ts"],
    ["list_dir", {}, "ls ."],
    ["glob", { pattern: "*.ts" }, 'glob "*.ts"'],
    ["grep", { pattern: "TODO", path: "src" }, 'grep "TODO"'],
    ["exec", { command: "npm test" }, "$ npm test"],
    ["web_search", { query: "cats" }, 'search "cats"'],
    ["web_fetch", { url: "https://a.example" }, "fetch https://a.example"],
    ["mcp_github_create_issue", { title: "Bug" }, 'github::create_issue("Bug")'],
    ["remember", { fact: "likes tea" }, 'remember("likes tea")'],
    ["now", {}, "now()"],
    ["exec", { command: 42 }, "$ "],
  ])("%s %j", (name, args, hint) => {
    expect(toolHint(name, args, 40)).toBe(hint);
  });

  it("keeps the end of a long path and the beginning of a long command", () => {
    const path = "/home/someone/projects/nanobot/src/cli/tool-hint.ts";
    expect(toolHint("read_file", { path }, 30)).toBe("read …/nanobot/src/cli/tool-hint.ts");
    expect(toolHint("exec", { command: "a".repeat(100) }, 20)).toBe(`$ ${"a".repeat(19)}…`);
  });

  it("is one harmless line whatever the model wrote", () => {
    expect(toolHint("exec", { command: "ls\nrm \u001b[2K\u202ex" }, 40)).toBe("$ ls␊rm ␛[2K<U+202E>x");
  });
});
