// The home of OpenClaw (npm package openclaw, 2026.9): `openclaw.json`, a workspace with prompt files, memory and skills,
// and databases with conversations and automations. Older versions keep these as JSON files. A workspace alone is read too.
import { isAbsolute, join, relative } from "node:path";
import { isRecord } from "../../lib/is-record.ts";
import { getIn, type JsonObject } from "../../lib/json-tree.ts";
import { expandTilde } from "../home.ts";
import type {
  ForeignChannel,
  ForeignFile,
  ForeignHome,
  ForeignHost,
  ForeignSettings,
} from "./foreign-home.ts";
import { largestConfig } from "./foreign-home.ts";
import { readOpenClawJobs, readOpenClawSessions, readProfiles } from "./openclaw-state.ts";
import { listNames, listOthers, parseEnvironment, parseLooseJson, readText } from "./read-foreign.ts";

const configNames = ["openclaw.json", "clawdbot.json", "moltbot.json"];
const promptFiles = ["AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md", "HEARTBEAT.md"];
const unusedFiles = ["BOOTSTRAP.md", "BOOT.md"];
const mainAgent = "main";

/** Undefined where the folder is no home of OpenClaw and no workspace. */
export async function readOpenClaw(folder: string, env: NodeJS.ProcessEnv): Promise<ForeignHome | undefined> {
  const names = listNames(folder, "file");
  const configName = configNames.find((name) => names.includes(name));
  const isWorkspace = names.includes("AGENTS.md") || names.includes("SOUL.md");
  if (configName === undefined && !isWorkspace && !listNames(folder, "folder").includes("agents"))
    return undefined;
  const unreadable: string[] = [];
  const path = configName === undefined ? undefined : join(folder, configName);
  const config = path === undefined ? {} : await readConfig(path, unreadable);
  const workspace = isWorkspace ? folder : findWorkspace(folder, config, env);
  unreadable.push(...["", "memory", "skills"].flatMap((name) => listOthers(join(workspace, name))));
  const agents = listNames(join(folder, "agents"), "folder");
  return {
    program: "openclaw",
    folder,
    files: listFiles(workspace),
    skills: [
      ...listSkills(join(workspace, "skills")),
      ...(isWorkspace ? [] : listSkills(join(folder, "skills"))),
    ],
    jobs: await readOpenClawJobs(folder, unreadable),
    ...(path !== undefined && { settings: await readSettings(path, config, { folder, agents }) }),
    unreadable,
    unused: listNames(workspace, "file")
      .filter((name) => unusedFiles.includes(name))
      .map((name) => join(workspace, name)),
    sessions: () => readOpenClawSessions(folder, agents, unreadable),
  };
}

async function readConfig(path: string, unreadable: string[]): Promise<JsonObject> {
  const config = await parseLooseJson((await readText(path, largestConfig)) ?? "");
  if (config === undefined) unreadable.push(path);
  return config ?? {};
}

/** Of the main agent. A home that was copied to another place still names the old one. */
function findWorkspace(folder: string, config: JsonObject, env: NodeJS.ProcessEnv): string {
  const named = [
    getIn(config, ["agents", "entries", mainAgent, "workspace"]),
    ...listAgents(config).flatMap((agent) => (agent.default === true ? [agent.workspace] : [])),
    getIn(config, ["agents", "defaults", "workspace"]),
    getIn(config, ["agent", "workspace"]),
  ].find((value) => typeof value === "string");
  const configured = typeof named === "string" ? expandTilde(named, env) : join(folder, "workspace");
  const below = relative(expandTilde("~/.openclaw", env), configured);
  const isBelow = below !== "" && !below.startsWith("..") && !isAbsolute(below);
  const places = [...(isBelow ? [join(folder, below)] : []), configured, join(folder, "workspace")];
  return places.find((place) => listNames(place, "file").length > 0) ?? join(folder, "workspace");
}

function listAgents(config: JsonObject): JsonObject[] {
  const [list, entries] = [getIn(config, ["agents", "list"]), getIn(config, ["agents", "entries"])];
  return [...(Array.isArray(list) ? list : []), ...(isRecord(entries) ? Object.values(entries) : [])].filter(
    isRecord,
  );
}

function listFiles(workspace: string): ForeignFile[] {
  const names = new Set(listNames(workspace, "file"));
  const prompts = promptFiles.filter((name) => names.has(name));
  const memory = ["MEMORY.md", "memory.md"].find((name) => names.has(name));
  return [
    ...prompts.map((name) => ({ kind: "prompt" as const, target: name, path: join(workspace, name) })),
    ...(names.has("USER.md")
      ? [{ kind: "memory" as const, target: "USER.md", path: join(workspace, "USER.md") }]
      : []),
    ...(memory === undefined
      ? []
      : [{ kind: "memory" as const, target: "memory/MEMORY.md", path: join(workspace, memory) }]),
    // `2026-08-01.md` before `2026-08-01-topic.md`.
    ...listNames(join(workspace, "memory"), "file")
      .flatMap((name) => (name.endsWith(".md") ? [name.slice(0, -3)] : []))
      .sort()
      .map((name) => toMemoryFile(join(workspace, "memory"), `${name}.md`)),
  ];
}

