// No window kills an assistant: whatever a host takes, configured or not, each message is answered.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type App, buildApp } from "../src/app/build-app.ts";
import type { LiveBody } from "../src/bus/live.ts";
import { createWords } from "../src/i18n/words.ts";
import { resolveHome } from "../src/storage/home.ts";
import { sampled } from "./support/long-form.ts";
import { type StrictHost, type StrictHostOptions, startStrictHost } from "./support/strict-host.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

interface Scene extends StrictHost {
  app: App;
  home: string;
  /** Stops of the turns. */
  say(...texts: string[]): Promise<string[]>;
}

async function open(options: StrictHostOptions, defaults: Record<string, unknown> = {}): Promise<Scene> {
  const host = await startStrictHost(options);
  const config = {
    agents: { defaults: { provider: "custom", model: "m", ...defaults } },
    providers: { custom: { apiBase: host.url, apiKey: "k" } },
  };
  const home = await createTemporaryFolder({ "config.json": JSON.stringify(config) });
  return { ...host, home, ...(await openApp(home)) };
}

async function openApp(home: string): Promise<Pick<Scene, "app" | "say">> {
  const env = { HOME: home, NANOBOT_HOME: home, PATH: process.env.PATH };
  const built = await buildApp({ paths: resolveHome({ env }), env, words: createWords("english") });
  if (!built.ok) throw new Error(built.problems.join("\n"));
  const { app } = built;
  async function say(...texts: string[]): Promise<string[]> {
    const stops: string[] = [];
    for (const text of texts) {
      const { stop, error } = await app.loop.processDirect({ sessionKey: "cli:direct", text });
      stops.push(error === undefined ? stop : `${stop}: ${error.phrase.code}`);
    }
    return stops;
  }
  return { app, say };
}

const english = (n: number) =>
  `Message ${n}: what do you think about the weather of tomorrow and the garden?`;
const chinese = (n: number) => `第${n}条消息：你觉得明天的天气怎么样？花园里的花需要浇水吗？请告诉我。`;
/** Fifty, and two hundred in the long form. */
const fifty = Array.from({ length: sampled(50, 200) }, (_, n) => (n % 5 === 4 ? chinese(n) : english(n)));
const allWell = (stops: string[]) => stops.filter((stop) => stop !== "completed");

describe("fifty messages", () => {
  const all = [2_048, 4_096, 8_192].flatMap((window) => [
    [window, "configured"] as const,
    [window, "not configured"] as const,
  ]);
  const some = [all[2], all[1], all[5]].filter((each) => each !== undefined);
  it.each(sampled(some, all))("at %i tokens, %s, are all answered", async (window, how) => {
    const defaults = how === "configured" ? { contextWindowTokens: window } : {};
    const { app, say, requests } = await open({ window }, defaults);
    try {
      expect(allWell(await say(...fifty))).toEqual([]);
      const isRemembered = fifty.map((text, n) => {
        const asked = requests.find(({ body }) => JSON.stringify(body.messages.at(-1)).includes(text));
        return JSON.stringify(asked?.body.messages.slice(1, -1)).includes(fifty[n - 1] ?? "[");
      });
      // What has just been said goes along wherever it can.
      const least = window > 2_048 ? fifty.length : fifty.length / 2;
      expect(isRemembered.filter(Boolean).length).toBeGreaterThanOrEqual(least);
      // What was learnt once is not asked for again.
      expect(requests.filter(({ isRefused }) => isRefused).length).toBeLessThanOrEqual(4);
    } finally {
      await app.close();
    }
  });
});

