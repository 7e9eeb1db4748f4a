// What an owner, a guest and a group may do in any order, as data: for the rule that nothing of one of them reaches another.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { ignoreMissing } from "../../src/storage/files/plain-file.ts";
import { keyOf, type Place, placeNames, places } from "./scope-places.ts";
import type { ScopeScene, Viewer } from "./scope-scene.ts";

const commands = [
  ...["/new", "/compact", "/undo", "/export", "/search code word", "/why code word", "/context"],
  ...["/dream", "/dream-log", "/cron", "/status", "/usage", "/agents"],
] as const;
const files = ["notes.md", "memory/MEMORY.md", "memory/history.jsonl", `memory/${toDay(new Date())}.md`];
const killed = ["say", "write", "/new", "/compact", "/dream"] as const;
const pageWays = [
  ...["list", "open", "export", "search", "branch", "rewind", "remove", "talk"],
  ...["jobs", "run", "memory"],
] as const;

type Way = (typeof pageWays)[number];

export type Action =
  | { do: "say" | "searchTool" | "plan" | "jobs" | "grep"; place: Place; byOwner: boolean }
  | { do: "write" | "read" | "look"; place: Place; byOwner: boolean; file: string; other: Place }
  | { do: "command"; place: Place; byOwner: boolean; command: string }
  | { do: "page"; viewer: Viewer; way: Way; which: number }
  | { do: "restart" }
  | { do: "kill"; place: Place; during: (typeof killed)[number] };

const place = fc.constantFrom(...placeNames);
const byOwner = fc.boolean();
const others = { place, byOwner, file: fc.constantFrom(...files), other: place };

export const actionArbitrary: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("say"), place, byOwner }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom("searchTool", "plan", "jobs", "grep"), place, byOwner }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("write", "read", "look"), ...others }) },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant("command"),
      place,
      byOwner,
      command: fc.constantFrom(...commands),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant("page"),
      viewer: fc.constantFrom("owner", "guest"),
      way: fc.constantFrom(...pageWays),
      which: fc.nat(1_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart") }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("kill"), place, during: fc.constantFrom(...killed) }),
  },
) as fc.Arbitrary<Action>;

export async function perform(scene: ScopeScene, action: Action): Promise<void> {
  if (action.do === "restart") await scene.restart();
  else if (action.do === "kill") await scene.killDuring(action.place, toKilled(action));
  else if (action.do === "page") await turnPage(scene, action);
  else await speak(scene, action);
  scene.check();
}

/** Everyone looks for what is there, by every way that finds something. */
export async function lookEverywhere(scene: ScopeScene): Promise<void> {
  for (const name of placeNames) {
    await scene.say(name, "/search code word");
    await scene.use(name, "memory_search", { query: "code word" });
    await scene.use(name, "cron", { action: "list" });
  }
  await scene.ask("guest", "chat.list", {});
  await scene.ask("guest", "chat.list", { archived: true });
  await scene.ask("guest", "jobs.list", {});
  for (const viewer of ["owner", "guest"] as const)
    await scene.ask(viewer, "chat.search", { query: "code word" }, viewer);
  scene.check();
  await scene.settle();
  await scene.checkFiles();
}

function confession(name: Place): string {
  return `My code word is ${places[name].secret}. ${"Please keep it in mind. ".repeat(10)}`;
}

function toKilled({ place: name, during }: Extract<Action, { do: "kill" }>): string {
  if (during === "say") return confession(name);
  if (during !== "write") return during;
  const content = `The code word is ${places[name].secret}.`;
  return `${content} do write_file ${JSON.stringify({ path: "notes.md", content })}`;
}

type Speech = Extract<Action, { place: Place; byOwner: boolean }>;

async function speak(scene: ScopeScene, action: Speech): Promise<unknown> {
  const { place: name } = action;
  const from = name === "group" && action.byOwner ? places.owner.from : places[name].from;
  const { secret } = places[name];
  const use = (tool: string, args: object) => scene.use(name, tool, args, from);
  switch (action.do) {
    case "say":
      return scene.say(name, confession(name), from);
    case "searchTool":
      return use("memory_search", { query: "code word" });
    case "plan":
      return use("cron", { action: "add", message: `Say the code word ${secret}`, every_seconds: 86_400 });
    case "jobs":
      return use("cron", { action: "list" });
    case "grep":
      return use("grep", { pattern: "code word", path: ownersOnly(scene, name) ?? "." });
    case "command":
      // An owner is shown the jobs of all by `/cron`, and no model is.
      if (name === "owner" && action.command === "/cron") return undefined;
      return scene.say(name, action.command, from);
    case "write":
      return use("write_file", { path: action.file, content: `- The code word is ${secret}.\n` });
    case "read":
      return use("read_file", { path: action.file });
    case "look":
      return use("read_file", { path: await toTarget(scene, action) });
  }
}

