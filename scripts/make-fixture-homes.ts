// Makes test/fixtures/homes with the real program of a checkout that is built: node scripts/make-fixture-homes.ts <checkout of 0.1.0>.
// Its clock is in a year that is over, so that what is due by then stays due.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { ChatScene } from "../test/support/chat-scene.ts";
import { fixtureHomes, listFiles, packHome } from "../test/support/fixture-home.ts";
import {
  hangingCommand,
  type KilledStep,
  killedCommand,
  killedSteps,
  toQuestion,
} from "../test/support/killed-steps.ts";
import { answerMarked } from "../test/support/marked-model.ts";

/** What is used of the checkout's own client of the socket. */
interface WebClient {
  ask(method: string, params: object): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

const patienceMs = 120_000;
const begin = "2026-02-03T09:00:00Z";
const owner = { id: 1000, chat: { id: 1000, type: "private" } };
const guest = { id: 2000, chat: { id: 2000, type: "private" } };
const group = { id: 2000, chat: { id: -3000, type: "group" } };

const checkout = resolve(process.argv[2] ?? "");
const folder = await mkdtemp(join(tmpdir(), "nanobot-fixtures-"));
const preloaded = ["shifted-date.mjs", "die-after.mjs"].map((name) =>
  join(import.meta.dirname, "../test/support", name),
);
const program = [
  process.execPath,
  ...preloaded.flatMap((path) => ["--import", path]),
  join(checkout, "bin/nanobot.mjs"),
];
const variables = { TZ: "UTC", LANG: "en_US.UTF-8", DATE_SHIFT_FILE: join(folder, "shift") };
/** Summaries wait for it. */
let maySummarise: Promise<void> = Promise.resolve();

await writeFile(variables.DATE_SHIFT_FILE, String(Date.parse(begin) - Date.now()));
await rm(fixtureHomes, { recursive: true, force: true });
await makePeople();
for (const step of killedSteps) await makeKilled(step);
await rm(folder, { recursive: true });

async function makeKilled({ name, commit, file }: KilledStep): Promise<void> {
  await using scene = await openScene();
  await start(scene);
  await say(scene, owner, "Hello. #a1");
  await scene.kill("SIGTERM");
  await start(scene, { ...(commit && { DIE_AFTER_COMMIT: commit }), ...(file && { DIE_AFTER_FILE: file }) });
  const command = (commit ?? file) ? killedCommand : hangingCommand;
  send(scene, owner, name.endsWith("summarised") ? "/new" : toQuestion(command));
  if (command === hangingCommand) {
    await until(async () => (await scene.readEffects()).length > 0, "the command runs");
    await scene.kill();
  }
  await until(() => scene.hasEnded, `death at ${name}`);
  await pack(scene, `killed-${name}`);
}

/** Two people and a group with all that they can have; the guest's last conversation is closed and not summarised yet. */
async function makePeople(): Promise<void> {
  await using scene = await openScene();
  await start(scene);
  await makeArchived(scene);
  await say(scene, owner, "Another day. #o4");
  await say(scene, group, "@nano_bot Another day. #r2");
  const isTold = (texts: string[]) => texts.at(-1)?.includes("#s1") === true;
  await say(scene, owner, 'Please do spawn {"task": "Look it up. #s1"} #o5', isTold);
  await addJobs(scene);
  await useBrowser(scene);
  const held = Promise.withResolvers<void>();
  maySummarise = held.promise;
  await say(scene, guest, "/new");
  const isNoted = async () =>
    (await listFiles(scene.see("sessions"))).some((path) => path.includes("/pending/"));
  await until(isNoted, "a note");
  await scene.kill();
  held.resolve();
  maySummarise = Promise.resolve();
  await pack(scene, "people");
}

/** A conversation of each, with a change of a file that is undone; the guest is let in by a code. */
async function makeArchived(scene: ChatScene): Promise<void> {
  await say(scene, owner, "My word is amberkestrel. #o1");
  const write = (content: string) => `do write_file ${JSON.stringify({ path: "notes.md", content })}`;
  await say(scene, owner, `Please ${write("first")} #o2`);
  await say(scene, owner, `Please ${write("second")} #o3`);
  await say(scene, owner, "/undo");
  const invitation = await say(scene, guest, "May I come in? #g0");
  const code = /\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/.exec(invitation)?.[0] ?? "";
  await nanobot(scene, "pairing", "approve", code, "--person", "ann");
  await say(scene, guest, "My word is cobaltheron. #g1");
  await say(scene, group, "@nano_bot Our word is violetegret. #r1");
  const places = [
    [owner, "."],
    [guest, "people/ann"],
    [group, "groups/telegram--3000"],
  ] as const;
  for (const [place, root] of places) {
    await say(scene, place, place === group ? "/new@nano_bot" : "/new");
    const path = scene.see("workspace", root, "memory/history.jsonl");
    await until(async () => (await readFile(path, "utf8").catch(() => "")) !== "", `summary in ${root}`);
  }
}

/** Two that are due long before today, and two that never are. */
async function addJobs(scene: ChatScene): Promise<void> {
  const add = (name: string, message: string, to: string, ...when: string[]) =>
    nanobot(
      scene,
      ...["cron", "add", "--name", name, "-m", message, "--deliver", "--channel", "telegram", "--to", to],
      ...when,
    );
  await add("often", "Every half hour. #j1", "1000", "--every", "30m");
  await add("yearly", "Once a year. #j2", "2000", "--cron", "0 9 4 2 *", "--tz", "Asia/Shanghai");
  await add("far", "Far away. #j3", "1000", "--at", "2099-01-01T09:00");
  const job = { action: "add", message: "Of the guest. #j4", at: "2099-06-01T09:00:00" };
  await say(scene, guest, `Please do cron ${JSON.stringify(job)} #g2`);
}

/** A branch, and one that was taken back. */
async function useBrowser(scene: ChatScene): Promise<void> {
  const { createControlClient } = await import(join(checkout, "src/server/control.ts"));
  const { openWebClient } = await import(join(checkout, "test/support/web-client.ts"));
  const address = JSON.parse(await readFile(scene.see("run/gateway.json"), "utf8"));
  const client: WebClient = await openWebClient({ url: address.url, control: createControlClient(address) });
  const sessionKey = "web:talk";
  const ids: unknown[] = [];
  for (const text of ["In the browser. #w1", "And more. #w2"]) {
    ids.push((await client.ask("chat.send", { sessionKey, text })).turnId);
    const isAnswered = async () =>
      JSON.stringify(await client.ask("chat.open", { sessionKey })).includes(`Answer to ${text.slice(-3)}`);
    await until(isAnswered, text);
  }
  await client.ask("chat.branch", { sessionKey, before: ids[1] });
  await client.ask("chat.rewind", { sessionKey, entryId: ids[1] });
  await client.close();
}

function openScene(): Promise<ChatScene> {
  return ChatScene.open({
    program,
    chats: 1,
    config: { memory: { autoRecall: false } },
    channels: { collectMs: 0, sendToolHints: false },
    telegram: { reactEmoji: "", streaming: false, groupPolicy: "mention" },
    async reply(messages) {
      const reply = answerMarked(messages);
      if (reply.text.startsWith("Summary")) await maySummarise;
      return reply;
    },
  });
}

async function start(scene: ChatScene, env: NodeJS.ProcessEnv = {}): Promise<void> {
  const { polls } = scene.telegram;
  scene.start({ env: { ...variables, ...env } });
  await until(() => scene.telegram.polls > polls || scene.hasEnded, "a start");
  if (scene.hasEnded) throw new Error("it died too early");
}

function send({ telegram }: ChatScene, { id, chat }: typeof owner, text: string): void {
  telegram.say(text, { chat, from: { id, is_bot: false, first_name: "P" } });
}

/** Resolves with what is told there next. */
async function say(
  scene: ChatScene,
  place: typeof owner,
  text: string,
  isOver = (texts: string[]) => texts.length > 0,
): Promise<string> {
  const told = () =>
    scene.telegram.messages
      .filter(({ chatId }) => chatId === String(place.chat.id))
      .map((message) => message.text);
  const before = told().length;
  send(scene, place, text);
  await until(() => isOver(told().slice(before)), `an answer to ${text}`);
  return told().at(-1) ?? "";
}

async function nanobot(scene: ChatScene, ...argv: string[]): Promise<void> {
  const [file = "", ...args] = program;
  const env = { ...process.env, ...variables, NANOBOT_HOME: scene.see(), HOME: scene.see() };
  await promisify(execFile)(file, [...args, ...argv], { env });
}

async function pack(scene: ChatScene, name: string): Promise<void> {
  const messages = scene.telegram.messages.map(({ chatId, text }) => ({ chatId, text }));
  await packHome(scene.see(), join(fixtureHomes, name), {
    ...scene.addresses,
    home: scene.see(),
    program: checkout,
  });
  await writeFile(join(fixtureHomes, name, "told.json"), `${JSON.stringify(messages, null, 2)}\n`);
  console.log(name);
}

async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = performance.now() + patienceMs; !(await condition()); ) {
    if (performance.now() > end) throw new Error(`never came: ${what}`);
    await sleep(20);
  }
}
