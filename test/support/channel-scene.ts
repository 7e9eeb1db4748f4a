// A channel between a fake platform and a durable bus, with the manager around it, and no agent: a test answers itself.

import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Channel } from "../../src/bus/channel.ts";
import type { InboundMessage, OutboundPart } from "../../src/bus/types.ts";
import { Access, type AccessRules } from "../../src/channels/access.ts";
import type { ChannelKind } from "../../src/channels/channel-kind.ts";
import { ChannelManager } from "../../src/channels/manager.ts";
import { createReception } from "../../src/channels/reception.ts";
import { phrase } from "../../src/i18n/phrase.ts";
import { createWords, sayInEnglish } from "../../src/i18n/words.ts";
import { type Clock, systemClock } from "../../src/lib/clock.ts";
import { createIds } from "../../src/lib/ids.ts";
import { silentLog } from "../../src/lib/log.ts";
import { StateDatabase } from "../../src/storage/database/state-database.ts";
import { PairingStore } from "../../src/storage/people/pairing-store.ts";
import { DurableBus } from "../../src/storage/queues/durable-bus.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

export interface ChannelScene {
  home: string;
  bus: DurableBus;
  manager: ChannelManager;
  pairing: PairingStore;
  next(): Promise<InboundMessage>;
  answer(message: InboundMessage, text: string, part?: Partial<OutboundPart>): Promise<void>;
  stop(): Promise<void>;
}

export interface ChannelSceneOptions {
  kind: ChannelKind;
  config: Record<string, unknown>;
  rules?: Partial<AccessRules>;
  home?: string;
  clock?: Clock;
  onCreated?(channel: Channel): void;
}

export async function startChannel(options: ChannelSceneOptions): Promise<ChannelScene> {
  const { kind, clock = systemClock, rules = { allowFrom: ["42"] } } = options;
  const home = options.home ?? (await createTemporaryFolder());
  const state = await StateDatabase.open({ path: join(home, "state.db") });
  const bus = await DurableBus.open({ state, clock, ids: createIds(clock) });
  const pairing = new PairingStore(join(home, "pairing.json"), clock);
  const config = kind.schema.parse(options.config);
  const channel = await kind.create(config, {
    clock,
    log: silentLog,
    fetch: globalThis.fetch,
    folder: join(home, "run"),
    commands: [{ name: "new", about: "start a new conversation" }],
  });
  options.onCreated?.(channel);
  const isQuiet = channel.capabilities.isQuiet === true;
  const access = new Access(
    channel.name,
    { allowFrom: [], owners: [], groupPolicy: "mention", groupAllowFrom: [], ...rules },
    { pairing, clock },
  );
  const manager = new ChannelManager({
    words: createWords("english"),
    bus,
    clock,
    log: silentLog,
    mostTries: 3,
    random: () => 0,
    assertHeld() {},
    describeAsk: ({ phrase, detail }) => `${sayInEnglish(phrase)}\n${detail}`,
    describeTool: ({ name }) => `🔧 ${name}`,
    channels: [
      {
        channel,
        shows: { progress: !isQuiet, toolHints: !isQuiet, streaming: true },
        createInbox: (onAlive) =>
          createReception({
            channel: channel.name,
            format: channel.capabilities.format,
            access,
            bus,
            log: silentLog,
            mediaFolder: join(home, "media"),
            mediaOf: () => join(home, "media"),
            largestFile: 1024 * 1024,
            transcribe: async () => ({ reason: phrase("transcription.off") }),
            tellPairing: ({ code }) => `Pairing code: ${code}`,
            onAlive,
          }),
      },
    ],
  });
  const controller = new AbortController();
  const running = manager.run(controller.signal);
  let isStopped = false;
  const stopOnce = async () => {
    if (isStopped) return;
    isStopped = true;
    controller.abort(new Error("over"));
    await running;
    state.close();
  };
  onTestFinished(stopOnce);
  return {
    home,
    bus,
    manager,
    pairing,
    next: () => bus.takeInbound(controller.signal),
    answer: ({ id, origin, sessionKey }, text, part = {}) =>
      bus.finish(
        [id],
        [
          {
            id: `${id}:final#0`,
            channel: origin.channel,
            chatId: origin.chatId,
            ...(origin.thread !== undefined && part.chatId === undefined && { thread: origin.thread }),
            ...(origin.replyTo !== undefined && { replyTo: origin.replyTo }),
            sessionKey,
            turnId: id,
            text,
            media: [],
            kind: "answer",
            wasStreamed: false,
            ...part,
          },
        ],
      ),
    stop: stopOnce,
  };
}
