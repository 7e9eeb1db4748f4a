// The page about the context over the whole gateway; only the model is scripted.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { closeTestGateways, createTestGateway } from "../../../test/support/test-gateway.ts";
import { closeWebClients, openWebClient } from "../../../test/support/web-client.ts";

afterEach(async () => {
  await closeWebClients();
  await closeTestGateways();
});

const sessionKey = "cli:direct";
const usage = { input: 2_000, cached: 1_500, output: 50 };
const secret = "sk-test-0123456789abcdefghij";
const config = { providers: { openai: { apiKey: secret } }, agents: { defaults: { maxTokens: 4_096 } } };

async function openContext() {
  const gateway = await createTestGateway({ steps: [{ text: "Yes.", usage }], loop: true }, { config });
  const client = await openWebClient(gateway);
  const { loop, workspace } = gateway.app;
  return {
    gateway,
    client,
    workspace,
    say: (text: string) => loop.processDirect({ sessionKey, text }),
    inspect: () => client.ask("context.inspect", { sessionKey }),
    text: (kind: "layer" | "tool" | "history" | "message", name: string) =>
      client.ask("context.text", { sessionKey, kind, name }),
  };
}

describe("what the next request would contain", () => {
  it("adds up to what it takes of the window, before anything was said, too", async () => {
    const { inspect } = await openContext();
    const view = await inspect();
    const counted = view.rows.filter(({ kind }) => kind !== "part");
    expect(view.tokens).toBe(counted.reduce((sum, { tokens }) => sum + tokens, 0));
    expect(view.epoch.reason).toBe("first-turn");
    expect(view.window - view.budget).toBe(4_096 + 1_024);
    expect(view.target).toBe(Math.floor(view.budget / 2));
    expect(view.diff).not.toHaveProperty("last");
    expect(view).not.toHaveProperty("lastTurn");
  });

  it("is the text of every row, word for word", async () => {
    const { inspect, text, say, workspace } = await openContext();
    await writeFile(join(workspace, "SOUL.md"), "You are as calm as a 湖.\n");
    await say("What is the time?");
    const { rows } = await inspect();
    for (const row of rows.filter(({ kind }) => kind === "layer")) {
      const { pieces } = await text("layer", row.name);
      expect(pieces.map((piece) => piece.text.length)).toEqual([row.characters]);
    }
    const layers = rows.filter(({ kind }) => kind === "layer").map(({ name }) => name);
    const texts = await Promise.all(layers.map((name) => text("layer", name)));
    expect(texts.some(({ pieces }) => pieces[0]?.text.includes("calm as a 湖"))).toBe(true);
    const [tool] = rows.filter(({ kind }) => kind === "tool");
    expect((await text("tool", tool?.name ?? "")).pieces[0]?.text).toContain(`"name": "${tool?.name}"`);
    const { pieces } = await text("history", "sent");
    expect(pieces[0]).toMatchObject({ role: "user", text: expect.stringContaining("What is the time?") });
    expect(await text("history", "nothing of the kind")).toEqual({ pieces: [], isCut: false });
  });

  it("tells what was cached, what is repeated, and what changed since", async () => {
    const { inspect, say, workspace } = await openContext();
    await writeFile(join(workspace, "USER.md"), "Likes tea.\n");
    await say("Hello");
    const before = await inspect();
    expect(before.lastTurn).toEqual({ read: 2_000, cached: 1_500, written: 50 });
    expect(before.rows.filter(({ kind }) => kind === "layer").every(({ cached }) => cached)).toBe(true);
    expect(before.diff).toMatchObject({ last: { model: before.model }, files: [], tools: [] });
    await writeFile(join(workspace, "USER.md"), "Likes coffee.\n");
    const { diff } = await inspect();
    expect(diff.files).toEqual([{ name: "USER.md", change: "changed" }]);
    expect(diff.notes.join("\n")).toContain("Likes coffee.");
  });

  it("shows no secret, wherever it is", async () => {
    const { text, inspect, say, workspace } = await openContext();
    await writeFile(join(workspace, "SOUL.md"), `The key is ${secret}\n`);
    await say(`My key is ${secret}`);
    await writeFile(join(workspace, "USER.md"), `And here: ${secret}\n`);
    const { rows, ...view } = await inspect();
    const texts = await Promise.all(
      rows.flatMap(({ kind, name }) => (kind === "part" ? [] : [text(kind, name)])),
    );
    expect(JSON.stringify([view, texts])).toContain("The key is");
    expect(JSON.stringify([view, texts])).not.toContain(secret);
  });

  it("is the owner's to see", async () => {
    const { gateway } = await openContext();
    const ann = await openWebClient(gateway, { person: "ann", role: "guest" });
    await expect(ann.ask("context.inspect", { sessionKey })).rejects.toMatchObject({
      problem: { code: "request.owner-only" },
    });
  });
});
