// The gateway: the assistant with everything that runs beside it: the durable bus, channels, the schedule, and one port.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { ShownLog } from "../api/chat/shown-log.ts";
import { type Client, createLocalClient, type GatewayAddress } from "../api/client.ts";
import type { GatewayProblem } from "../api/gateway/gateway.ts";
import { toReasons } from "../api/memory/describe-dream.ts";
import type { Question } from "../bus/ask.ts";
import { parseSessionKey } from "../bus/session-key.ts";
import type { Origin } from "../bus/types.ts";
import { ChannelManager } from "../channels/manager.ts";
import { type Problem, toPlacedPhrase } from "../config/problem.ts";
import { describeChoices, describeNotes, describeTitle } from "../i18n/describe-ask.ts";
import { phrase } from "../i18n/phrase.ts";
import { say, type Words } from "../i18n/words.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { keepRunning } from "../lib/keep-running.ts";
import { reveal } from "../lib/visible-text.ts";
import type { SystemTask } from "../schedule/cron-service.ts";
import { Heartbeat, heartbeatKey } from "../schedule/heartbeat.ts";
import type { EventHub } from "../server/event-hub.ts";
import { removeGatewayFile, writeGatewayFile } from "../server/gateway-file.ts";
import { DurabilityError } from "../storage/durability.ts";
import { ownerScope } from "../storage/scope.ts";
import { durabilityOf, isHomeGone, serveHome } from "../storage/served-homes.ts";
import { type App, type AppOptions, type BusGround, buildApp } from "./build-app.ts";
import { type BuiltChannels, buildChannels } from "./build-channels.ts";
import { type BuiltOperations, buildOperations } from "./build-operations.ts";
import { openServer } from "./build-server.ts";
import { withSockets } from "./build-sockets.ts";
import { createGatewayControl } from "./gateway-control.ts";
import type { OpenedState } from "./open-state.ts";
import { takeRestart } from "./restart-note.ts";
import { sortMemory, toSortedNotice } from "./sort-memory.ts";
import { createSplit } from "./split-answer.ts";
import { toolHint } from "./tool-hint.ts";
import { watchConfig } from "./watch-config.ts";
import { watchHome } from "./watch-home.ts";
import { openWebAccess, openWebSide } from "./web/build-web-side.ts";
import { createPollers, watchTopics } from "./web/watch-topics.ts";

export interface Gateway {
  app: App;
  address: GatewayAddress;
  /** Operations as the owner. */
  client: Client;
  /** What was found at the start. */
  problems: GatewayProblem[];
  /** Serves until the signal aborts, then finishes what runs. */
  run(signal: AbortSignal): Promise<void>;
}

export interface GatewayOptions
  extends Omit<AppOptions, "openBus" | "split" | "canAsk" | "canReach" | "takesFiles" | "runOperation"> {
  /** `--port` */
  port?: number;
  page(): string;
  /** Somebody asked the gateway itself to end. */
  onStop(): void;
  /** Somebody asked it to start again; absent: nobody can. */
  onRestart?(): void;
  /** How long what runs may take to end by itself; it goes on with the next start. */
  drainMs?: number;
  /** What a person at the terminal should know of it, while it runs. */
  onProblem?(sentence: string): void;
}

export type GatewayResult = { ok: true; gateway: Gateway } | { ok: false; problems: string[] };

/** Service managers wait for a minute. */
const usualDrainMs = 45_000;
/** How long what is in the outbox may take to leave the house at the end. */
const flushMs = 10_000;
/** Of what a choice is about, in a chat. */
const mostLines = 10;
const stateCheckMs = 10 * 60_000;

