import fc from "fast-check";
import { expect, it, test } from "vitest";
import { assignNames, isEnabled, type Named, wrapName } from "./server-list.ts";

const tool = (server: string, name: string): Named => ({ server, kind: "tool", name });

test.each([
  [tool("github", "create_issue"), "mcp_github_create_issue"],
  [tool("my server", "a.b/c"), "mcp_my_server_a_b_c"],
  [tool("s", "a___b"), "mcp_s_a_b"],
  [tool("s", "查询"), "mcp_s_"],
  [{ server: "s", kind: "resource", name: "notes" } as const, "mcp_s_resource_notes"],
  [{ server: "s", kind: "prompt", name: "greet" } as const, "mcp_s_prompt_greet"],
])("%j is called %s", (entry, expected) => {
  expect(wrapName(entry)).toBe(expected);
});

it("marks what is too long by a hash, and never cuts two to the same name", () => {
  const long = (end: string) => wrapName(tool("server", "x".repeat(100) + end));
  expect(long("a")).toMatch(/^mcp_server_x{44}_[0-9a-f]{8}$/);
  expect(long("a")).not.toBe(long("b"));
});

it("marks all that would share a name, so that no name ever changes its meaning", () => {
  const [one, other] = [tool("a", "b_c"), tool("a_b", "c")];
  const alone = [...assignNames([one]).keys()];
  const both = [...assignNames([one, other]).keys()];
  expect(alone).toEqual(["mcp_a_b_c"]);
  expect(both).toHaveLength(2);
  expect(both).not.toContain("mcp_a_b_c");
  expect(both).toEqual([...assignNames([other, one]).keys()]);
});

it("gives every entry one legal name, in an order that does not depend on theirs", () => {
  const kind = fc.constantFrom("tool", "resource", "prompt");
  const entry = fc.record({ server: fc.string(), kind, name: fc.string() });
  const entries = fc.uniqueArray(entry, {
    selector: ({ server, kind, name }) => JSON.stringify([server, kind, name]),
  });
  fc.assert(
    fc.property(entries, (list) => {
      const named = assignNames(list);
      expect(named.size).toBe(list.length);
      for (const name of named.keys()) expect(name).toMatch(/^mcp_[A-Za-z0-9_-]{0,60}$/);
      expect([...assignNames(list.toReversed()).keys()]).toEqual([...named.keys()]);
    }),
  );
});

it("enables by either name; resources and prompts need a star", () => {
  const prompt: Named = { server: "s", kind: "prompt", name: "greet" };
  expect(isEnabled(tool("s", "a.b"), ["a.b"])).toBe(true);
  expect(isEnabled(tool("s", "a.b"), ["mcp_s_a_b"])).toBe(true);
  expect(isEnabled(tool("s", "a.b"), ["other"])).toBe(false);
  expect(isEnabled(tool("s", "a.b"), [])).toBe(false);
  expect(isEnabled(prompt, ["greet", "mcp_s_prompt_greet"])).toBe(false);
  expect(isEnabled(prompt, ["*"])).toBe(true);
});
