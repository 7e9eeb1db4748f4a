// A change of what later conversations begin with is shown to the person, with its difference and the way back.
import { afterEach, expect, it } from "vitest";
import { toParts } from "../src/agent/delivery.ts";
import { words } from "./support/english.ts";
import { terminalOrigin } from "./support/origins.ts";
import { closeTestApps, createTestApp } from "./support/test-app.ts";

afterEach(closeTestApps);

const call = (path: string, content: string) => ({
  toolCalls: [{ name: "write_file", arguments: { path, content } }],
});

it("of memory and prompt files, not of others; the page shows it itself", async () => {
  const app = await createTestApp([
    call("memory/MEMORY.md", "Likes green tea.\n"),
    call("notes.md", "Milk.\n"),
    "done",
    "nothing changed",
  ]);
  const outcome = await app.loop.processDirect({ sessionKey: "cli:direct", text: "remember green tea" });
  expect(outcome.lasting).toEqual([
    { path: "memory/MEMORY.md", diff: expect.stringContaining("+Likes green tea.") },
  ]);
  const said = (channel: string) => {
    const origin = { ...terminalOrigin, channel };
    const inbound = { id: "1", sessionKey: "x", text: "", origin };
    return toParts(inbound as Parameters<typeof toParts>[0], outcome, { words }).map(({ kind, text }) => ({
      kind,
      text,
    }));
  };
  expect(said("web")).toEqual([{ kind: "answer", text: "done" }]);
  const [, card] = said("telegram");
  expect(card?.kind).toBe("notice");
  expect(card?.text).toContain(words.reply.changed("memory/MEMORY.md"));
  expect(card?.text).toContain("+Likes green tea.");
  expect(card?.text).toContain(words.reply.undoChanged);
  const next = await app.loop.processDirect({ sessionKey: "cli:direct", text: "hello" });
  expect(next.lasting ?? []).toEqual([]);
});
