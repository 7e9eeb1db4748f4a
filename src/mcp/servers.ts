// All MCP servers of a configuration and the tools that they offer. The tools come from what was cached at the last
// connect, so that a turn has them at once; the servers themselves start side by side in the background.
import { untilAborted } from "../lib/abort.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Redactor } from "../lib/redact.ts";
import type { Tool } from "../runner/tool.ts";
import type { McpServerConfig } from "./config.ts";
import { createDeferredTools } from "./deferred.ts";
import { createForeignTool } from "./foreign-tool.ts";
import type { SignInSupport } from "./oauth/sign-in-support.ts";
import type { ServerProblem } from "./problem.ts";
import { type CompileSchema, loadCompiler } from "./schema.ts";
import { createServerRedactor } from "./secrets.ts";
import { ServerConnection } from "./server-connection.ts";
import { assignNames, type Entry, isEnabled } from "./server-list.ts";
import { isOfThisMachine, type Surroundings } from "./target.ts";
import { emptyRecord, type ServerRecord, ToolCache } from "./tool-cache.ts";

export interface McpServersOptions extends Surroundings {
  servers: Record<string, McpServerConfig>;
  cacheFolder: string;
  fetch: typeof globalThis.fetch;
  clock: Clock;
  log: Log;
  signInSupport?: SignInSupport;
  /** Secrets of everything else, which a server's answer must not show either. */
  secrets?: readonly string[];
  random?: () => number;
  connectMs?: number;
  /** Where there is one turn only: waits for a server that was never seen, and says so. */
  onWait?(names: readonly string[]): void;
  /** Called whenever the tools have changed. */
  onTools(tools: ForeignTools): void;
}

export interface ForeignTools {
  /** Sent to the model. */
  listed: Tool[];
  /** What can be called all the same: those behind `tool_search`, or the pair itself for a prompt that still names it. */
  hidden: Tool[];
}

interface ServerStatus {
  name: string;
  state: ServerConnection["state"];
  /** Tools, resources and prompts. */
  offered: number;
  problem?: ServerProblem;
}

interface Server {
  name: string;
  config: McpServerConfig;
  record: ServerRecord;
  connection: ServerConnection;
}

/** With more than these, their schemas are deferred behind `tool_search`. */
const mostListed = 30;
/** A list that was read so recently is good enough until one of its tools is called. */
const freshMs = 60 * 60_000;
/** How long a turn waits for a server whose tools were never read. */
const firstWaitMs = 3_000;

export class McpServers {
  readonly #options: McpServersOptions;
  readonly #cache: ToolCache;
  readonly #servers: Server[];
  readonly #redactor: Redactor;
  readonly #waitedFor = new Set<string>();
  #saving: Promise<void> = Promise.resolve();
  #loading?: Promise<void>;
  #compile?: CompileSchema;

  constructor(options: McpServersOptions) {
    this.#options = options;
    this.#cache = new ToolCache(options.cacheFolder);
    const used = Object.entries(options.servers).filter(([, { disabled }]) => !disabled);
    this.#servers = used.map(([name, config]) => this.#createServer(name, config));
    this.#redactor = createServerRedactor(Object.values(options.servers), options.secrets);
  }

  /** Tools as they were at the last connect. Starts nothing. */
  load(): Promise<void> {
    this.#loading ??= this.#loadRecords();
    return this.#loading;
  }

