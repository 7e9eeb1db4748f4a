// Making and editing images: from the call of a model through a host's /images to a file of the workspace, the chat, the ledger
// and the budget; and hosts that send something else.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import type { OutboundPart } from "../src/bus/types.ts";
import type { CodeStep } from "../src/llm/scripted.ts";
import { StateDatabase } from "../src/storage/database/state-database.ts";
import { like, sentence } from "./support/english.ts";
import { createFakeChannel } from "./support/fake-channel.ts";
import { createPng } from "./support/images.ts";
import { closeTestApps, createTestApp, type TestApp } from "./support/test-app.ts";
import { startWireServer, type WireReply, type WireServer } from "./support/wire-server.ts";

afterEach(closeTestApps);

const png = createPng(4, 3);
const base64 = png.toString("base64");
const apiKey = "sk-test-1234567890";
const json = (body: unknown): WireReply => ({
  headers: { "content-type": "application/json" },
  chunks: JSON.stringify(body),
});
const one = json({ data: [{ b64_json: base64 }], usage: { input_tokens: 10, output_tokens: 272 } });
const draw = (args: Record<string, unknown> = {}): CodeStep => ({
  toolCalls: [{ name: "generate_image", arguments: { prompt: "A cat", path: "images/cat.png", ...args } }],
});

interface Scene {
  app: TestApp;
  host: WireServer;
  parts: OutboundPart[];
  /** What the tool said. */
  results: string[];
  workspace: string;
}

interface Given {
  images?: Record<string, unknown>;
  config?: Record<string, unknown>;
  provider?: string;
  files?: Record<string, Uint8Array>;
  canReach?: boolean;
}

async function play(replies: WireReply[], steps: CodeStep[], given: Given = {}): Promise<Scene> {
  const { images, config, provider = "openai", files = {}, canReach = true } = given;
  const host = await startWireServer(...replies);
  onTestFinished(() => host.close());
  const app = await createTestApp([...steps, "Done."], {
    canReach: () => canReach,
    config: {
      providers: { [provider]: { apiKey, apiBase: `${host.url}/v1` } },
      tools: { imageGeneration: { enabled: true, ...images } },
      ...config,
    },
  });
  const workspace = join(app.home, "workspace");
  await mkdir(workspace, { recursive: true });
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(workspace, name), bytes);
  const channel = createFakeChannel("fake");
  void app.loop.run(new AbortController().signal);
  void channel.serve(app.bus, new AbortController().signal);
  await channel.say("Draw a cat");
  const parts: OutboundPart[] = [];
  while (parts.at(-1)?.kind !== "answer") parts.push(await channel.nextPart());
  const said = app.provider.requests.at(-1)?.messages.filter(({ role }) => role === "tool") ?? [];
  return { app, host, parts, results: said.map(({ content }) => String(content)), workspace };
}

/** What was put down to images. */
async function readLedger({ home, close }: TestApp) {
  await close();
  const state = await StateDatabase.open({ path: join(home, "state.db") });
  const rows = state.all<{ fresh: number; output: number }>(
    "SELECT fresh, output FROM ledger WHERE cause = 'image'",
  );
  state.close();
  return rows.map((row) => ({ ...row }));
}