/** `2026-08-01.md` and `2026-08-01-topic.md` are notes of that day; other files are documents to be found by search. */
function toMemoryFile(folder: string, name: string): ForeignFile {
  const path = join(folder, name);
  const [, day] = /^(\d{4}-\d\d-\d\d)(?:-.*)?\.md$/.exec(name) ?? [];
  if (day !== undefined) return { kind: "note", target: `memory/${day}.md`, path };
  if (name === "MEMORY.md") return { kind: "memory", target: "memory/MEMORY.md", path };
  return { kind: "document", target: `knowledge/openclaw/${name}`, path };
}

function listSkills(folder: string): string[] {
  return listNames(folder, "folder")
    .map((name) => join(folder, name))
    .filter((skill) => listNames(skill, "file").some((name) => name.toLowerCase() === "skill.md"));
}

async function readSettings(
  path: string,
  config: JsonObject,
  { folder, agents }: { folder: string; agents: readonly string[] },
): Promise<ForeignSettings> {
  const variables = parseEnvironment((await readText(join(folder, ".env"), largestConfig)) ?? "");
  const vars = getIn(config, ["env", "vars"]);
  for (const [name, value] of Object.entries({ ...readRecord(config.env), ...readRecord(vars) }))
    if (typeof value === "string") variables.set(name, value);
  const secret = (value: unknown) => readSecret(value, variables);
  const model = getIn(config, ["agents", "defaults", "model"]);
  const chosen = isRecord(model) ? model.primary : model;
  const channels = readRecord(config.channels);
  return {
    path,
    ...(typeof chosen === "string" && { model: chosen }),
    hosts: joinHosts([
      ...Object.entries(readRecord(getIn(config, ["models", "providers"]))).flatMap(([name, block]) =>
        isRecord(block) ? [toHost(name, block, secret)] : [],
      ),
      ...(await readProfiles(folder, agents)),
      ...[...variables].flatMap(([name, apiKey]) => {
        const [, host] = /^([A-Z0-9_]+)_API_KEY$/.exec(name) ?? [];
        return host === undefined ? [] : [{ name: host.toLowerCase(), apiKey }];
      }),
    ]),
    channels: Object.entries(channels).flatMap(([name, block]) =>
      isRecord(block) && name !== "defaults" ? [toChannel(name, block, secret)] : [],
    ),
    servers: Object.keys(readRecord(getIn(config, ["mcp", "servers"]))),
  };
}

function readRecord(value: unknown): JsonObject {
  return isRecord(value) ? value : {};
}

type ReadSecret = (value: unknown) => string | undefined;

/** A value, `${NAME}`, or a reference to a variable; one that a program or vault holds cannot be read. */
function readSecret(value: unknown, variables: ReadonlyMap<string, string>): string | undefined {
  if (isRecord(value)) return value.source === "env" ? variables.get(String(value.id)) : undefined;
  if (typeof value !== "string" || value === "") return undefined;
  const [, name] = /^\$\{(\w+)\}$/.exec(value) ?? [];
  return name === undefined ? value : variables.get(name);
}

function toHost(name: string, { baseUrl, apiKey }: JsonObject, secret: ReadSecret): ForeignHost {
  const key = secret(apiKey);
  return {
    name,
    ...(typeof baseUrl === "string" && { apiBase: baseUrl }),
    ...(key !== undefined && { apiKey: key }),
  };
}

/** What the first source says counts. */
function joinHosts(hosts: ForeignHost[]): ForeignHost[] {
  const hostByName = new Map<string, ForeignHost>();
  for (const host of hosts) hostByName.set(host.name, { ...host, ...hostByName.get(host.name) });
  return [...hostByName.values()];
}

function toChannel(name: string, block: JsonObject, secret: ReadSecret): ForeignChannel {
  // One account is enough here; others have to be set up by hand.
  const accounts = Object.values(readRecord(block.accounts)).filter(isRecord);
  const merged: JsonObject = { ...(readRecord(block.accounts).default ?? accounts[0] ?? {}), ...block };
  const secrets: Record<string, string> = {};
  const takeSecret = (key: string, value: unknown) => {
    const secretValue = secret(value);
    if (secretValue !== undefined) secrets[key] = secretValue;
  };
  const settings: Record<string, unknown> = {};
  if (name === "telegram") {
    takeSecret("token", merged.botToken);
    if (typeof merged.apiRoot === "string") settings.apiBase = merged.apiRoot;
  }
  if (name === "feishu") {
    if (typeof merged.appId === "string") settings.appId = merged.appId;
    if (merged.domain === "lark" || merged.domain === "feishu") settings.domain = merged.domain;
    takeSecret("appSecret", merged.appSecret);
  }
  if (["telegram", "feishu"].includes(name)) {
    const allowed = Array.isArray(merged.allowFrom) ? merged.allowFrom.map(String) : [];
    // Open to everyone there; here everyone has to be let in.
    const known = allowed
      .map((one) => one.replace(/^(tg|telegram|feishu|lark):/i, ""))
      .filter((one) => one !== "*");
    if (known.length > 0) settings.allowFrom = known;
  }
  return { name, isEnabled: merged.enabled !== false, settings, secrets };
}
