// Extensions of the assistant, for `nanobot status`: MCP servers as they were last seen, custom tools and channels.
import { findUnknownChannels, loadOwnChannels } from "../../api/channels/own-channels.ts";
import { readExtensions, toExtensionFile } from "../../api/extensions/extensions.ts";
import { readServers } from "../../api/mcp/survey-servers.ts";
import type { LoadedConfig } from "../../config/load.ts";
import { say, type Words } from "../../i18n/words.ts";
import { revealLine } from "../../lib/visible-text.ts";
import type { HomePaths } from "../../storage/home.ts";
import { type OwnCodeReport, toReport } from "../commands/extensions.ts";
import { describeState, type ServerReport, toServerReport } from "../commands/mcp.ts";
import type { Style } from "../draw/style.ts";

export interface Extensions {
  mcp: ServerReport[];
  ownTools: OwnCodeReport[];
  ownChannels: OwnCodeReport[];
  /** Blocks of the config that no channel answers to, one sentence each. */
  unknownChannels: string[];
}

export async function surveyExtensions(
  paths: HomePaths,
  loaded: LoadedConfig,
  words: Words,
): Promise<Extensions> {
  const { agents, channels } = loaded.config;
  const place = { paths, workspace: agents.defaults.workspace };
  const servers = await readServers({ paths, loaded });
  const tools = await readExtensions("tools", place);
  const customChannels = await loadOwnChannels(place);
  const custom = customChannels.files.map((file) => toExtensionFile(file, "channels"));
  return {
    mcp: servers.map((server) => toServerReport(server, words)),
    ownTools: tools.map((file) => toReport(file, "tools", words)),
    ownChannels: custom.map((file) => toReport(file, "channels", words)),
    unknownChannels: findUnknownChannels(channels, customChannels).map((problem) => say(problem, words)),
  };
}

/** Rows of a name and a value; the name only once for all of its kind. */
export function describeExtensions(
  { mcp = [], ownTools = [], ownChannels = [], unknownChannels = [] }: Partial<Extensions>,
  words: Words,
  style: Style,
): Array<[name: string, value: string]> {
  const servers = mcp.map((server) => {
    const state = describeState(server, words);
    const isBad = server.problem !== undefined && !server.isDisabled;
    return (isBad ? style.bad : String)(revealLine(`${server.name}: ${state}`));
  });
  const toValues = (reports: OwnCodeReport[]) =>
    reports.map(({ file, tools, channel, reason }) => {
      const state = reason ?? tools?.map(({ name }) => name).join(", ") ?? channel;
      return (reason === null ? String : style.warning)(revealLine(`${file}: ${state}`));
    });
  const unknown = unknownChannels.map((sentence) => style.warning(revealLine(sentence)));
  const toRows = (title: string, values: string[]) =>
    values.map((value, index): [string, string] => [index === 0 ? title : "", value]);
  return [
    ...toRows(words.mcp.status, servers),
    ...toRows(words.tools.title, toValues(ownTools)),
    ...toRows(words.channels.title, toValues(ownChannels)),
    ...toRows(words.gateway.status.channel, unknown),
  ];
}