export async function buildGateway(options: GatewayOptions): Promise<GatewayResult> {
  let parts: Parts | undefined;
  const { paths } = options;
  const capabilitiesOf = (name: string) => parts?.channels.capabilitiesOf(name);
  const built = await buildApp({
    ...options,
    async openBus(ground) {
      parts = await openParts(options, ground);
      return parts.state.bus;
    },
    shown: new ShownLog(join(paths.run, "channels", "web")),
    split: createSplit({ capabilitiesOf, folder: join(paths.media, "sent"), words: options.words }),
    canAsk: (origin) => capabilitiesOf(origin.channel)?.canAsk === true,
    canReach: ({ channel }) => capabilitiesOf(channel) !== undefined,
    takesFiles: (channel) => capabilitiesOf(channel)?.media !== false,
    runOperation() {
      if (parts?.operations === undefined) throw new Error("the gateway is not assembled yet");
      return parts.operations.run;
    },
  });
  if (!built.ok || parts === undefined) return { ok: false, problems: built.ok ? [] : built.problems };
  return { ok: true, gateway: await assemble(options, built.app, parts) };
}

interface Parts {
  state: OpenedState;
  channels: BuiltChannels;
  tasks: SystemTask[];
  operations?: BuiltOperations;
}

async function openParts(options: GatewayOptions, ground: BusGround): Promise<Parts> {
  const { paths, env, words, clock = systemClock } = options;
  const tasks: SystemTask[] = [];
  const { sockets } = ground;
  const state = await ground.state.open({
    systemTasks: tasks,
    onInbound: (said) => sockets.live.hear(said),
  });
  const built = await buildChannels({ ...ground, paths, env, words, clock, pairing: state.pairing });
  const channels = withSockets(built, sockets);
  const { enabled, target } = ground.loaded.config.gateway.heartbeat;
  const isReached =
    target === "last" || channels.capabilitiesOf(parseSessionKey(target).channel) !== undefined;
  if (enabled && !isReached)
    channels.problems.push({ phrase: phrase("channels.heartbeat-target", { target }) });
  return { state, channels, tasks };
}

async function assemble(options: GatewayOptions, app: App, parts: Parts): Promise<Gateway> {
  const { paths, words, clock = systemClock, drainMs = usualDrainMs } = options;
  const { state, channels, tasks } = parts;
  const { hub } = app.sockets;
  tasks.push(...createTasks(app, parts, clock));
  channels.problems.push(...(await sortOut(app, parts, { clock, words })));
  const manager = createManager(options, app, parts);
  const token = randomBytes(32).toString("hex");
  const faults: Problem[] = [];
  const problems = () => [
    ...channels.problems,
    ...faults.map((fault) => ({ phrase: toPlacedPhrase(fault) })),
  ];
  const own = createGatewayControl(options, { app, state, manager, problems });
  const access = openWebAccess({ app, state, paths, clock }, token);
  const { publicUrl } = app.loaded.config.gateway;
  const takeConfig = createConfigTaker(app, faults, hub);
  const operations = buildOperations({
    ...options,
    app,
    takeConfig,
    state,
    hub,
    clock,
    gateway: own,
    web: {
      createToken: (viewer) => access.createToken(viewer),
      signOut: (person) => access.signOut(person),
      urls: () => [address.url, ...(publicUrl ? [publicUrl] : [])],
    },
  });
  parts.operations = operations;
  const { status } = own;
  const served = { ...options, app, status, operations, clock };
  const web = await openWebSide({ ...served, state, hub }, access);
  const server = await openServer({ ...served, web }).catch(async (error) => {
    await app.close();
    throw error;
  });
  const address = { pid: process.pid, url: server.url, token };
  // Before it is said to run: a command that follows at once finds it.
  await writeGatewayFile(paths.run, address).catch(async (error) => {
    await server.close();
    await app.close();
    throw error;
  });
  const run = async (stop: AbortSignal) => {
    const lost = new AbortController();
    const signal = AbortSignal.any([stop, lost.signal]);
    app.background.run("trash-not-pruned", () => app.sessions.pruneRemoved());
    await state.bus.publishOutbound(await takeRestart(paths.run, { now: clock.now(), words }));
    const beside = { clock, log: app.log, signal };
    const pollers = createPollers({ app, state, status });
    const onChange = async () => void (isHomeGone(paths.home) || (await takeConfig()));
    const inUse = () => app.current().stamp;
    const leaveHome = serveHome(paths.home);
    const watching = Promise.all([
      keepRunning("config", beside, () => watchConfig(paths.config, { clock, signal, inUse, onChange })),
      keepRunning("home", beside, () =>
        watchHome({ ...beside, ...options, clock, onLost: (error) => lost.abort(error) }),
      ),
      keepRunning("state", beside, () => checkState(state, clock, signal)),
      keepRunning("pages", beside, () => watchTopics({ hub, ...beside, pollers })),
    ]);
    try {
      await serve({ app, state, manager, clock, drainMs }, signal);
    } finally {
      await watching;
      await removeGatewayFile(paths.run, address)
        .finally(() => server.close())
        .finally(() => app.close())
        .finally(leaveHome);
    }
  };
  const client = createLocalClient(
    operations.run,
    { person: "owner", role: "owner" },
    { newId: () => app.ids.next(), isServed: true },
  );
  return { app, address, client, problems: channels.problems, run };
}

