import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AnswerTooLong } from "./chunk.ts";
import { createToolCallDrafts } from "./tool-calls.ts";

type Delta = Array<Record<string, unknown>>;

async function settle(...deltas: Delta[]) {
  const drafts = createToolCallDrafts();
  for (const delta of deltas) drafts.push(delta);
  const { calls, malformed } = await drafts.settle();
  return { malformed, calls: calls.map(({ id, function: { name, arguments: json } }) => [id, name, json]) };
}

function fragment(index: number | undefined, id: string, name: string, json: string) {
  return { index, id, function: { name, arguments: json } };
}

describe("fragments of tool calls", () => {
  it("with the same index but another id and a name are another call, even without arguments", async () => {
    const { calls } = await settle([fragment(0, "a", "get_time", "")], [fragment(0, "b", "get_time", "")]);
    expect(calls).toEqual([
      ["a", "get_time", "{}"],
      ["b", "get_time", "{}"],
    ]);
  });

  it("of one delta are never of one call, even when nothing tells them apart", async () => {
    const { calls } = await settle([
      fragment(undefined, "", "get_time", ""),
      fragment(undefined, "", "get_time", ""),
    ]);
    expect(calls).toEqual([
      ["call_0", "get_time", "{}"],
      ["call_1", "get_time", "{}"],
    ]);
  });

  it("that only repeat the name after the arguments are whole begin no further call", async () => {
    const { calls } = await settle(
      [fragment(0, "a", "read_file", '{"path":"a"}')],
      [fragment(0, "a", "read_file", "")],
      [fragment(0, "a", "read_file", " \n")],
    );
    expect(calls).toEqual([["a", "read_file", '{"path":"a"} \n']]);
  });

  it("without an index belong to the call of their id, else to the last one", async () => {
    const { calls } = await settle(
      [fragment(undefined, "a", "read_file", '{"path":')],
      [fragment(undefined, "b", "get_time", "")],
      [fragment(undefined, "a", "", '"a"}')],
      [fragment(undefined, "", "", "{}")],
    );
    expect(calls).toEqual([
      ["a", "read_file", '{"path":"a"}'],
      ["b", "get_time", "{}"],
    ]);
  });

  it("get an id of their own when theirs is taken, whatever the others are called", async () => {
    const { calls } = await settle([
      fragment(0, "a_2", "exec", "{}"),
      fragment(1, "a", "exec", "{}"),
      fragment(2, "a", "exec", "{}"),
      fragment(3, "", "exec", "{}"),
    ]);
    expect(new Set(calls.map(([id]) => id)).size).toBe(4);
  });

  it("of too many calls are refused", () => {
    const drafts = createToolCallDrafts();
    const many = Array.from({ length: 300 }, (_, index) => fragment(index, "", "exec", "{}"));
    expect(() => drafts.push(many)).toThrow(AnswerTooLong);
  });

  it("give the same calls however well-behaved arguments are cut", async () => {
    const call = fc.record({ path: fc.string(), cuts: fc.array(fc.nat({ max: 60 }), { maxLength: 5 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(call, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        async (wanted, repeats) => {
          const deltas = wanted.flatMap(({ path, cuts }, index) => {
            const json = JSON.stringify({ path });
            const at = [0, ...cuts.filter((cut) => cut < json.length).sort((a, b) => a - b), json.length];
            return at.slice(1).map((end, place): Delta => {
              const name = repeats || place === 0 ? "read_file" : "";
              return [fragment(index, place === 0 ? `id_${index}` : "", name, json.slice(at[place], end))];
            });
          });
          const { calls } = await settle(...deltas);
          expect(calls).toEqual(
            wanted.map(({ path }, index) => [`id_${index}`, "read_file", JSON.stringify({ path })]),
          );
        },
      ),
    );
  });
});
