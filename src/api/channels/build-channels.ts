// From the blocks of the config to channels that the manager can run. A channel that cannot be built is reported with
// the reason and does not keep the others from starting.

import type { Transcription } from "../../agent/models/transcription.ts";
import type { MessageBus } from "../../bus/bus.ts";
import type { Origin } from "../../bus/types.ts";
import { Access } from "../../channels/access.ts";
import { phraseOfFailure } from "../../channels/channel-failure.ts";
import { type ChannelRow, isEnabledBlock } from "../../channels/channel-kind.ts";
import { channelRows } from "../../channels/index.ts";
import type { ManagedChannel } from "../../channels/manager.ts";
import { createReception } from "../../channels/reception.ts";
import type { LoadedConfig } from "../../config/load.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import type { Words } from "../../i18n/words.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { createRedactor } from "../../lib/redact.ts";
import type { HomePaths } from "../../storage/home.ts";
import type { PairingStore } from "../../storage/people/pairing-store.ts";
import { scopeOf } from "../../storage/scope.ts";
import { mediaOf } from "../../storage/scope-folders.ts";
import type { OwnCodePlace } from "../extensions/own-code.ts";
import type { GatewayProblem } from "../gateway/gateway.ts";
import { type Block, findInstallCommand, openBlock } from "./channel-block.ts";
import { explainNoChannel, loadOwnChannels, type OwnChannels } from "./own-channels.ts";

export interface ChannelParts {
  loaded: LoadedConfig;
  paths: HomePaths;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  log: Log;
  words: Words;
  pairing: PairingStore;
  transcription: Transcription;
}

export interface BuiltChannels {
  /** What the manager runs, once there is a bus to run it on. */
  connect(bus: MessageBus): ManagedChannel[];
  capabilitiesOf(name: string): ManagedChannel["channel"]["capabilities"] | undefined;
  /** The origin of a chat, with the rights of its person. Undefined: no such channel runs. */
  findOrigin(chat: Pick<Origin, "channel" | "chatId">): Promise<Origin | undefined>;
  /** What the port serves for them. */
  webhooks: Array<NonNullable<ManagedChannel["channel"]["http"]>>;
  problems: GatewayProblem[];
}

const noOwn: OwnChannels = { rows: [], files: [] };

interface Made {
  row: ChannelRow;
  block: Block;
  channel: ManagedChannel["channel"];
  access: Access;
}

export async function buildChannels(parts: ChannelParts): Promise<BuiltChannels> {
  const made: Made[] = [];
  const problems: GatewayProblem[] = [];
  const { loaded } = parts;
  const enabled = Object.entries(loaded.config.channels).filter(hasEnabledBlock);
  const isBuiltIn = (name: string) => channelRows.some((row) => row.name === name);
  const redact = createRedact(loaded);
  const customChannels = enabled.every(([name]) => isBuiltIn(name))
    ? noOwn
    : await loadOwnChannels(toPlace(parts), redact);
  const rows = [...channelRows, ...customChannels.rows];
  for (const [name, value] of enabled) {
    const row = rows.find((candidate) => candidate.name === name);
    const result =
      row === undefined
        ? explainNoChannel(name, customChannels)
        : // Making a channel belongs to its start, which may throw anything.
          await makeChannel(row, value, parts).catch((error: unknown) =>
            phrase("channels.failed", { channel: name, reason: phraseOfFailure(error, redact) }),
          );
    if ("code" in result) problems.push({ channel: name, phrase: result });
    else made.push(result);
  }
  const find = (name: string) => made.find(({ row }) => row.name === name);
  return {
    problems,
    webhooks: made.flatMap(({ channel }) => channel.http ?? []),
    capabilitiesOf: (name) => find(name)?.channel.capabilities,
    async findOrigin({ channel, chatId }) {
      const target = find(channel);
      if (target === undefined) return undefined;
      const stranger = { person: `${channel}-${chatId}`, role: "guest" } as const;
      const whose = (await target.access.identify({ id: chatId })) ?? stranger;
      const { format } = target.channel.capabilities;
      return { channel, chatId, senderId: chatId, ...whose, cause: "user", format };
    },
    connect: (bus) => made.map((each) => toManaged(each, bus, parts)),
  };
}

/** The original's own server, enabled in every file of it: here pages and terminals use the port of the gateway. */
const servedByGateway = "websocket";

function hasEnabledBlock(entry: [string, unknown]): entry is [string, Record<string, unknown>] {
  return entry[0] !== servedByGateway && isEnabledBlock(entry[1]);
}

function toPlace({ paths, loaded }: ChannelParts): OwnCodePlace {
  return { paths, workspace: loaded.config.agents.defaults.workspace };
}

function createRedact({ secrets }: LoadedConfig): (text: string) => string {
  const redactor = createRedactor();
  for (const secret of secrets) redactor.add(secret);
  return redactor.redact;
}

/** A phrase instead of a channel says why there is none. */
async function makeChannel(row: ChannelRow, value: object, parts: ChannelParts): Promise<Made | Phrase> {
  const { clock, pairing } = parts;
  const { name } = row;
  const command = findInstallCommand(row);
  if (command !== undefined) return phrase("channels.needs-package", { channel: name, command });
  const opened = await openBlock(row, value, parts);
  if (Array.isArray(opened)) {
    const settings = opened.map((problem) => ({
      path: `channels.${name}.${problem.path}`,
      reason: problem.phrase,
    }));
    return phrase("channels.bad-settings", { channel: name, settings });
  }
  const { kind, block, config, context } = opened;
  const channel = await kind.create(config, context);
  return { row, block, channel, access: new Access(name, block, { pairing, clock }) };
}

function toManaged({ channel, block, access }: Made, bus: MessageBus, parts: ChannelParts): ManagedChannel {
  const { loaded, paths, log, words, transcription } = parts;
  const { sendProgress, sendToolHints } = loaded.config.channels;
  const isQuiet = channel.capabilities.isQuiet === true;
  return {
    channel,
    shows: {
      progress: block.sendProgress ?? (!isQuiet && sendProgress),
      toolHints: block.sendToolHints ?? (!isQuiet && sendToolHints),
      streaming: block.streaming,
    },
    createInbox: (onAlive) =>
      createReception({
        channel: channel.name,
        format: channel.capabilities.format,
        access,
        bus,
        log,
        mediaFolder: paths.media,
        mediaOf: (origin) => mediaOf(paths, scopeOf(origin)),
        largestFile: block.maxMediaMb * 1024 * 1024,
        transcribe: transcription.transcribeFile,
        tellPairing: ({ code }) => words.gateway.pairingCode(code),
        onAlive,
      }),
  };
}
