// The person's own channels, from what was allowed in <home>/channels, and what is wrong with a block of the config that
// no channel answers to.
import type { ChannelRow } from "../channels/channel-kind.ts";
import { channelRows } from "../channels/index.ts";
import { readOwnChannel, toChannelName } from "../channels/own-channel.ts";
import type { Words } from "../i18n/words.ts";
import { isRecord } from "../lib/is-record.ts";
import { findNearest } from "../lib/nearest.ts";
import { describeOwnProblem, loadOwnCode, type OwnCodeFile, type OwnCodePlace } from "./own-code.ts";

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

/** Why there is no channel of that name: a file that is not used, or a name that nobody knows. */
export function describeNoChannel(name: string, { rows, files }: OwnChannels, words: Words): string {
  const file = files.find((each) => toChannelName(each.file) === name);
  const reason = file && describeOwnProblem(file, words.channels);
  if (reason !== undefined) return words.gateway.badChannel(name, reason);
  const known = [...channelRows, ...rows].map((row) => row.name);
  return words.gateway.unknownChannel(name, findNearest(name, known));
}

/** Of blocks that are not switched off and that no channel answers to. */
export function describeUnknownChannels(
  channels: Record<string, unknown>,
  own: OwnChannels,
  words: Words,
): string[] {
  const known = new Set([
    ...[...channelRows, ...own.rows].map(({ name }) => name),
    ...own.files.map(({ file }) => toChannelName(file)),
  ]);
  return Object.entries(channels)
    .filter(([name, block]) => isRecord(block) && block.enabled !== false && !known.has(name))
    .map(([name]) => describeNoChannel(name, own, words));
}
