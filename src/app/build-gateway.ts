// The third step of construction: a gateway, which is an assistant with a durable bus, channels, a schedule and one port.
import { randomBytes } from "node:crypto";
import { type BuiltChannels, buildChannels } from "../api/channels/build-channels.ts";
import { ShownLog } from "../api/chat/shown-log.ts";
import { type Client, createLocalClient, type GatewayAddress } from "../api/client.ts";
import { createGatewayControl } from "../api/gateway/control.ts";
import type { GatewayControl, GatewayProblem, WebLink } from "../api/gateway/gateway.ts";
import { removeGatewayFile, writeGatewayFile } from "../api/gateway/gateway-file.ts";
import { sayRestarted, sortOut } from "../api/gateway/start-notices.ts";
import type { OpenedState } from "../api/home/open-state.ts";
import type { Homes } from "../api/homes/homes.ts";
import { createSystemTasks } from "../api/jobs/system-tasks.ts";
import { parseSessionKey } from "../bus/session-key.ts";
import { ChannelManager } from "../channels/manager.ts";
import { createSplit } from "../channels/split-text.ts";
import { type Problem, toPlacedPhrase } from "../config/problem.ts";
import { watchConfig } from "../config/watch-config.ts";
import { createFetch } from "../guards/proxy-fetch.ts";
import { describeQuestion } from "../i18n/describe-ask.ts";
import { phrase } from "../i18n/phrase.ts";
import { say } from "../i18n/words.ts";
import { toolHint } from "../lib/language/tool-hint.ts";
import { keepRunning } from "../lib/process/background.ts";
import { listenGateway, listUrls, type Mount, serveGateway } from "../server/http/gateway-server.ts";
import type { HttpServer, ServeOptions } from "../server/http/http-server.ts";
import { isInHistory, withSockets } from "../server/live/socket-channels.ts";
import { createPollers, watchTopics } from "../server/live/watch-topics.ts";
import { createTelemetry, type Telemetry } from "../server/telemetry/telemetry.ts";
import { openWebAccess, openWebSide } from "../server/web/web-side.ts";
import { channelFolder } from "../storage/home.ts";
import { durabilityOf, isHomeGone, serveHome } from "../storage/served-homes.ts";
import { watchHome } from "../storage/watch-home.ts";
import {
  type Assistant,
  type AssistantOptions,
  buildAssistant,
  createOwnEmbeddings,
  type Delivery,
  type Messaging,
  openMessaging,
} from "./build-assistant.ts";
import { buildOperations } from "./build-operations.ts";
import { connectOperations, reloadConfig } from "./connect-operations.ts";
import { openStorage, type Storage, type StorageOptions } from "./open-storage.ts";
import { look, serve } from "./run-gateway.ts";

export interface Gateway {
  app: Assistant;
  address: GatewayAddress;
  /** What another server passes on. */
  take: HttpServer["take"];
  /** Operations as the owner. */
  client: Client;
  /** What the person should know, one sentence each. */
  warnings: string[];
  /** Problems found at the start. */
  problems: GatewayProblem[];
  /** Whether nobody is here and nothing runs, and a number that grows with all that happens. */
  look(): { isQuiet: boolean; activity: number };
  /** When a job, a check or a message that could not be sent is due: the time, or infinity. */
  findDue(): Promise<number>;
  /** Serves until the signal aborts, then finishes what runs. */
  run(signal: AbortSignal): Promise<void>;
}

export interface GatewayOptions extends StorageOptions, AssistantOptions {
  /** `--port` */
  port?: number;
  page(): string;
  /** Where it is one of several behind one port. */
  mount?: Mount;
  /** The assistants next to it. */
  homes?: Homes;
  /** Takes requests for those. */
  pass?: ServeOptions["pass"];
  /** Someone asked the gateway to end. */
  onStop(): void;
  /** Someone asked it to restart; absent: it cannot. */
  onRestart?(): void;
  /** How long running turns may take to end on their own. */
  drainMs?: number;
  /** A sentence for the person at the terminal, while it runs. */
  onProblem?(sentence: string): void;
  /** A browser asked for a link at the terminal; absent: nobody sees one. */
  onLinkAsked?(link: WebLink): void;
}

export type GatewayResult = { ok: true; gateway: Gateway } | { ok: false; problems: string[] };

/** Service managers wait for a minute. */
const usualDrainMs = 45_000;

export async function buildGateway(options: GatewayOptions): Promise<GatewayResult> {
  const { words, paths, provider } = options;
  const opened = await openStorage({ ...options, hasModel: provider !== undefined });
  if (!opened.ok) return opened;
  const { storage } = opened;
  const state = await storage.state.open();
  const shown = new ShownLog(channelFolder(paths, "web"), paths.home);
  const messaging = openMessaging(storage, state.bus, shown);
  const channels = await openChannels(storage, state, messaging);
  const assistant = await buildAssistant(storage, messaging, toDelivery(storage, channels), options);
  if ("code" in assistant) return { ok: false, problems: [say(assistant, words)] };
  for (const task of createTasks(assistant, state, channels)) state.cron.addSystemTask(task);
  const { sessions, lock } = storage;
  const sorted = { ...storage.environment, sessions, lock, documents: assistant.documents };
  const problems = [...channels.problems, ...(await sortOut(sorted, state.bus))];
  const manager = createManager(options, assistant, { state, channels });
  return {
    ok: true,
    gateway: await open(options, { assistant, state, manager, problems, webhooks: channels.webhooks }),
  };
}

