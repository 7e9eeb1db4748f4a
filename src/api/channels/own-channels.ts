// Custom channels: those that were allowed in <home>/channels, and the problems of config blocks that belong to no
// channel.
import type { ChannelRow } from "../../channels/channel-kind.ts";
import { channelRows } from "../../channels/index.ts";
import { readOwnChannel, toChannelName } from "../../channels/own-channel.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { isRecord } from "../../lib/is-record.ts";
import { findNearest } from "../../lib/language/nearest.ts";
import { findOwnProblem, loadOwnCode, type OwnCodeFile, type OwnCodePlace } from "../extensions/own-code.ts";

export interface OwnChannels {
  rows: ChannelRow[];
  files: OwnCodeFile[];
}

/** `redact` takes out of their errors what nobody should read. */
export async function loadOwnChannels(
  place: OwnCodePlace,
  redact: (text: string) => string = String,
): Promise<OwnChannels> {
  const rows: ChannelRow[] = [];
  const files = await loadOwnCode("channels", place, (exported, file) => {
    const taken = [...channelRows, ...rows].map(({ name }) => name);
    const row = readOwnChannel(exported, { file, taken, redact });
    if ("kind" in row) return row;
    rows.push(row);
    return [{ name: row.name, description: "" }];
  });
  return { rows, files };
}

/** Why there is no channel of that name: a file that is not used, or a name that is not known. */
export function explainNoChannel(channel: string, { rows, files }: OwnChannels): Phrase {
  const file = files.find((each) => toChannelName(each.file) === channel);
  const reason = file && findOwnProblem(file, "channels");
  if (reason !== undefined) return phrase("channels.file-not-used", { channel, reason });
  const nearest = findNearest(
    channel,
    [...channelRows, ...rows].map((row) => row.name),
  );
  return phrase("channels.unknown", { channel, ...(nearest !== undefined && { nearest }) });
}

/** Of blocks that are not switched off and that no channel answers to. */
export function findUnknownChannels(channels: Record<string, unknown>, own: OwnChannels): Phrase[] {
  const known = new Set([
    ...[...channelRows, ...own.rows].map(({ name }) => name),
    ...own.files.map(({ file }) => toChannelName(file)),
  ]);
  return Object.entries(channels)
    .filter(([name, block]) => isRecord(block) && block.enabled !== false && !known.has(name))
    .map(([name]) => explainNoChannel(name, own));
}
