// Everything that can be asked of a gateway, with params that an owner is not refused for. The tables of the program say
// what there is: what has no row here does not compile, or fails the test of the access matrix.
import type { MethodName, ParamsOf } from "../../src/server/protocol.ts";
import type { OwnersThings, Things } from "./access-scene.ts";

const english = { language: "english" } as const;
const draft = {
  name: "tea",
  message: "Tell me to make tea",
  schedule: { kind: "every", everyMs: 86_400_000 },
  misfire: "once",
  chat: { channel: "cli", chatId: "direct" },
} as const;
const plan = { host: "ollama", model: "m", apiBase: "http://127.0.0.1:9/v1" };

type Owned = Things & OwnersThings;

/** In an order in which nothing is used after it was removed. */
export const socketRows: { [Name in MethodName]: (of: Owned) => ParamsOf<Name> } = {
  "chat.list": () => ({}),
  "chat.open": ({ sessionKey }) => ({ sessionKey }),
  "chat.entry": ({ sessionKey, entryId }) => ({ sessionKey, entryId }),
  "chat.send": ({ sessionKey, fileId }) => ({ sessionKey, text: "/status", files: [fileId] }),
  "chat.stop": ({ sessionKey }) => ({ sessionKey }),
  "chat.answer": ({ sessionKey }) => ({ sessionKey, askId: "x", choice: "always" }),
  "chat.label": ({ sessionKey }) => ({ sessionKey, title: "T" }),
  "chat.search": () => ({ query: "It is" }),
  "chat.find": ({ entryId }) => ({ reference: entryId }),
  "chat.export": ({ sessionKey }) => ({ sessionKey, format: "markdown" }),
  "chat.models": () => ({}),
  "chat.choose-model": () => ({}),
  "chat.compact": () => ({}),
  "chat.new": () => ({}),
  "chat.status": () => ({}),
  "chat.save": () => ({}),
  "chat.undo": () => ({}),
  "trust.give": () => ({ minutes: 30 }),
  "trust.end": () => ({}),
  "trust.forget": () => ({ which: "all" }),
  "subagents.list": () => ({}),
  "subagents.stop": () => ({ id: "x" }),
  "chat.complete": () => ({}),
  "file.put": () => ({ fileId: "file-second", name: "b.txt", offset: 0, data: "YQ==", isLast: true }),
  "file.transcribe": () => ({ fileId: "file-second" }),
  "memory.files": () => ({}),
  "memory.read": () => ({ path: "memory/MEMORY.md" }),
  "memory.log": () => ({}),
  "memory.change": ({ version }) => ({ id: version }),
  "memory.why": () => ({ text: "It is" }),
  "memory.search": () => ({ query: "It is" }),
  "memory.preview": () => ({ words: "quetzal" }),
  "memory.forget": ({ digest }) => ({ words: "quetzal", digest }),
  "memory.restore": ({ version }) => ({ id: version }),
  "memory.save": () => ({ path: "memory/MEMORY.md", text: "- It was\n", hash: "" }),
  "memory.dream": () => ({}),
  "chat.branch": ({ sessionKey }) => ({ sessionKey }),
  "chat.rewind": ({ sessionKey, entryId }) => ({ sessionKey, entryId }),
  "chat.recover": ({ undo }) => ({ undo }),
  "chat.remove": ({ sessionKey }) => ({ sessionKey }),
  "context.inspect": ({ sessionKey }) => ({ sessionKey }),
  "context.request": ({ sessionKey }) => ({ sessionKey }),
  "context.text": ({ sessionKey }) => ({ sessionKey, kind: "layer", name: "identity" }),
  "usage.report": () => ({ by: "cause", from: 0 }),
  "usage.budgets": () => ({}),
  "usage.summary": () => ({}),
  "usage.csv": () => ({ by: "cause", from: 0 }),
  "jobs.list": () => ({}),
  "jobs.chats": () => ({}),
  "questions.answer": () => ({ questionId: "x", choice: "no" }),
  ping: () => ({}),
  "jobs.preview": () => ({ schedule: draft.schedule }),
  "jobs.calendar": () => ({ days: [0, 86_400_000] }),
  "jobs.add": () => draft,
  "jobs.edit": ({ job }) => ({ ...draft, id: job }),
  "jobs.enable": ({ job }) => ({ id: job, enabled: false }),
  "jobs.run": ({ job }) => ({ id: job }),
  "jobs.remove": ({ job }) => ({ id: job }),
  "jobs.restore": ({ removedJob }) => ({ id: removedJob }),
  "heartbeat.read": () => ({}),
  "heartbeat.aim": () => ({ target: "last" }),
  "skills.list": () => english,
  "skills.show": () => ({ name: "tea", ...english }),
  "skills.extensions": () => english,
  "skills.stage": () => ({ offer: { text: "---\nname: pie\ndescription: A pie\n---\n# Pie\n" }, ...english }),
  "skills.add": ({ stages }) => ({ stage: stages[0] ?? "", isAccepted: false, ...english }),
  "skills.discard": ({ stages }) => ({ stage: stages[1] ?? "" }),
  "skills.allow": ({ skillHash }) => ({ name: "tea", hash: skillHash }),
  "skills.switch": () => ({ name: "tea", isOn: false }),
  "skills.remove": ({ skillHash }) => ({ name: "tea", hash: skillHash }),
  "channels.list": () => ({}),
  "channels.form": () => ({ name: "telegram" }),
  "channels.check": () => ({ name: "telegram", values: {} }),
  "channels.save": () => ({ name: "telegram", values: { reactEmoji: "👍" } }),
  "pairing.list": () => ({}),
  "pairing.approve": ({ codes }) => ({ code: codes[0] ?? "", role: "owner" }),
  "pairing.deny": ({ codes }) => ({ code: codes[1] ?? "" }),
  "pairing.revoke": () => ({ channel: "telegram", senderId: "11" }),
  "mcp.list": () => ({}),
  "mcp.test": () => ({}),
  "mcp.add": () => ({ servers: { one: { url: "http://127.0.0.1:9/mcp" } } }),
  "mcp.remove": () => ({ name: "one" }),
  "extensions.list": () => ({ kind: "tools" }),
  "extensions.allow": () => ({ kind: "tools", name: "none" }),
  "extensions.remove": () => ({ kind: "channels", name: "none" }),
  "outbox.list": () => ({}),
  "outbox.retry": () => ({ id: "x" }),
  "outbox.drop": () => ({ id: "x" }),
  "terminal.ask": () => ({ sessionKey: "cli:direct", text: "Hello", canAsk: false }),
  "terminal.run": () => ({ sessionKey: "cli:direct", command: "echo hello", runId: "r" }),
  "terminal.cancel": () => ({ runId: "r" }),
  "models.state": () => ({}),
  "models.hosts": () => ({}),
  "models.local": () => ({}),
  "models.test": () => plan,
  "models.use": () => ({ ...plan, isUntested: true }),
  "config.read": () => ({}),
  "config.patch": () => ({ changes: [{ path: ["agents", "defaults", "temperature"], value: 0.2 }] }),
  "logs.follow": () => ({ isOn: false }),
  "gateway.status": () => ({}),
  "gateway.stop": () => ({}),
  "gateway.restart": () => ({}),
  "web.link": () => ({ role: "guest", person: "eve" }),
  "web.sign-out": () => ({ person: "eve" }),
};