async function openChannels(
  { environment, loaded }: Storage,
  { pairing }: OpenedState,
  { sockets, transcription }: Messaging,
): Promise<BuiltChannels> {
  const built = await buildChannels({ ...environment, loaded, pairing, transcription });
  const channels = withSockets(built, sockets);
  const { enabled, target } = loaded.config.gateway.heartbeat;
  const isReached =
    target === "last" || channels.capabilitiesOf(parseSessionKey(target).channel) !== undefined;
  if (!enabled || isReached) return channels;
  const problem = { phrase: phrase("channels.heartbeat-target", { target }) };
  return { ...channels, problems: [...channels.problems, problem] };
}

function toDelivery({ environment }: Storage, { capabilitiesOf }: BuiltChannels): Delivery {
  const { paths, words } = environment;
  return {
    split: createSplit({ capabilitiesOf, folder: paths.sentMedia, words, isInHistory }),
    canAsk: (origin) => capabilitiesOf(origin.channel)?.canAsk === true,
    canReach: ({ channel }) => capabilitiesOf(channel) !== undefined,
    takesFiles: (channel) => capabilitiesOf(channel)?.media !== false,
  };
}

function createTasks(
  { storage, messaging, dreams }: Assistant,
  { bus }: OpenedState,
  channels: BuiltChannels,
) {
  const { environment, config, loaded, sessions } = storage;
  return createSystemTasks({
    ...environment,
    config: loaded.config,
    heartbeatTarget: () => config.loaded.config.gateway.heartbeat.target,
    bus,
    channels,
    sessions,
    async dreamAll(signal) {
      const outcomes = await dreams.runAll(signal);
      messaging.sockets.hub.publish({ type: "changed", topic: "memory" });
      return outcomes;
    },
  });
}

function createManager(
  { onProblem }: GatewayOptions,
  { storage, messaging }: Assistant,
  { state, channels }: { state: OpenedState; channels: BuiltChannels },
): ChannelManager {
  const { paths, clock, log, words } = storage.environment;
  const { config } = storage.loaded;
  return new ChannelManager({
    bus: state.bus,
    channels: channels.connect(state.bus),
    clock,
    log,
    mostTries: config.channels.sendMaxRetries,
    random: Math.random,
    assertHeld: () => durabilityOf(paths.home).assertHeld(),
    speak: messaging.speak,
    onSent: (part) => messaging.sockets.keepSent(part),
    describeAsk: (question, shown) => describeQuestion(question, words, shown),
    words,
    describeTool: ({ name, arguments: args }) =>
      `🔧 ${toolHint(name, args, config.agents.defaults.toolHintMaxLength)}`,
    onTrouble(channel, { reason, isOver }) {
      const problem = phrase(isOver ? "channels.failed" : "channels.lost", { channel, reason });
      onProblem?.(say(problem, words));
    },
  });
}

interface Parts {
  assistant: Assistant;
  state: OpenedState;
  manager: ChannelManager;
  problems: GatewayProblem[];
  webhooks: BuiltChannels["webhooks"];
}

const owner = { person: "owner", role: "owner" } as const;