/** One table at a time, so that nobody waits for it. */
async function checkState({ checkPages }: OpenedState, clock: Clock, signal: AbortSignal): Promise<void> {
  for (;;) {
    await clock.sleep(stateCheckMs, signal);
    checkPages();
  }
}

/** Models are taken over at once; channels, tools and the port wait for the next start. */
function createConfigTaker(app: App, faults: Problem[], hub: EventHub): () => Promise<Problem[]> {
  return async () => {
    const found = await app.reload();
    hub.publish({ type: "changed", topic: "config" });
    faults.splice(0, faults.length, ...found);
    if (found.length > 0) app.log.warn("config-not-taken", { problems: found });
    else app.log.info("config-taken", {});
    return found;
  };
}

function createManager(
  { paths, words, onProblem, clock = systemClock }: GatewayOptions,
  app: App,
  parts: Parts,
): ChannelManager {
  const { bus } = parts.state;
  const { config } = app.loaded;
  return new ChannelManager({
    bus,
    channels: parts.channels.connect(bus),
    clock,
    log: app.log,
    mostTries: config.channels.sendMaxRetries,
    random: Math.random,
    assertHeld: () => durabilityOf(paths.home).assertHeld(),
    onSent: (part) => app.sockets.keepSent(part),
    describeAsk: (question) => describeQuestion(question, words),
    words,
    describeTool: ({ name, arguments: args }) =>
      `🔧 ${toolHint(name, args, config.agents.defaults.toolHintMaxLength)}`,
    onTrouble(channel, { reason, isOver }) {
      const told = phrase(isOver ? "channels.failed" : "channels.lost", { channel, reason });
      onProblem?.(say(told, words));
    },
  });
}

/** For a chat: the question in one message, with the whole of what is to be approved. */
function describeQuestion(question: Question, words: Words): string {
  const lines = question.detail.split("\n");
  const shown =
    question.kind === "choice" && lines.length > mostLines ? [...lines.slice(0, mostLines), "…"] : lines;
  const detail = reveal(shown.join("\n")).replaceAll("```", "'''");
  return [
    describeTitle(question, words),
    ...(detail === "" ? [] : [`\`\`\`\n${detail}\n\`\`\``]),
    ...describeNotes(question, words),
    describeChoices(question, words),
  ].join("\n");
}

function createTasks(app: App, parts: Parts, clock: Clock): SystemTask[] {
  const { bus } = parts.state;
  const { gateway, agents } = app.loaded.config;
  const { enabled, intervalS, keepRecentMessages } = gateway.heartbeat;
  const heartbeat = new Heartbeat({
    workspace: app.workspace,
    intervalMs: intervalS * 1000,
    clock,
    log: app.log,
    async publish(message) {
      const session = await app.sessions.find(heartbeatKey, ownerScope);
      // Only what was seen lately matters; older looks are kept as a file of their own.
      if (session !== undefined && session.count > keepRecentMessages)
        await app.sessions.close(heartbeatKey, ownerScope);
      return bus.publishInbound(message);
    },
    isOpen: (id) => bus.isOpen(id),
    findTarget: () => findTarget(app.current().config.gateway.heartbeat.target, parts),
  });
  const { intervalH, cron } = agents.defaults.dream;
  const dream: SystemTask = {
    id: "dream",
    everyMs: intervalH * 3_600_000,
    ...(cron !== undefined && { cron }),
    async run(signal) {
      const outcomes = [...(await app.dreams.runAll(signal)).values()];
      app.sockets.hub.publish({ type: "changed", topic: "memory" });
      const reasons = outcomes.flatMap(toReasons);
      return reasons.length === 0 ? undefined : phrase("dream.not-done", { reasons });
    },
  };
  return [...(enabled ? [heartbeat] : []), dream];
}