/** An owner may read everything in the workspace; nobody else leaves their own folder. */
function ownersOnly(scene: ScopeScene, name: Place): string | undefined {
  return name === "owner" ? undefined : scene.home.workspace;
}

/** A file of another one, or the conversation of one. */
async function toTarget(
  { home: { home, workspace } }: ScopeScene,
  { place: name, file, other }: Extract<Action, { other: Place }>,
): Promise<string> {
  if (name === "owner") return file;
  if (file !== "notes.md") return join(workspace, places[other].root, file);
  const folder = join(home, "sessions");
  const names = (await readdir(folder, { recursive: true }).catch(ignoreMissing)) ?? [];
  const stem = Buffer.from(keyOf(other)).toString("base64url");
  return join(folder, names.find((each) => each.includes(stem)) ?? "");
}

async function turnPage(
  scene: ScopeScene,
  { viewer, way, which }: Extract<Action, { do: "page" }>,
): Promise<void> {
  const talks = [...scene.talks];
  const [sessionKey = "", place = "owner"] = talks[which % talks.length] ?? [];
  switch (way) {
    case "list":
      await scene.ask(viewer, "chat.list", { archived: which % 2 === 0 });
      return;
    case "open":
      await scene.askAbout(viewer, place, "chat.open", { sessionKey });
      return;
    case "export":
      await scene.askAbout(viewer, place, "chat.export", { sessionKey, format: "json" });
      return;
    case "search":
      await scene.ask(viewer, "chat.search", { query: "code word" }, viewer);
      return;
    case "branch": {
      const made = await scene.askAbout(viewer, place, "chat.branch", { sessionKey });
      if (made === undefined) return;
      scene.talks.set(made.sessionKey, place);
      await scene.write(viewer, made.sessionKey, confession(place));
      return;
    }
    case "rewind": {
      const opened = await scene.askAbout(viewer, place, "chat.open", { sessionKey });
      const users = opened?.entries.filter(({ role }) => role === "user") ?? [];
      const entryId = users[which % users.length]?.id;
      if (entryId !== undefined) await scene.askAbout(viewer, place, "chat.rewind", { sessionKey, entryId });
      return;
    }
    case "remove": {
      const removed = await scene.askAbout(viewer, place, "chat.remove", { sessionKey });
      if (removed === undefined) return;
      // What an owner has removed nobody else brings back; what a guest has removed an owner may.
      await scene.askAbout(which % 2 === 0 ? viewer : "guest", place, "chat.recover", removed);
      return;
    }
    case "talk":
      await talk(scene, viewer, { sessionKey, place });
      return;
    case "jobs":
      await scene.ask(viewer, "jobs.list", {});
      return;
    case "run":
      await runJob(scene, viewer, which);
      return;
    case "memory":
      await readMemory(scene, viewer);
      return;
  }
}

/** Where nothing was said yet, a conversation is whose who speaks first, whatever its key. */
async function talk(
  scene: ScopeScene,
  viewer: Viewer,
  { sessionKey, place: whose }: { sessionKey: string; place: Place },
): Promise<void> {
  const opened = await scene.askAbout(viewer, whose, "chat.open", { sessionKey });
  if (opened !== undefined && opened.entries.length > 0)
    await scene.write(viewer, sessionKey, confession(whose));
}

async function runJob(scene: ScopeScene, viewer: Viewer, which: number): Promise<void> {
  const { jobs } = await scene.home.client.call("jobs.list", {});
  const planned = jobs.filter(({ kind }) => kind === "turn");
  const job = planned[which % planned.length];
  const whose = placeNames.find((name) => String(places[name].chat.id) === job?.chatId);
  if (job !== undefined && whose !== undefined) await scene.runJob(viewer, job.id, whose);
}

async function readMemory(scene: ScopeScene, viewer: Viewer): Promise<void> {
  const listed = await scene.ask(viewer, "memory.files", {}, viewer);
  for (const { path } of listed?.files ?? []) await scene.ask(viewer, "memory.read", { path }, viewer);
  await scene.ask(viewer, "memory.log", {}, viewer);
  await scene.ask(viewer, "memory.search", { query: "code word" }, viewer);
}

function toDay(date: Date): string {
  const two = (number: number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