/** Opens the port, connects operations, and serves both. */
async function open(options: GatewayOptions, parts: Parts): Promise<Gateway> {
  const { assistant, state, manager, problems } = parts;
  const { storage, messaging, loop, models, chat } = assistant;
  const { environment, loaded } = storage;
  const { paths, words, ids } = environment;
  const { hub } = messaging.sockets;
  const { gateway, api, channels } = loaded.config;
  const listener = await listenGateway(loaded.config, options).catch(async (error) => {
    await assistant.close();
    throw error;
  });
  const token = randomBytes(32).toString("hex");
  const faults: Problem[] = [];
  const takeConfig = createConfigTaker(assistant, faults);
  const control = createGatewayControl({
    ...environment,
    ...(options.onRestart && { onRestart: options.onRestart }),
    onStop: options.onStop,
    model: models.usual.name,
    loop,
    outbox: state.bus.outbox,
    sandbox: () => assistant.tools.sandbox.state(),
    manager,
    channelBlocks: channels,
    problems: () => [...problems, ...faults.map((fault) => ({ phrase: toPlacedPhrase(fault) }))],
  });
  const { mount, homes, pass, onLinkAsked } = options;
  const keys = { tokens: state.tokens, controlToken: token, apiKey: api.apiKey };
  const access = openWebAccess(environment, keys, mount?.name);
  const operations = buildOperations(assistant, {
    state,
    takeConfig,
    gateway: control,
    web: {
      createToken: (viewer) => access.createToken(viewer),
      signOut: (person) => access.signOut(person),
      urls: () => listUrls(listener.url, gateway.publicUrl, mount),
    },
    ...(homes && { homes }),
    ...(options.workspace !== undefined && { workspace: options.workspace }),
  });
  const newId = () => ids.next();
  connectOperations(assistant, async (caller) =>
    createLocalClient(operations.run, caller, { newId, isServed: true }),
  );
  const { roots } = assistant.conversation;
  const webParts = { ...environment, ...chat, bus: state.bus, operations, hub, roots };
  const web = await openWebSide(webParts, access);
  const client = createLocalClient(operations.run, owner, { newId, isServed: true });
  const telemetry = openTelemetry(parts);
  const server = serveGateway(listener, {
    ...environment,
    ...{ ...(telemetry && { telemetry }), ...(mount && { mount }), ...(pass && { pass }) },
    config: loaded.config,
    loop,
    imageLimits: models.usual.imageLimits,
    embeddings: createOwnEmbeddings(storage, "api"),
    status: control.status,
    operations,
    web: {
      ...web,
      ...(onLinkAsked && { showLink: async () => onLinkAsked(await client.call("web.link", {})) }),
    },
    hooks: state,
    page: options.page,
    webhooks: parts.webhooks,
  });
  const address = { pid: process.pid, url: server.url, token };
  // Before the start is announced: a command that follows at once finds it.
  await writeGatewayFile(paths.run, address).catch(async (error) => {
    await server.close();
    await assistant.close();
    throw error;
  });
  const close = () =>
    removeGatewayFile(paths.run, address)
      .finally(() => server.close())
      .finally(() => assistant.close());
  return {
    app: assistant,
    address,
    take: server.take,
    client,
    warnings: [...storage.warnings, ...models.warnings.map((each) => say(each, words))],
    problems,
    look: () => look(parts),
    findDue: state.findDue,
    run: (signal) => run(options, { ...parts, status: control.status, takeConfig, close, telemetry }, signal),
  };
}

function openTelemetry({ assistant, state }: Parts): Telemetry | undefined {
  const { loop, models, storage } = assistant;
  const { clock, log, env } = storage.environment;
  return createTelemetry({
    ...{ config: storage.loaded.config.gateway.telemetry, clock, log, fetch: createFetch({ env }) },
    model: () => models.usual.name,
    usageByCause: (from) => state.ledger.report("cause", { from }),
    currency: () => state.currency,
    activeTurns: () => loop.activeTurns,
    unsent: () => state.bus.outbox.list().length,
    onLive: (listen) => state.bus.onLive(listen),
  });
}

/** Models are used at once; channels, tools and the port at the next start. */
function createConfigTaker(assistant: Assistant, faults: Problem[]): () => Promise<Problem[]> {
  const { log } = assistant.storage.environment;
  return async () => {
    const reloaded = await reloadConfig(assistant);
    assistant.messaging.sockets.hub.publish({ type: "changed", topic: "config" });
    faults.splice(0, faults.length, ...reloaded);
    if (reloaded.length > 0) log.warn("config-not-taken", { problems: reloaded });
    else log.info("config-taken", {});
    return reloaded;
  };
}

interface Running extends Parts {
  status: GatewayControl["status"];
  takeConfig(): Promise<Problem[]>;
  close(): Promise<void>;
  telemetry: Telemetry | undefined;
}

async function run(
  { drainMs = usualDrainMs, onProblem }: GatewayOptions,
  running: Running,
  stop: AbortSignal,
): Promise<void> {
  const { assistant, state, status, takeConfig, close, telemetry } = running;
  const { environment, config, sessions } = assistant.storage;
  const { paths, clock, log, words, background } = environment;
  const lost = new AbortController();
  const signal = AbortSignal.any([stop, lost.signal]);
  background.run("trash-not-pruned", () => sessions.pruneRemoved());
  const watched = { clock, log, signal };
  const { hub } = assistant.messaging.sockets;
  const pollers = createPollers({
    memory: assistant.memoryOf({ role: "owner", person: "owner" }),
    skills: assistant.tools.skills,
    state,
    status,
  });
  const onChange = async () => void (isHomeGone(paths.home) || (await takeConfig()));
  const leaveHome = serveHome(paths.home);
  const watching = Promise.all([
    keepRunning("config", watched, () =>
      watchConfig(paths, { clock, signal, inUse: () => config.loaded.stamp, onChange }),
    ),
    keepRunning("home", watched, () =>
      watchHome({
        ...watched,
        paths,
        words,
        ...(onProblem && { onProblem }),
        onLost: (error) => lost.abort(error),
      }),
    ),
    telemetry?.run(signal),
    keepRunning("state", watched, () => state.watchPages(signal)),
    keepRunning("pages", watched, () => watchTopics({ hub, ...watched, pollers })),
  ]);
  try {
    await state.bus.publishOutbound(await sayRestarted(paths, { now: clock.now(), words }));
    await serve({ ...running, drainMs }, signal);
  } catch (error) {
    // What watches ends with it.
    lost.abort(error);
    throw error;
  } finally {
    await watching;
    await close().finally(leaveHome);
  }
}