describe("a host with a small window", () => {
  it.each(sampled([2_048], [2_048, 4_096]))(
    "of %i tokens answers about long files, long messages, and after /new",
    async (window) => {
      const { app, say, home } = await open({ window, perToken: 3 });
      try {
        const folder = join(home, "workspace");
        await mkdir(folder, { recursive: true });
        await writeFile(join(folder, "a.md"), "lorem ipsum ".repeat(3_000));
        await writeFile(join(folder, "b.md"), "这是一个很长的文件。".repeat(2_000));
        const read = (path: string) => `CALL read_file {"path":"${path}"}`;
        const texts = [
          read("a.md"),
          read("b.md"),
          "word ".repeat(6_000),
          "长消息，很长。".repeat(3_000),
          "short",
        ];
        expect(allWell(await say(...texts, ...texts))).toEqual([]);
        expect(allWell(await say("/new", "hello", read("b.md")))).toEqual([]);
      } finally {
        await app.close();
      }
    },
  );

  it("is believed in the words of every host, and where it says nothing of its limit", async () => {
    const window = 4_096;
    const wordings: Array<NonNullable<StrictHostOptions["refuse"]>> = [
      (prompt, most) => ({
        error: {
          message: `'max_tokens' or 'max_completion_tokens' is too large: ${most}. This model's maximum context length is ${window} tokens and your request has ${prompt} input tokens (${most} > ${window} - ${prompt}). None`,
        },
      }),
      (prompt) => ({
        error: {
          code: 400,
          message: `the request exceeds the available context size (${window} tokens), try increasing it`,
          type: "exceed_context_size_error",
          n_prompt_tokens: prompt,
          n_ctx: window,
        },
      }),
      (prompt) => ({
        error: {
          message: `litellm.ContextWindowExceededError: litellm.BadRequestError: ContextWindowExceededError: OpenAIException - This model's maximum context length is ${window} tokens. However, your messages resulted in ${prompt} tokens.`,
          type: null,
          code: "400",
        },
      }),
      () => ({ error: { message: "Input is too long for requested model." } }),
    ];
    for (const refuse of wordings) {
      const { app, say } = await open({ window, refuse });
      try {
        expect(allWell(await say(...fifty.slice(0, sampled(4, 12))))).toEqual([]);
      } finally {
        await app.close();
      }
    }
  });

  it("that refuses a stream without a word is asked once more without streaming", async () => {
    const refuse = (prompt: number) => ({
      error: {
        message: `This model's maximum context length is 2048 tokens. However, you requested ${prompt} tokens`,
        type: "invalid_request_error",
        code: "context_length_exceeded",
      },
    });
    const { app, say } = await open({ window: 2_048, isMute: true, reportsUsage: false, refuse });
    try {
      expect(allWell(await say(...fifty.slice(0, 12)))).toEqual([]);
    } finally {
      await app.close();
    }
  });

  it("whatever its size and count, answers every message", async () => {
    const text = fc.oneof(
      fc.constant("hi"),
      fc.integer({ min: 1, max: 3_000 }).map((times) => "some words ".repeat(times)),
      fc.integer({ min: 1, max: 2_000 }).map((times) => "很多汉字".repeat(times)),
      fc.constant('CALL read_file {"path":"long.md"}'),
      fc.constant("/new"),
    );
    const scene = fc.record({
      window: fc.integer({ min: 2_048, max: 12_000 }),
      perToken: fc.constantFrom(2.5, 3, 4, 5),
      isConfigured: fc.boolean(),
      reportsUsage: fc.boolean(),
      texts: fc.array(text, { minLength: 1, maxLength: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(scene, async ({ isConfigured, texts, ...options }) => {
        const defaults = isConfigured ? { contextWindowTokens: options.window } : {};
        const { app, say, home } = await open(options, defaults);
        try {
          await mkdir(join(home, "workspace"), { recursive: true });
          await writeFile(join(home, "workspace", "long.md"), "line of a long file\n".repeat(4_000));
          expect(allWell(await say(...texts))).toEqual([]);
        } finally {
          await app.close();
        }
      }),
      { numRuns: sampled(4, 12) },
    );
  });
});

describe("a model whose answers have a limit of their own", () => {
  it("is asked for shorter ones from then on, also after a restart", async () => {
    const mostAnswer = 1_024;
    const message = (most: number) =>
      `max_tokens is too large: ${most}. This model supports at most ${mostAnswer} completion tokens, whereas you provided ${most}.`;
    const { app, say, home, requests } = await open({
      window: 100_000,
      mostAnswer,
      refuse: (_, most) => ({ error: { message: message(most), type: "invalid_request_error" } }),
    });
    expect(allWell(await say(english(1), english(2)))).toEqual([]);
    expect(requests.map(({ isRefused }) => isRefused)).toEqual([true, false, false]);
    await app.close();
    const again = await openApp(home);
    expect(allWell(await again.say(english(3)))).toEqual([]);
    expect(requests.filter(({ isRefused }) => isRefused)).toHaveLength(1);
    await again.app.close();
  });
});

describe("a window of 2,048 tokens", () => {
  it("is told once: how many tools are left, and that the rest is shortened", async () => {
    const { app } = await open({ window: 2_048 }, { contextWindowTokens: 2_048 });
    const notices: unknown[] = [];
    const onEvent = (body: LiveBody) => {
      if (body.type === "notice") notices.push(body.notice);
    };
    const ask = (text: string) => app.loop.processDirect({ sessionKey: "cli:direct", text, onEvent });
    await ask("hello");
    await ask("and again");
    const facts = expect.objectContaining({ window: 2_048, all: expect.any(Number) });
    expect(notices).toEqual([
      { kind: "small-window", reason: { code: "model.small-window", params: facts } },
    ]);
    await app.close();
  });
});

describe("what a host has said of its window", () => {
  it("is known after a restart, unless the config names a window", async () => {
    const { app, say, home, requests, url } = await open({ window: 4_096 });
    const refusals = () => requests.splice(0).filter(({ isRefused }) => isRefused).length;
    expect(allWell(await say(english(1)))).toEqual([]);
    expect(refusals()).toBeGreaterThan(0);
    await app.close();

    const again = await openApp(home);
    expect(allWell(await again.say(english(2)))).toEqual([]);
    expect(refusals()).toBe(0);
    await again.app.close();

    const defaults = { provider: "custom", model: "m", contextWindowTokens: 100_000 };
    const config = { agents: { defaults }, providers: { custom: { apiBase: url, apiKey: "k" } } };
    await writeFile(join(home, "config.json"), JSON.stringify(config));
    const configured = await openApp(home);
    expect(allWell(await configured.say(english(3)))).toEqual([]);
    expect(refusals()).toBeGreaterThan(0);
    await configured.app.close();
  });
});