/** The owner is told once, in a chat if there is one; this gateway goes on saying it in its status. */
async function sortOut(
  app: App,
  { state }: Parts,
  { clock, words }: { clock: Clock; words: Words },
): Promise<GatewayProblem[]> {
  const count = await sortMemory({ ...app, clock });
  if (count === 0) return [];
  const told = state.bus.findLastOrigin(isOwnerInChat);
  if (told !== undefined) await state.bus.publishOutbound([toSortedNotice(count, told, words)]);
  return [{ phrase: phrase("home.memory-sorted", { count }) }];
}

/** A chat that was chosen has the rights of whoever speaks there. */
async function findTarget(target: string, { state, channels }: Parts): Promise<Origin | undefined> {
  if (target === "last") return state.bus.findLastOrigin(isOwnerInChat);
  const { channel, chatId } = parseSessionKey(target);
  const isThere = (origin: Origin) =>
    origin.channel === channel && origin.chatId === chatId && origin.cause === "user";
  const known = await channels.findOrigin({ channel, chatId });
  return known && (state.bus.findLastOrigin(isThere) ?? known);
}

/** In private: a group must not see the owner's tasks because the owner wrote there last. */
function isOwnerInChat({ role, channel, cause, group }: Origin): boolean {
  return role === "owner" && channel !== "cli" && cause === "user" && group === undefined;
}

interface Served extends Required<Pick<GatewayOptions, "drainMs">> {
  app: App;
  state: OpenedState;
  manager: ChannelManager;
  clock: Clock;
}

/** Turns end first, then what they said leaves the house, then the channels close. */
async function serve({ app, state, manager, clock, drainMs }: Served, signal: AbortSignal): Promise<void> {
  const ending = new AbortController();
  const startedAt = new Map<string, number>();
  let recorded: Promise<unknown> = Promise.resolve();
  const unsubscribe = state.bus.onLive(({ turnId, body }) => {
    if (body.type === "turn-start") startedAt.set(turnId, clock.elapsed());
    if (body.type !== "turn-end") return;
    const durationMs = Math.round(clock.elapsed() - (startedAt.get(turnId) ?? clock.elapsed()));
    startedAt.delete(turnId);
    const outcome = { durationMs, ...(body.stop === "error" && { reason: phrase("jobs.turn-failed") }) };
    const finished = state.cron
      .finish(turnId, outcome)
      .catch((error) => app.log.warn("run-not-recorded", { error }));
    recorded = Promise.all([recorded, finished]);
  });
  const beside = { clock, log: app.log, signal: ending.signal };
  const channels = keepRunning("channels", beside, () => manager.run(ending.signal));
  try {
    await Promise.all([app.loop.run(signal, { drainMs }), state.cron.run(signal)]);
    if (!(signal.reason instanceof DurabilityError)) await flush(state, manager, clock);
  } finally {
    ending.abort(new Error("the gateway ends"));
    await channels;
    unsubscribe();
    await recorded;
  }
}

async function flush({ bus }: OpenedState, manager: ChannelManager, clock: Clock): Promise<void> {
  const end = clock.elapsed() + flushMs;
  const isLeaving = () =>
    bus.outbox
      .list()
      .some(
        ({ part, state, nextAt }) =>
          (state === "waiting" || state === "sending") && nextAt <= clock.now() && manager.has(part.channel),
      );
  while (isLeaving() && clock.elapsed() < end) await clock.sleep(50);
}
