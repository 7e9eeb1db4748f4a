// The tool of docs/adding-a-tool.md at work: where a person would put it, called by a model, in the real program.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startFakeModel } from "../support/fake-model.ts";
import { configFor, createProgramHome, nanobot, type ProgramHome } from "../support/run-program.ts";
import { runProgram } from "../support/start-program.ts";
import { priceHistory } from "./price-history.ts";

const prices =
  "tea-200,2026-03-01,4.00\ntea-200,2026-05-31,4.20\ntea-200,2026-04-10,3.90\n茶-1,2026-05-01,9\n";

/** A home with the tool in it, as the page shows it. */
async function setUp(config?: unknown): Promise<ProgramHome> {
  const program = await createProgramHome(config);
  const source = await readFile(join(import.meta.dirname, "price-history.ts"), "utf8");
  await mkdir(join(program.home, "tools"));
  const own = source.replace('"../../src/index.ts"', '"nanobot"');
  await writeFile(join(program.home, "tools/price-history.ts"), own);
  await writeFile(join(program.home, "tools/prices.csv"), prices);
  return program;
}

/** What the model reads after it has called the tool. */
async function ask(args: Record<string, unknown>): Promise<{ result: unknown; offered: string[] }> {
  const model = await startFakeModel((_, index) =>
    index === 0 ? { toolCalls: [{ name: "price_history", arguments: args }] } : { text: "Done." },
  );
  const { env } = await setUp(configFor(model.url));
  await runProgram(nanobot("tools", "allow", "price-history", "--yes"), { env });
  const { code, stderr } = await runProgram(nanobot("agent", "-m", "What does tea cost?"), { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) });
  const [first, second] = model.requests;
  return {
    result: second?.messages.find(({ role }) => role === "tool")?.content,
    offered: first?.tools?.map((tool) => tool.function.name) ?? [],
  };
}

test("a model reads the newest prices of a product, behind the built-in tools", async () => {
  const { result, offered } = await ask({ id: "tea-200", from: "2026-04-01", limit: "1" });
  expect(result).toBe("2026-05-31 4.20\n(1 of 2 prices of tea-200)");
  expect(offered.at(-1)).toBe("price_history");
});

test("a product that is not there is answered with what to do next", async () => {
  expect((await ask({ id: "coffee" })).result).toBe(
    'There are no prices of "coffee". Ask the user for its id.',
  );
});

describe("what a model may ask for", () => {
  test.each([
    [{}, "missing required id"],
    [{ id: "tea-200", limit: 0 }, "limit: Too small"],
    [{ id: "tea-200", limit: 101 }, "limit: Too big"],
    [{ id: "tea-200", from: "yesterday" }, "from: Invalid ISO date"],
    [{ id: "tea-200", to: "2026-02-30" }, "to: Invalid ISO date"],
  ])("%j is refused: %s", (args, problem) => {
    const parsed = priceHistory.parameters.parse(args);
    expect(parsed).toEqual({ ok: false, problems: [expect.stringContaining(problem)] });
  });

  test("what is left out has a bound", () => {
    expect(priceHistory.parameters.parse({ id: "茶-1" })).toEqual({
      ok: true,
      unknown: [],
      value: { id: "茶-1", limit: 10 },
    });
  });
});
