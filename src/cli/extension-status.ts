// What the assistant has besides its own abilities, for `nanobot status`: MCP servers as they were last seen, and the
// person's own tools.
import { loadOwnTools } from "../app/build-own-tools.ts";
import type { HomePaths } from "../config/home.ts";
import type { LoadedConfig } from "../config/load.ts";
import { revealLine } from "../lib/visible-text.ts";
import type { Words } from "../words/words.ts";
import type { Style } from "./draw/style.ts";
import { describeState, type ServerReport, surveyServers } from "./mcp/survey-servers.ts";
import { type ToolFileReport, toReport } from "./tools/describe-tools.ts";

export interface Extensions {
  mcp: ServerReport[];
  ownTools: ToolFileReport[];
}

export async function surveyExtensions(
  paths: HomePaths,
  loaded: LoadedConfig,
  words: Words,
): Promise<Extensions> {
  const { workspace } = loaded.config.agents.defaults;
  const { files } = await loadOwnTools({ paths, workspace });
  return {
    mcp: await surveyServers({ paths, loaded, words }),
    ownTools: files.map((file) => toReport(file, words)),
  };
}

/** Rows of a name and a value; the name only once for all of its kind. */
export function describeExtensions(
  { mcp = [], ownTools = [] }: Partial<Extensions>,
  words: Words,
  style: Style,
): Array<[name: string, value: string]> {
  const servers = mcp.map((server) => {
    const state = server.isDisabled ? words.mcp.disabled : describeState(server, words.mcp);
    const isBad = server.problem !== undefined && !server.isDisabled;
    return (isBad ? style.bad : String)(revealLine(`${server.name}: ${state}`));
  });
  const tools = ownTools.map(({ file, tools, reason }) => {
    const state = reason ?? tools.map(({ name }) => name).join(", ");
    return (reason === null ? String : style.warning)(revealLine(`${file}: ${state}`));
  });
  const toRows = (title: string, values: string[]) =>
    values.map((value, index): [string, string] => [index === 0 ? title : "", value]);
  return [...toRows(words.mcp.status, servers), ...toRows(words.tools.title, tools)];
}
