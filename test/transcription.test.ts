// Voice messages: from a chat through a host that hears them to what the model reads; and what is read when nobody hears.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { createTranscription, type Transcript } from "../src/agent/models/transcription.ts";
import { phrase } from "../src/i18n/phrase.ts";
import { sayInEnglish } from "../src/i18n/words.ts";
import { createConfigHome } from "./support/config-home.ts";
import { anything, like, sentence } from "./support/english.ts";
import { eventually } from "./support/eventually.ts";
import { createFakeClock } from "./support/fake-clock.ts";
import { startFakeTelegram } from "./support/fake-telegram.ts";
import { createOgg, createWave } from "./support/recordings.ts";
import { closeTestApps, createTestApp } from "./support/test-app.ts";
import { closeTestGateways, createTestGateway } from "./support/test-gateway.ts";
import { closeWebClients, openWebClient } from "./support/web-client.ts";
import { startWireServer, type WireReply } from "./support/wire-server.ts";

afterEach(async () => {
  await closeWebClients();
  await closeTestGateways();
  await closeTestApps();
});

const apiKey = "gsk_test_1234567890";

async function startHost(...replies: WireReply[]) {
  const host = await startWireServer(...replies);
  onTestFinished(() => host.close());
  return host;
}

const saying = (text: string, more = {}): WireReply => ({ chunks: JSON.stringify({ text, ...more }) });

function toEnglish(heard: Transcript) {
  return "text" in heard ? heard : { reason: sayInEnglish(heard.reason) };
}

describe("a voice message in a chat", () => {
  async function speak(config: Record<string, unknown>, bytes: Uint8Array = createOgg(3)) {
    const telegram = await startFakeTelegram();
    onTestFinished(() => telegram[Symbol.asyncDispose]());
    telegram.files.set("voice", bytes);
    const { token, url: apiBase } = telegram;
    const channel = { enabled: true, token, apiBase, allowFrom: ["42"], reactEmoji: "", streaming: false };
    const gateway = await createTestGateway(["I heard you."], {
      config: { ...config, channels: { telegram: channel, collectMs: 0 } },
    });
    telegram.say("", { text: undefined, voice: { file_id: "voice", file_unique_id: "v1", duration: 3 } });
    await telegram.waitFor(() => telegram.messages.length >= 1);
    const [request] = gateway.provider.requests;
    return { gateway, telegram, read: JSON.stringify(request?.messages.at(-1)?.content) };
  }

  it("is heard by the host that was chosen, and what was said is kept with the message", async () => {
    const host = await startHost(saying(" Buy milk. 买牛奶。 "));
    const { gateway, read } = await speak({
      providers: { groq: { apiKey, apiBase: `${host.url}/openai/v1` } },
    });
    expect(read).toContain("[transcription: Buy milk. 买牛奶。]");
    const [request] = host.requests;
    expect(request).toMatchObject({ method: "POST", url: "/openai/v1/audio/transcriptions" });
    expect(request?.headers.authorization).toBe(`Bearer ${apiKey}`);
    expect(request?.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    expect(request?.body).toMatch(/name="model"\r\n\r\nwhisper-large-v3\r\n/);
    expect(request?.body).toMatch(/name="file"; filename="recording\.ogg"[\s\S]*OggS/);
    const folder = join(gateway.home, "sessions");
    const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".jsonl"));
    const kept = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
    expect(kept.join("")).toContain("[transcription: Buy milk. 买牛奶。]");
    const { rows } = await gateway.client.call("usage.report", { by: "model" });
    expect(rows).toContainEqual(expect.objectContaining({ group: "groq/whisper-large-v3", calls: 1 }));
  });

  it("is answered by a voice message as well where that is switched on, and typed words are not", async () => {
    const host = await startHost(saying("Buy milk."), { chunks: "OggS spoken words" });
    const { gateway, telegram } = await speak({
      providers: { groq: { apiKey, apiBase: `${host.url}/openai/v1` } },
      speech: { enabled: true, provider: "groq", voice: "Aaliyah-PlayAI" },
    });
    await telegram.waitFor(() => telegram.messages.length === 2);
    expect(telegram.messages.map(({ text }) => text)).toEqual(["I heard you.", "[file answer.opus]"]);
    expect(telegram.calls).toContain("sendVoice");
    const [, request] = host.requests;
    expect(request).toMatchObject({ method: "POST", url: "/openai/v1/audio/speech" });
    expect(JSON.parse(request?.body ?? "")).toEqual({
      model: "playai-tts",
      input: "I heard you.",
      voice: "Aaliyah-PlayAI",
      response_format: "opus",
    });
    const { rows } = await gateway.client.call("usage.report", { by: "model" });
    expect(rows).toContainEqual(expect.objectContaining({ group: "groq/playai-tts", calls: 1 }));
    telegram.say("/help");
    await telegram.waitFor(() => telegram.messages.length === 3);
    expect(host.requests).toHaveLength(2);
  });

  it("is answered in writing when the host that should speak refuses", async () => {
    const host = await startHost(saying("Buy milk."), { status: 400, chunks: "{}" });
    const { telegram } = await speak({
      providers: { groq: { apiKey, apiBase: host.url } },
      speech: { enabled: true, provider: "groq" },
    });
    expect(telegram.messages.map(({ text }) => text)).toEqual(["I heard you."]);
    expect(host.requests).toHaveLength(2);
  });

  it("that nobody can hear is told to the model with the reason and the place of the recording", async () => {
    const { gateway, read } = await speak({});
    expect(read).toMatch(
      like(
        `[voice message: ${anything}v1.ogg, not transcribed: ${sentence("transcription.no-key", { host: "Groq", name: "groq" })}]`,
      ),
    );
    const [, path = ""] = /voice message: (\S+),/.exec(read) ?? [];
    expect(await readFile(path)).toEqual(createOgg(3));
    expect(path.startsWith(gateway.home)).toBe(true);
  });

  it("is not lost when the host refuses, and no key is told", async () => {
    const body = JSON.stringify({ error: { message: `Invalid API Key ${apiKey}` } });
    const host = await startHost({ status: 401, chunks: body });
    const { read } = await speak({ providers: { groq: { apiKey, apiBase: host.url } } });
    expect(read).toMatch(/\[voice message: .*not transcribed: .*401/);
    expect(read).not.toContain(apiKey);
  });
});

