// Every way in which a real turn can be interrupted, on a real bus and session, and what was lost or done twice by it.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { NewInbound } from "../../src/bus/types.ts";
import { StateDatabase } from "../../src/storage/database/state-database.ts";
import { type Life, liveUntilDeath, type Outside } from "./crashing-life.ts";
import { terminalOrigin } from "./origins.ts";
import type { CallKind } from "./protocol-model.ts";
import { isApology } from "./task-model.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

const message: NewInbound = {
  isBurst: true,
  sourceKey: "chat:1",
  sessionKey: "chat:room",
  origin: { ...terminalOrigin, channel: "chat", chatId: "room", format: "messaging" },
  text: "do it",
};

const burst = [message, { ...message, sourceKey: "chat:2", text: "and that" }];

interface Crash {
  at: number;
  losesPower: boolean;
}

interface Ended {
  /** False when a life was over before its crash. */
  isCrashed: boolean;
  faults: string[];
}

async function run(kinds: readonly CallKind[], crashes: readonly Crash[]): Promise<Ended> {
  const home = await createTemporaryFolder();
  const outside: Outside = { home, effects: [], shown: [], texts: [], acknowledged: 0 };
  const base: Life = { messages: [message], kinds };
  for (const { at, losesPower } of crashes) {
    const lasted = await liveUntilDeath(outside, { ...base, diesAt: at, losesPower });
    if (lasted === undefined) return { isCrashed: false, faults: [] };
  }
  await liveUntilDeath(outside, base);
  return { isCrashed: true, faults: await findFaults(outside, kinds, crashes.length) };
}

async function findFaults(outside: Outside, kinds: readonly CallKind[], crashes: number): Promise<string[]> {
  const database = await StateDatabase.open({ path: join(outside.home, "state.db") });
  const rows = database.all<{ id: string; state: string }>("SELECT id, state FROM inbox");
  database.close();
  const turn = rows[0]?.id ?? "";
  const faults = rows.length === 1 && rows[0]?.state === "done" ? [] : [`inbox: ${JSON.stringify(rows)}`];
  const shown = new Set(outside.shown);
  if (!shown.has(`${turn}:final#0`) || !shown.has(`${turn}:final#1`)) faults.push(`shown: ${[...shown]}`);
  if (outside.shown.length > 2 + crashes) faults.push(`shown again: ${outside.shown}`);
  const stored = await readMessages(outside.home);
  const ids = stored.map(({ id }) => id);
  if (new Set(ids).size !== ids.length) faults.push(`stored twice: ${ids}`);
  const calling = stored.find((entry) => entry.tool_calls !== undefined);
  if (calling === undefined) faults.push("no reply with calls");
  for (const [index, kind] of kinds.entries()) {
    const id = `${calling?.id}.${index}`;
    const effects = outside.effects.filter((effect) => effect === id).length;
    const result = stored.find((entry) => entry.id === id);
    const isTold = String(result?.content).includes("may have taken effect");
    if (result === undefined) faults.push(`${id} has no result`);
    if (kind === "never" && effects > 1) faults.push(`${id} happened ${effects} times`);
    if (effects === 0 && !isTold) faults.push(`${id} never happened`);
  }
  return faults;
}

/** Two messages of one breath whose turn dies at this step, and then twice more soon after it began. */
async function runDeadly(at: number): Promise<Ended> {
  const home = await createTemporaryFolder();
  const outside: Outside = { home, effects: [], shown: [], texts: [], acknowledged: 0 };
  const base: Life = { messages: burst, kinds: ["never"] };
  for (const diesAt of [at, 3, 3])
    if ((await liveUntilDeath(outside, { ...base, diesAt })) === undefined)
      return { isCrashed: diesAt !== at, faults: [] };
  await liveUntilDeath(outside, base);
  const database = await StateDatabase.open({ path: join(home, "state.db") });
  const rows = database.all<{ state: string; message: string }>("SELECT state, message FROM inbox");
  database.close();
  const faults = rows.length === burst.length ? [] : [`${rows.length} of ${burst.length} messages are kept`];
  const apologies = outside.texts.filter(isApology);
  if (apologies.length > 1) faults.push(`${apologies.length} apologies`);
  const hasAnswer = outside.texts.includes("the second part");
  for (const { state, message: stored } of rows) {
    const { text } = JSON.parse(stored) as NewInbound;
    const isTold = state === "failed" ? apologies.some((each) => each.includes(`> ${text}`)) : hasAnswer;
    if (!isTold) faults.push(`nobody was told of "${text}" (${state})`);
  }
  return { isCrashed: true, faults };
}

/** Every step at which the turn of a burst can die for the first of three times. */
export async function exploreDeadly(): Promise<string[]> {
  const found: string[] = [];
  for (let at = 0, isCrashed = true; isCrashed; at++) {
    const ended = await runDeadly(at);
    isCrashed = ended.isCrashed;
    found.push(...ended.faults.map((fault) => `${at}: ${fault}`));
  }
  return found;
}

async function readMessages(
  home: string,
): Promise<Array<{ id: string; content: unknown; tool_calls?: unknown }>> {
  const names = await readdir(join(home, "sessions"), { recursive: true });
  const files = names.filter((name) => name.endsWith(".jsonl"));
  const texts = await Promise.all(files.map((name) => readFile(join(home, "sessions", name), "utf8")));
  const lines = texts.flatMap((text) => text.split("\n")).filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line)).filter(({ role }) => role !== undefined);
}

/** Every crash, and after it every second one up to `reach` steps into the next life. */
export async function exploreLives(
  kinds: readonly CallKind[],
  { losesPower = false, reach = 0 },
): Promise<string[]> {
  const found: string[] = [];
  for (let at = 0; ; at++) {
    const alone = await run(kinds, [{ at, losesPower }]);
    if (!alone.isCrashed) break;
    found.push(...alone.faults.map((fault) => `${at}: ${fault}`));
    for (let second = 0; second < reach; second++) {
      const { isCrashed, faults } = await run(kinds, [
        { at, losesPower },
        { at: second, losesPower },
      ]);
      if (!isCrashed) break;
      found.push(...faults.map((fault) => `${at}, ${second}: ${fault}`));
    }
  }
  return found;
}
