// The home of Hermes (PyPI package hermes-agent, 0.19): prompt files and memory as Markdown, `config.yaml` with keys in
// `.env`, jobs as JSON, conversations in `state.db`.
import { basename, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { parseYaml } from "../../lib/formats/front-matter.ts";
import { isRecord } from "../../lib/is-record.ts";
import { type JsonObject, parseJson } from "../../lib/json-tree.ts";
import type { Schedule } from "../jobs/job.ts";
import {
  type ForeignChannel,
  type ForeignFile,
  type ForeignHome,
  type ForeignHost,
  type ForeignJob,
  type ForeignMessage,
  type ForeignSession,
  type ForeignSettings,
  largestConfig,
  largestFile,
  toMessages,
  toTime,
} from "./foreign-home.ts";
import { hasTable, listNames, listOthers, parseEnvironment, readDatabase, readText } from "./read-foreign.ts";

const marks = ["config.yaml", "state.db", "memories"];
/** Between two entries of its memory files. */
const delimiter = /\n§\n/;
const deepestSkill = 3;

/** Undefined where the folder is no home of Hermes. */
export async function readHermes(folder: string): Promise<ForeignHome | undefined> {
  const names = [...listNames(folder, "file"), ...listNames(folder, "folder")];
  if (!marks.some((mark) => names.includes(mark))) return undefined;
  const unreadable = ["", "memories", "skills"].flatMap((name) => listOthers(join(folder, name)));
  const database = join(folder, "state.db");
  return {
    program: "hermes",
    folder,
    files: await listFiles(folder),
    skills: await listSkills(folder),
    jobs: await readJobs(join(folder, "cron", "jobs.json"), unreadable),
    settings: await readSettings(folder, unreadable),
    unreadable,
    unused: [],
    sessions: () => readDatabase(database, unreadable, (copy) => listSessions(copy, database)),
  };
}

async function listFiles(folder: string): Promise<ForeignFile[]> {
  const names = listNames(folder, "file");
  const prompts = ["AGENTS.md", "SOUL.md"].filter((name) => names.includes(name));
  const files: ForeignFile[] = prompts.map((name) => ({
    kind: "prompt",
    target: name,
    path: join(folder, name),
  }));
  for (const name of ["MEMORY.md", "USER.md"]) {
    const path = join(folder, "memories", name);
    const text = await readText(path, largestFile);
    if (text === undefined) continue;
    const entries = text.split(delimiter).map((entry) => `- ${entry.trim().replaceAll(/\s*\n\s*/g, " ")}`);
    files.push({
      kind: "memory",
      target: name === "USER.md" ? name : `memory/${name}`,
      path,
      text: entries.filter((entry) => entry !== "- ").join("\n"),
    });
  }
  return files;
}

/** Those that come with Hermes itself are left out: its manifest names them. */
async function listSkills(folder: string): Promise<string[]> {
  const root = join(folder, "skills");
  const manifest = (await readText(join(root, ".bundled_manifest"), largestFile)) ?? "";
  const bundled = new Set(manifest.split(/\r?\n/).map((line) => line.split(":", 1)[0]?.trim()));
  const folders: string[] = [];
  let level = [root];
  for (let depth = 0; depth <= deepestSkill; depth++) {
    const next: string[] = [];
    for (const place of level) {
      if (place !== root && listNames(place, "file").includes("SKILL.md")) folders.push(place);
      else
        next.push(
          ...listNames(place, "folder")
            .filter((name) => !name.startsWith("."))
            .map((name) => join(place, name)),
        );
    }
    level = next;
  }
  return folders.filter((skill) => !bundled.has(basename(skill)));
}

async function* listSessions(database: DatabaseSync, path: string): AsyncGenerator<ForeignSession> {
  if (!hasTable(database, "sessions") || !hasTable(database, "messages")) return;
  const rows = database.prepare("SELECT * FROM sessions ORDER BY started_at").all();
  const messages = database.prepare(
    "SELECT role, content, timestamp FROM messages WHERE session_id = ? ORDER BY id",
  );
  for (const { id, source, title, display_name: name, chat_type: type } of rows) {
    if (typeof id !== "string" || source === "cron" || source === "subagent") continue;
    const shown = [title, name].find((each) => typeof each === "string" && each !== "");
    yield {
      id,
      path,
      ...(typeof shown === "string" && { title: shown }),
      isGroup: typeof type === "string" && !["", "dm", "private", "direct"].includes(type),
      messages: toMessages(mapRows(messages.iterate(id))),
    };
  }
}

function* mapRows(rows: Iterable<unknown>): Generator<ForeignMessage | undefined> {
  for (const row of rows) {
    if (!isRecord(row)) continue;
    const { role, content, timestamp } = row;
    if ((role === "user" || role === "assistant") && typeof content === "string")
      yield { role, text: content, at: toTime(timestamp) ?? 0 };
  }
}

async function readJobs(path: string, unreadable: string[]): Promise<ForeignJob[]> {
  const text = await readText(path, largestConfig);
  if (text === undefined) return [];
  const file = parseJson(text);
  if (file === undefined) unreadable.push(path);
  const rows: unknown[] =
    isRecord(file) && Array.isArray(file.jobs) ? file.jobs : Array.isArray(file) ? file : [];
  return rows.filter(isRecord).flatMap(toJob);
}

function toJob(row: JsonObject): ForeignJob[] {
  const { id, name, prompt, enabled, schedule, no_agent: isScript } = row;
  if (typeof id !== "string") return [];
  const message = typeof prompt === "string" ? prompt : "";
  const planned =
    isScript === true || message === "" || !isRecord(schedule) ? undefined : toSchedule(schedule);
  const chat = toChat(row);
  return [
    {
      id,
      name: typeof name === "string" ? name : message,
      message,
      ...(planned !== undefined && { schedule: planned }),
      isEnabled: enabled !== false,
      ...(chat !== undefined && { chat }),
    },
  ];
}

function toSchedule({ kind, run_at: at, minutes, expr }: JsonObject): Schedule | undefined {
  const time = toTime(at);
  if (kind === "once" && time !== undefined) return { kind: "at", atMs: time };
  if (kind === "interval" && typeof minutes === "number" && minutes > 0)
    return { kind: "every", everyMs: minutes * 60_000 };
  return kind === "cron" && typeof expr === "string" ? { kind, expr } : undefined;
}

/** `telegram:123`, or the chat in which it was made. */
function toChat({ deliver, origin }: JsonObject): ForeignJob["chat"] {
  const [, channel, chatId] = /^([a-z]+):([^:]+)/.exec(typeof deliver === "string" ? deliver : "") ?? [];
  if (channel !== undefined && chatId !== undefined) return { channel, chatId };
  if (deliver === "local" || !isRecord(origin)) return undefined;
  const { platform, chat_id: chat } = origin;
  return typeof platform === "string" && chat !== undefined && chat !== null
    ? { channel: platform, chatId: String(chat) }
    : undefined;
}

async function readSettings(folder: string, unreadable: string[]): Promise<ForeignSettings> {
  const path = join(folder, "config.yaml");
  const text = await readText(path, largestConfig);
  const config = text === undefined ? {} : await parseYaml(text, largestConfig);
  if (!isRecord(config)) unreadable.push(path);
  const { model, mcp_servers: servers, custom_providers: custom } = isRecord(config) ? config : {};
  const variables = parseEnvironment((await readText(join(folder, ".env"), largestConfig)) ?? "");
  const chosen = toModel(model);
  return {
    path,
    ...(chosen !== undefined && { model: chosen }),
    hosts: listHosts(model, custom, variables),
    channels: listChannels(variables),
    servers: isRecord(servers) ? Object.keys(servers) : [],
  };
}

function toModel(model: unknown): string | undefined {
  if (typeof model === "string") return model === "" ? undefined : model;
  if (!isRecord(model)) return undefined;
  const { default: usual, name = usual, provider } = model;
  if (typeof name !== "string" || name === "") return undefined;
  const isNamed = typeof provider === "string" && !["", "auto", "custom"].includes(provider);
  return isNamed && !name.startsWith(`${provider}/`) ? `${provider}/${name}` : name;
}

function listHosts(model: unknown, custom: unknown, variables: ReadonlyMap<string, string>): ForeignHost[] {
  const blocks = [
    ...(isRecord(model) ? [{ ...model, name: model.provider }] : []),
    ...(Array.isArray(custom) ? custom.filter(isRecord) : []),
  ];
  const customHosts = blocks.flatMap(({ name, base_url: base, api_key: key }): ForeignHost[] =>
    typeof name === "string" && typeof base === "string" && base !== ""
      ? [{ name, apiBase: base, ...(typeof key === "string" && key !== "" && { apiKey: key }) }]
      : [],
  );
  const keyed = [...variables].flatMap(([variable, apiKey]): ForeignHost[] => {
    const [, name] = /^([A-Z0-9_]+)_API_KEY$/.exec(variable) ?? [];
    return name === undefined ? [] : [{ name: name.toLowerCase(), apiKey }];
  });
  return [
    ...customHosts,
    ...keyed.filter(({ name }) => !customHosts.some((host) => host.name === name && host.apiKey)),
  ];
}

function listChannels(variables: ReadonlyMap<string, string>): ForeignChannel[] {
  const take = (names: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(names).flatMap(([key, variable]) => {
        const value = variables.get(variable);
        return value === undefined ? [] : [[key, value]];
      }),
    );
  const allowed = (variable: string) => {
    const people = (variables.get(variable) ?? "").split(",").map((one) => one.trim());
    const known = people.filter((one) => one !== "" && one !== "*");
    return known.length === 0 ? {} : { allowFrom: known };
  };
  const foreignChannels: ForeignChannel[] = [
    {
      name: "telegram",
      isEnabled: true,
      settings: allowed("TELEGRAM_ALLOWED_USERS"),
      secrets: take({ token: "TELEGRAM_BOT_TOKEN" }),
    },
    {
      name: "feishu",
      isEnabled: true,
      settings: { ...take({ appId: "FEISHU_APP_ID" }), ...allowed("FEISHU_ALLOWED_USERS") },
      secrets: take({ appSecret: "FEISHU_APP_SECRET" }),
    },
    ...["DISCORD_BOT_TOKEN", "SLACK_BOT_TOKEN", "WHATSAPP_ENABLED", "SIGNAL_ACCOUNT", "MATRIX_ACCESS_TOKEN"]
      .filter((variable) => variables.has(variable))
      .map((variable) => ({
        name: (variable.split("_", 1)[0] ?? "").toLowerCase(),
        isEnabled: true,
        settings: {},
        secrets: {},
      })),
  ];
  return foreignChannels.filter(
    ({ name, secrets }) => !["telegram", "feishu"].includes(name) || Object.keys(secrets).length > 0,
  );
}