describe("the transcription", () => {
  async function setUp(config: Record<string, unknown>) {
    const { load } = await createConfigHome(config);
    const loaded = await load();
    if (!loaded.ok) throw new Error("the config is broken");
    const clock = createFakeClock();
    const parts = { env: {}, clock, config: () => loaded.config };
    const { transcribe } = createTranscription({ ...parts, count: () => (provider) => provider });
    const hear = async (bytes: Uint8Array = createOgg(3), name = "a.oga") =>
      toEnglish(await transcribe({ name, bytes }, new AbortController().signal));
    return { transcribe, hear, clock };
  }

  const own = (apiBase: string, transcription = {}) => ({
    providers: { whisper_box: { apiBase } },
    transcription: { provider: "whisper_box", model: "small", ...transcription },
  });

  it("takes any custom host, with its model and language, and without a key", async () => {
    const host = await startHost(saying("Guten Tag."));
    const { hear } = await setUp(own(`${host.url}/v1/chat/completions`, { language: "de" }));
    expect(await hear(createWave(1), "a.wav")).toEqual({ text: "Guten Tag." });
    expect(host.requests[0]?.url).toBe("/v1/audio/transcriptions");
    expect(host.requests[0]?.headers.authorization).toBeUndefined();
    expect(host.requests[0]?.body).toMatch(
      /name="model"\r\n\r\nsmall\r\n[\s\S]*name="language"\r\n\r\nde\r\n/,
    );
    expect(host.requests[0]?.body).toContain('filename="recording.wav"');
  });

  it.each([
    ["switched off", { transcription: { enabled: false } }, sentence("transcription.off")],
    [
      "a host that nobody knows",
      { transcription: { provider: "assemblyai" } },
      sentence("transcription.unknown-host", { host: "assemblyai" }),
    ],
    [
      "a host of another kind",
      { transcription: { provider: "anthropic" } },
      sentence("transcription.unknown-host", { host: "anthropic" }),
    ],
    [
      "no key",
      { transcription: { provider: "openai" } },
      sentence("transcription.no-key", { host: "OpenAI", name: "openai" }),
    ],
    [
      "no model",
      { transcription: { provider: "ollama" } },
      sentence("transcription.no-model", { host: "Ollama" }),
    ],
    [
      "the old names of the keys",
      { channels: { transcriptionProvider: "siliconflow" } },
      sentence("transcription.no-key", { host: "SiliconFlow 硅基流动", name: "siliconflow" }),
    ],
    [
      "a proxy that is none",
      { providers: { groq: { apiKey, proxy: "::" } } },
      sentence("setup.bad-proxy", { setting: "proxy" }),
    ],
  ])("says what to do about %s", async (_, config, reason) => {
    const { hear } = await setUp(config);
    expect(await hear()).toEqual({ reason });
  });

  it("sends nothing that is too large or too long", async () => {
    const host = await startHost(saying("never"));
    const { hear } = await setUp(own(host.url, { maxUploadMb: 1, maxDurationSec: 10 }));
    expect(await hear(Buffer.alloc(1024 * 1024 + 1))).toEqual({
      reason: sentence("transcription.too-large", { megabytes: 1 }),
    });
    expect(await hear(createOgg(10.5))).toEqual({
      reason: sentence("transcription.too-long", { seconds: 10 }),
    });
    expect(host.requests).toEqual([]);
  });

  it("asks again when that may help, and takes no other answer for words", async () => {
    const host = await startHost({ status: 503 }, saying("At last."));
    const { hear, clock } = await setUp(own(host.url));
    const heard = hear();
    // The limit of the whole, and the pause before another try.
    await eventually(() => clock.sleeping).toBe(2);
    await clock.advance(5_000);
    expect(await heard).toEqual({ text: "At last." });
    for (const odd of ["<html>", "{}", '{"text":7}', "null"]) {
      const strange = await setUp(own((await startHost({ status: 400, chunks: odd })).url));
      expect(await strange.hear()).toEqual({ reason: expect.stringContaining("whisper_box") });
      const page = await setUp(own((await startHost({ chunks: odd }, { status: 400 })).url));
      const refused = page.hear();
      const isOver = refused.then(() => 2);
      await eventually(() => Promise.race([isOver, page.clock.sleeping])).toBe(2);
      await page.clock.advance(5_000);
      expect(await refused).toEqual({ reason: expect.stringContaining("whisper_box") });
    }
    const silent = await setUp(own((await startHost(saying("  "))).url));
    expect(await silent.hear()).toEqual({ reason: sentence("transcription.silent") });
  });

  it("gives up after a minute, and at once when it is called off", async () => {
    const host = await startHost({ end: "hold" });
    const { hear, transcribe, clock } = await setUp(own(host.url));
    const late = hear();
    await host.received(1);
    await clock.advance(60_001);
    expect(await late).toEqual({
      reason: sentence("transcription.late", { host: "whisper_box", seconds: 60 }),
    });
    const controller = new AbortController();
    const stopped = transcribe({ name: "a.ogg", bytes: createOgg(1) }, controller.signal);
    await host.received(2);
    controller.abort(new Error("called off"));
    await expect(stopped).rejects.toThrow("called off");
  });

  it("is held to the budget", async () => {
    const host = await startHost(saying("Words that cost something, again and again."));
    const config = { ...own(host.url), budget: { day: { tokens: 5 } } };
    const app = await createTestApp(["never asked"], { config });
    const speaker = { sessionKey: "web:1", person: "ann" };
    const recording = { name: "a.ogg", bytes: createOgg(1) };
    const hear = async () =>
      toEnglish(await app.chat.transcribe(recording, new AbortController().signal, speaker));
    expect(await hear()).toEqual({ text: expect.stringContaining("Words") });
    expect(await hear()).toEqual({
      reason: expect.stringMatching(
        like(sentence("budget.used", { period: "day", unit: "tokens", used: anything, limit: 5 })),
      ),
    });
    expect(host.requests).toHaveLength(1);
  });
});

describe("a recording that nobody hears", () => {
  it.each([
    [
      "english",
      sentence("upload.not-transcribed", {
        reason: phrase("transcription.no-key", { host: "Groq", name: "groq" }),
      }),
    ],
    ["chinese", expect.stringMatching(/^没有 Groq 的密钥。请设置 providers\.groq\.apiKey/)],
  ] as const)("is told to a reader in %s", async (language, message) => {
    const gateway = await createTestGateway([]);
    const reader = await openWebClient(gateway, { language });
    const [fileId, data] = ["note-0001", Buffer.from(createOgg(1)).toString("base64")];
    await reader.ask("file.put", { fileId, name: "note.ogg", offset: 0, data, isLast: true });
    await expect(reader.ask("file.transcribe", { fileId })).rejects.toMatchObject({
      problem: { code: "upload.not-transcribed", message },
    });
  });
});