export interface HttpRow {
  /** As the program names it. */
  route: string;
  path(of: Owned): string;
  method?: string;
  body?: unknown;
}

const toMedia = ({ sessionKey, entryId }: Things) =>
  `/api/media/${Buffer.from(sessionKey).toString("base64url")}/${entryId}/0`;
const question = { model: "nanobot", messages: [{ role: "user", content: "Hello" }] };

export const httpRows: HttpRow[] = [
  { route: "GET /health", path: () => "/health" },
  { route: "GET /", path: () => "/" },
  { route: "POST /api/:name", path: () => "/api/jobs.chats", body: {} },
  { route: "POST /api/enter", path: () => "/api/enter", body: { token: "guessed" } },
  { route: "GET /api/me", path: () => "/api/me" },
  { route: "GET /api/media/:session/:entry/:index", path: toMedia },
  { route: "GET /v1/models", path: () => "/v1/models" },
  { route: "GET /v1/models/:id", path: () => "/v1/models/nanobot" },
  { route: "ALL /v1/chat/completions", path: () => "/v1/chat/completions" },
  { route: "POST /v1/chat/completions", path: () => "/v1/chat/completions", body: question },
  { route: "POST /api/leave", path: () => "/api/leave", body: {} },
];

/** What stands behind each slash command; `$` is for something of the owner's. */
export const commandRows: Record<string, string[]> = {
  help: [""],
  status: [""],
  context: [""],
  search: ["It is"],
  why: ["It is"],
  forget: ["", "no such words anywhere"],
  "dream-log": ["", "$version"],
  "dream-restore": ["", "$version"],
  cron: ["", "run $other", "pause $job", "remove $job"],
  pairing: ["", "approve ABCDEFGH owner", "deny ABCDEFGH", "revoke telegram 2"],
  usage: [""],
  model: ["", "other/model", "default"],
  export: [""],
  agents: [""],
  trust: ["", "30"],
  untrust: ["", "all"],
  undo: [""],
  compact: [""],
  dream: [""],
  stop: [""],
  new: [""],
  restart: [""],
};