  /**
   * For a turn: starts in the background what is not running and whose list is old. Waits only for servers
   * that were never connected, only once, and only for a moment where there are further turns.
   */
  async ready(signal: AbortSignal): Promise<void> {
    await this.load();
    const now = this.#options.clock.now();
    // Read at a time that is to come: the clock was set back.
    const old = this.#servers.filter(({ record }) => Math.abs(now - record.readAt) > freshMs);
    for (const { connection } of old) connection.start();
    const unseen = old.filter(({ name, record }) => record.readAt === 0 && !this.#waitedFor.has(name));
    for (const { name } of unseen) this.#waitedFor.add(name);
    if (unseen.length === 0) return;
    const stop = new AbortController();
    const settled = Promise.allSettled(unseen.map(({ connection }) => connection.connect()));
    const limit = this.#options.clock.sleep(firstWaitMs, stop.signal).catch(() => {});
    await untilAborted(Promise.race([settled, limit]), signal).finally(() => stop.abort());
    const slow = unseen.filter(({ connection }) => connection.state === "connecting");
    if (slow.length === 0 || this.#options.onWait === undefined) return;
    this.#options.onWait(slow.map(({ name }) => name));
    await untilAborted(settled, signal);
  }

  /** One of them, now; what it offers. Rejects with a ServerError. */
  async connect(name: string): Promise<Entry[]> {
    const server = this.#servers.find((one) => one.name === name);
    await server?.connection.connect();
    return server?.record.entries ?? [];
  }

  status(): ServerStatus[] {
    return this.#servers.map(({ name, record, connection: { state, problem } }) => {
      return { name, state, offered: record.entries.length, ...(problem && { problem }) };
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map(({ connection }) => connection.close()));
    await this.#saving;
  }

  #createServer(name: string, config: McpServerConfig): Server {
    const { random = Math.random } = this.#options;
    const connection = new ServerConnection({
      ...this.#options,
      name,
      config,
      random,
      redact: (text) => this.#redactor.redact(text),
      onSecret: (secret) => this.#redactor.add(secret),
      onList: (entries) => this.#take(server, entries),
      onProblem: (problem) => this.#note(server, problem),
    });
    const server: Server = { name, config, record: emptyRecord, connection };
    return server;
  }

  async #loadRecords(): Promise<void> {
    const load = async (server: Server) => {
      server.record = await this.#cache.load(server.name, server.config);
    };
    const [compile] = await Promise.all([loadCompiler(), ...this.#servers.map(load)]);
    this.#compile = compile;
    this.#offer();
  }

  #take(server: Server, entries: Entry[]): void {
    const isSame = JSON.stringify(entries) === JSON.stringify(server.record.entries);
    server.record = { version: 1, readAt: this.#options.clock.now(), entries };
    this.#save(server);
    if (!isSame) this.#offer();
  }

  /** The tools of a server that fails stay where they are: their calls say what is wrong. */
  #note(server: Server, problem: ServerProblem): void {
    server.record = { ...server.record, problem };
    this.#save(server);
  }

  #save({ name, config, record }: Server): void {
    this.#saving = this.#saving.then(async () => {
      try {
        await this.#cache.save(name, config, record);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === undefined) throw error;
        this.#options.log.warn("mcp-cache-not-written", { server: name, error });
      }
    });
  }

  #offer(): void {
    const compile = this.#compile;
    if (compile === undefined) return;
    const offered = this.#servers.flatMap((server) =>
      this.#enabledEntries(server).map((entry) => ({ ...entry, server: server.name, from: server })),
    );
    const tools = [...assignNames(offered)].map(
      ([name, { from, ...entry }]) =>
        createForeignTool({
          name,
          // What is sent to a server elsewhere has left, whatever it says.
          entry: { ...entry, isLocal: entry.isLocal === true && isOfThisMachine(from.config) },
          server: from.name,
          isAllowed: [...from.config.alwaysAllow, ...from.config.autoApprove].some((allowed) =>
            ["*", entry.name].includes(allowed),
          ),
          connection: from.connection,
          compile,
          redact: (text) => this.#redactor.redact(text),
          clock: this.#options.clock,
        }) as Tool,
    );
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    const pair = tools.length === 0 ? [] : createDeferredTools(() => byName);
    const isDeferred = tools.length > mostListed;
    this.#options.onTools(isDeferred ? { listed: pair, hidden: tools } : { listed: tools, hidden: pair });
  }

  #enabledEntries({ name, config, record }: Server): Entry[] {
    const entries = record.entries.map((entry) => ({ ...entry, server: name }));
    const { enabledTools } = config;
    const enabled = entries.filter((entry) => isEnabled(entry, enabledTools));
    const isKnown = (wanted: string) => entries.some((entry) => isEnabled(entry, [wanted]));
    const unknown = entries.length === 0 ? [] : enabledTools.filter((wanted) => !isKnown(wanted));
    if (unknown.length > 0) {
      const available = entries.map((entry) => entry.name).slice(0, 100);
      this.#options.log.warn("mcp-unknown-tools", { server: name, unknown, available });
    }
    return enabled;
  }
}
