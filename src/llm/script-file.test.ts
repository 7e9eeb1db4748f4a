import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { collectEvents, replyOf, textOf } from "../../test/support/model-request.ts";
import { createScripted, parseScript, readScript } from "./scripted.ts";

it("reads a list of steps, and the same with settings around it", async () => {
  expect(parseScript('["a", {"text": "b"}]')).toEqual({
    ok: true,
    script: { steps: [{ text: "a" }, { text: "b" }] },
  });
  expect(parseScript('\ufeff{"steps": ["a"], "loop": true}')).toEqual({
    ok: true,
    script: { steps: [{ text: "a" }], loop: true },
  });
});

it("tells every problem of a script with its path", () => {
  const parsed = parseScript(
    JSON.stringify([
      { txt: "a typo" },
      { toolCalls: [{ arguments: 5 }] },
      { error: { kind: "no such kind" } },
      { delayMs: -1 },
      7,
    ]),
  );

  expect(parsed.ok).toBe(false);
  const text = parsed.ok ? "" : parsed.problems.join("\n");
  for (const expected of [
    /^\[0\]: .*txt/m,
    /^\[1\]\.toolCalls\[0\]\.name: /m,
    /^\[1\]\.toolCalls\[0\]\.arguments: expected an object or a string/m,
    /^\[2\]\.error\.kind: /m,
    /^\[3\]\.delayMs: /m,
    /^\[4\]: /m,
  ]) {
    expect(text).toMatch(expected);
  }
});

it("names what is wrong at the root", () => {
  expect(parseScript("{")).toMatchObject({ ok: false, problems: [expect.stringContaining("not JSON")] });
  expect(parseScript("{}")).toMatchObject({ ok: false, problems: [expect.stringMatching(/^steps: /)] });
});

const likelyScript = fc
  .array(
    fc.oneof(
      fc.string(),
      fc.record(
        {
          text: fc.string(),
          deltas: fc.array(fc.string()),
          toolCalls: fc.array(fc.record({ name: fc.string() })),
        },
        { requiredKeys: [] },
      ),
    ),
  )
  .map((steps) => JSON.stringify(steps));

it("never throws on any JSON value, and what it accepts can be played", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.json(), likelyScript), async (text) => {
      const parsed = parseScript(text);
      if (parsed.ok) replyOf(await collectEvents(createScripted(parsed.script)));
      else expect(parsed.problems).not.toHaveLength(0);
    }),
  );
});

it("plays a script from a file, and tells when there is none", async () => {
  const folder = await mkdtemp(join(tmpdir(), "nanobot-script-"));
  try {
    await writeFile(join(folder, "script.json"), '["from a file"]');
    const parsed = await readScript(join(folder, "script.json"));
    if (!parsed.ok) throw new Error(parsed.problems.join());

    expect(textOf(await collectEvents(createScripted(parsed.script)))).toBe("from a file");
    expect(await readScript(join(folder, "none.json"))).toEqual({
      ok: false,
      problems: ["cannot be read (ENOENT)"],
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
