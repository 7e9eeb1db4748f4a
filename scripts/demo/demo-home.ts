// A gateway on a home that looks lived in: conversations that were really had with a scripted model, jobs, and a month
// of calls in the ledger.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { buildGateway, type Gateway } from "../../src/app/build-gateway.ts";
import { createWords, type Language } from "../../src/i18n/words.ts";
import { createScripted } from "../../src/llm/scripted.ts";
import type { Provider } from "../../src/llm/types.ts";
import { resolveHome } from "../../src/storage/home.ts";
import { openWebClient, type WebClient } from "../../test/support/web-client.ts";
import { type DemoContent, demo } from "./content.ts";

export interface DemoHome {
  gateway: Gateway;
  /** The conversation to show, and what it begins with. */
  sessionKey: string;
  question: string;
  close(): Promise<void>;
}

const day = 86_400_000;

/** A fresh installation. */
export async function openEmptyHome(language: Language): Promise<DemoHome> {
  const opened = await open(language);
  return { gateway: opened.gateway, sessionKey: "", question: "", close: opened.close };
}

export async function openDemoHome(language: Language): Promise<DemoHome> {
  const content = demo[language];
  const steps = content.sessions.flatMap(({ turns }) => turns.flatMap(({ replies }) => replies));
  const { home, gateway, close } = await open(language, { provider: createScripted(steps), content });
  const client = await openWebClient({ url: gateway.address.url, client: gateway.client });
  await talk(client, content);
  await plan(gateway, content);
  fillLedger(home);
  const { key: sessionKey = "", turns = [] } = content.sessions.at(-1) ?? {};
  return {
    gateway,
    sessionKey,
    question: turns[0]?.text ?? "",
    async close() {
      await client.close();
      await close();
    },
  };
}

interface Seed {
  provider: Provider;
  content: DemoContent;
}

async function open(language: Language, seed?: Seed) {
  const home = await mkdtemp(join(tmpdir(), "nanobot-demo-"));
  const env = {
    HOME: home,
    NANOBOT_HOME: home,
    PATH: process.env.PATH,
    // The script answers what people say.
    NANOBOT_AGENTS__DEFAULTS__GENERATE_TITLES: "false",
  };
  if (seed !== undefined) await furnish(home, seed.content);
  const built = await buildGateway({
    paths: resolveHome({ env }),
    env,
    words: createWords(language),
    port: 0,
    page: () => "",
    onStop() {},
    ...(seed && { provider: seed.provider }),
  });
  if (!built.ok) throw new Error(built.problems.join("\n"));
  const { gateway } = built;
  const ending = new AbortController();
  const running = gateway.run(ending.signal);
  const close = async () => {
    ending.abort(new Error("the pictures are taken"));
    await running;
    await rm(home, { recursive: true, force: true });
  };
  return { home, gateway, close };
}

async function furnish(home: string, { files }: DemoContent): Promise<void> {
  await writeFile(join(home, "config.json"), JSON.stringify(config));
  await writeFile(join(home, "prices.json"), JSON.stringify(prices));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, "workspace", path)), { recursive: true });
    await writeFile(join(home, "workspace", path), text);
  }
}

const config = {
  agents: { defaults: { model: "claude-sonnet-5", timezone: "UTC" } },
  budget: { day: { money: 2 }, month: { money: 20 } },
};

const prices = { currency: "EUR", models: { "claude-sonnet-5": { input: 3, cached: 0.3, output: 15 } } };

async function talk(client: WebClient, { sessions }: DemoContent): Promise<void> {
  for (const { key, title, isPinned, turns } of sessions) {
    for (const { text } of turns) {
      const { turnId } = await client.ask("chat.send", { sessionKey: key, text });
      await client.waitFor(({ event }) => {
        if (event.type !== "shown" || event.shown.type !== "live" || event.shown.turnId !== turnId)
          return false;
        const { body } = event.shown;
        // Where there is no sandbox, a command is asked about first.
        if (body.type === "ask-start")
          void client.ask("chat.answer", { sessionKey: key, askId: body.askId, choice: "once" });
        return body.type === "turn-end";
      });
    }
    await client.ask("chat.label", { sessionKey: key, title, ...(isPinned && { isPinned }) });
  }
}

async function plan({ client }: Gateway, { jobs }: DemoContent): Promise<void> {
  for (const { name, message, expr, everyMs, tz, days } of jobs) {
    const schedule =
      expr !== undefined
        ? { kind: "cron" as const, expr, ...(tz && { tz }) }
        : everyMs !== undefined
          ? { kind: "every" as const, everyMs }
          : { kind: "at" as const, at: new Date(Date.now() + (days ?? 1) * day).toISOString() };
    await client.call("jobs.add", { name, message, schedule, chat: { channel: "web", chatId: "invoices" } });
  }
}

/** A month of calls, the same in every picture. */
function fillLedger(home: string): void {
  const database = new DatabaseSync(join(home, "state.db"));
  const insert = database.prepare(
    `INSERT INTO ledger (at, session_key, turn_id, cause, person, model, fresh, cached, output, cost, ms, stop, state)
     VALUES (?, ?, ?, ?, 'owner', ?, ?, ?, ?, ?, ?, 'stop', 'settled')`,
  );
  const causes = ["user", "user", "user", "cron", "heartbeat", "dream", "subagent"];
  const models = ["anthropic/claude-sonnet-5", "anthropic/claude-sonnet-5", "deepseek/deepseek-chat"];
  let state = 7;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  for (let index = 0; index < 420; index++) {
    const at = Date.now() - Math.floor(random() * 30 * day);
    const [fresh, cached, output] = [
      300 + random() * 2_500,
      1_500 + random() * 9_000,
      60 + random() * 700,
    ].map(Math.round) as [number, number, number];
    const cost = (fresh * 3 + cached * 0.3 + output * 15) / 1e6;
    const session = pick(["web:budget", "web:garden", "web:invoices", "cli:direct", "telegram:4711"]);
    insert.run(
      at,
      session,
      `demo-${index}`,
      pick(causes),
      pick(models),
      fresh,
      cached,
      output,
      cost,
      900 + Math.round(random() * 4_000),
    );
  }
  database.close();
}