/**
 * Calls of a model, in a turn of the speaker; `$` is for something of the owner's. What is read comes last: what came
 * from outside would make the rest a question.
 */
export const toolRows: Array<[tool: string, what: string, args: Record<string, unknown>]> = [
  ["message", "to this chat", { content: "Hello" }],
  ["message", "to the owner", { content: "Hello", channel: "telegram", chat_id: "1" }],
  ["spawn", "a subagent", { task: "Say hello", wait: true }],
  ["cron", "add", { action: "add", message: "Hello", every_seconds: 86_400 }],
  ["cron", "list", { action: "list" }],
  ["cron", "remove the owner's", { action: "remove", job_id: "$job" }],
  ["exec", "a command", { command: "echo hello" }],
  ["process", "list", { action: "list" }],
  ["write_file", "own", { path: "own.md", content: "one\n" }],
  ["write_file", "the owner's", { path: "$workspace/notes.md", content: "one\n" }],
  ["write_file", "the config", { path: "$home/config.json", content: "{}\n" }],
  ["read_file", "own", { path: "own.md" }],
  ["read_file", "the owner's", { path: "$workspace/notes.md" }],
  ["edit_file", "own", { path: "own.md", old_text: "one", new_text: "two" }],
  ["edit_file", "the owner's", { path: "$workspace/notes.md", old_text: "one", new_text: "two" }],
  [
    "write_file",
    "a notebook",
    { path: "own.ipynb", content: '{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":5}' },
  ],
  ["notebook_edit", "own", { path: "own.ipynb", mode: "insert", source: "1", cell_type: "code" }],
  ["list_dir", "own", { path: "." }],
  ["list_dir", "the owner's", { path: "$workspace" }],
  ["glob", "own", { pattern: "*.md" }],
  ["glob", "the owner's", { pattern: "*.md", path: "$workspace" }],
  ["grep", "own", { pattern: "two" }],
  ["grep", "the owner's", { pattern: "It is", path: "$workspace" }],
  ["memory_search", "own", { query: "sing" }],
  ["memory_read", "the owner's", { reference: "$entry" }],
];
