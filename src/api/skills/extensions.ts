// Custom tools and MCP servers, with their state.
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { revealLine } from "../../lib/visible-text.ts";
import { phraseServerProblem } from "../../mcp/problem.ts";
import { loadOwnTools } from "../extensions/foreign-tools.ts";
import { findOwnProblem, type OwnCodeFile } from "../extensions/own-code.ts";
import { type KnownServer, readServers } from "../mcp/survey-servers.ts";
import type { Surroundings } from "../services.ts";

export interface ExtensionCard {
  kind: "tools" | "mcp";
  name: string;
  state: "used" | "off" | "waiting" | "broken";
  /** What it brings, or why it is not used. */
  detail: Phrase;
}

export async function listExtensions({
  paths,
  workspace,
  loaded,
}: Pick<Surroundings, "paths" | "workspace" | "loaded">): Promise<ExtensionCard[]> {
  const { files } = await loadOwnTools({ paths, workspace });
  const servers = await readServers({ paths, loaded: loaded() });
  return [...files.map(toToolsCard), ...servers.map(toServerCard)];
}

function toToolsCard(file: OwnCodeFile): ExtensionCard {
  const card = { kind: "tools", name: revealLine(file.file) } as const;
  const problem = findOwnProblem(file, "tools");
  if (problem === undefined) {
    const names = file.offers.map(({ name }) => name);
    return { ...card, state: "used", detail: phrase("extensions.tools", { names }) };
  }
  const isWaiting = file.state === "new" || file.state === "changed";
  return { ...card, state: isWaiting ? "waiting" : "broken", detail: problem };
}

function toServerCard({ name, isDisabled, problem, offered, seenAt }: KnownServer): ExtensionCard {
  const card = { kind: "mcp", name: revealLine(name) } as const;
  if (isDisabled) return { ...card, state: "off", detail: phrase("extensions.off") };
  if (problem !== undefined) return { ...card, state: "broken", detail: phraseServerProblem(problem) };
  if (offered === undefined || seenAt === undefined)
    return { ...card, state: "used", detail: phrase("extensions.unseen") };
  const seen = seenAt.slice(0, 16).replace("T", " ");
  return { ...card, state: "used", detail: phrase("extensions.offered", { count: offered, seen }) };
}