describe("generate_image", () => {
  it("asks the host, saves the image, shows it in the chat and puts it down to its cause", async () => {
    const { app, host, parts, results, workspace } = await play([one], [draw()]);
    const [request] = host.requests;
    expect(request).toMatchObject({ method: "POST", url: "/v1/images/generations" });
    expect(request?.json).toEqual({ model: "gpt-image-2", prompt: "A cat" });
    expect(request?.headers.authorization).toBe(`Bearer ${apiKey}`);
    expect(await readFile(join(workspace, "images/cat.png"))).toEqual(png);
    expect(results[0]).toContain("images/cat.png (4 x 3)");
    expect(parts[0]).toMatchObject({ kind: "message", chatId: "room" });
    expect(await readFile(parts[0]?.media[0] ?? "")).toEqual(png);
    expect(await readLedger(app)).toEqual([{ fresh: 10, output: 272 }]);
  });

  it("is not there until it is switched on", async () => {
    const app = await createTestApp(["Hello."]);
    await app.loop.processDirect({ sessionKey: "cli:direct", text: "Hi" });
    expect(app.provider.requests[0]?.tools?.map(({ name }) => name)).not.toContain("generate_image");
  });

  it("edits files of the workspace by a form, and makes several", async () => {
    const two = json({ data: [{ b64_json: base64 }, { b64_json: base64 }] });
    const { host, results, workspace, app } = await play(
      [two],
      [draw({ reference_images: ["old.png"], count: 2, aspect_ratio: "16:9" })],
      { files: { "old.png": png } },
    );
    const [request] = host.requests;
    expect(request?.url).toBe("/v1/images/edits");
    expect(request?.body).toMatch(/name="image"; filename="image-1\.png"\r\nContent-Type: image\/png/);
    expect(request?.body).toMatch(/name="size"\r\n\r\n1536x1024/);
    expect(request?.body).toMatch(/name="n"\r\n\r\n2/);
    expect(await readFile(join(workspace, "images/cat-2.png"))).toEqual(png);
    expect(results[0]).toContain("images/cat-2.png (4 x 3)");
    // The host has counted nothing.
    expect((await readLedger(app))[0]?.output).toBeGreaterThan(2_000);
  });

  it("reads an image that the host keeps at an address of its own", async () => {
    const host = await startWireServer({ headers: { "content-type": "image/png" }, chunks: png });
    onTestFinished(() => host.close());
    const elsewhere = json({ data: [{ url: `${host.url}/secret.png` }] });
    const refused = await play([elsewhere], [draw()]);
    expect(refused.results[0]).toContain(sentence("images.broken", { host: "OpenAI", problem: "address" }));
    expect(host.requests).toHaveLength(0);
    const allowed = await play([elsewhere], [draw()], {
      config: { tools: { imageGeneration: { enabled: true }, ssrfWhitelist: ["127.0.0.1"] } },
    });
    expect(await readFile(join(allowed.workspace, "images/cat.png"))).toEqual(png);
  });

  it("takes images of a chat completion where the host has no /images", async () => {
    const image = { type: "image_url", image_url: { url: `data:image/png;base64,${base64}` } };
    const reply = json({ choices: [{ message: { content: "Here.", images: [image] } }] });
    const { host, workspace } = await play([reply], [draw()], { provider: "openrouter" });
    expect(host.requests[0]?.url).toBe("/v1/chat/completions");
    expect(host.requests[0]?.json).toMatchObject({
      modalities: ["image", "text"],
      image_config: { aspect_ratio: "1:1" },
    });
    expect(await readFile(join(workspace, "images/cat.png"))).toEqual(png);
  });

  it.each([
    ["a page", Buffer.from("<svg onload='alert(1)'/>").toString("base64")],
    ["nothing", "===="],
  ])("saves nothing of a host that sends %s for an image", async (_, data) => {
    const { results, workspace, parts } = await play([json({ data: [{ b64_json: data }] })], [draw()]);
    expect(results[0]).toContain(sentence("images.broken", { host: "OpenAI", problem: "no-image" }));
    expect(parts).toHaveLength(1);
    await expect(readFile(join(workspace, "images/cat.png"))).rejects.toThrow();
  });

  it.each<[string, WireReply]>([
    ["no JSON", { chunks: "<html>" }],
    ["an empty list", json({ data: [] })],
    ["numbers", json({ data: [{ b64_json: 7, url: {} }, 3, null] })],
    ["a refusal", { ...json({ error: { message: `No, ${apiKey}` } }), status: 400 }],
    ["an endless reply", { chunks: Array(100).fill("x".repeat(300_000)) }],
  ])("tells the model of a host that answers with %s, without the key", async (_, reply) => {
    const { results, workspace, host } = await play([reply], [draw()]);
    expect(results[0]).toMatch(/^(?:Error: )?No image was made/);
    expect(results[0]).not.toContain(apiKey);
    expect(host.requests).toHaveLength(1);
    await expect(readFile(join(workspace, "images/cat.png"))).rejects.toThrow();
  });

  it("stays in the budget, and asks no host beyond it", async () => {
    const dear = json({ data: [{ b64_json: base64 }], usage: { input_tokens: 10, output_tokens: 5_000 } });
    const { host, results } = await play([dear], [draw(), draw({ path: "b.png" })], {
      config: {
        tools: { imageGeneration: { enabled: true } },
        budget: { causes: { image: { day: { tokens: 4_000 } } } },
      },
    });
    expect(host.requests).toHaveLength(1);
    expect(results[1]).toMatch(
      like(
        sentence("budget.used", { period: "day", cause: "image", unit: "tokens", used: 5_010, limit: 4_000 }),
      ),
    );
  });

  it("makes only so many in one turn, and writes no file outside the workspace", async () => {
    const { host, results } = await play(
      [one],
      [draw(), draw({ path: "b.png" }), draw({ path: "../../config.png" }), draw({ path: "MEMORY.md" })],
      { images: { maxImagesPerTurn: 1 } },
    );
    expect(host.requests).toHaveLength(1);
    expect(results[1]).toContain(sentence("images.too-many", { most: 1 }));
    expect(results[2]).toMatch(/outside the workspace/);
    expect(results[3]).toMatch(/must end in \.png/);
  });

  it("names the file where nothing can be shown, and what is missing where no host makes images", async () => {
    const shown = await play([one], [draw()], { canReach: false });
    expect(shown.results[0]).toContain("images/cat.png");
    const { results } = await play([one], [draw()], { provider: "groq" });
    expect(results[0]).toContain(sentence("images.no-host"));
    const other = await play([one], [draw()], { images: { provider: "groq" }, provider: "groq" });
    expect(other.results[0]).toContain(sentence("images.no-model", { host: "Groq" }));
  });
});
