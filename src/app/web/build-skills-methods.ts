// The methods about skills and extensions, composed from the gateway's parts.
import { findOwnProblem } from "../../api/extensions/own-code.ts";
import { loadOwnTools } from "../../api/extensions/own-tools.ts";
import { type KnownServer, readServers } from "../../api/mcp/survey-servers.ts";
import { say, type Words } from "../../i18n/words.ts";
import { createIds } from "../../lib/ids.ts";
import { revealLine } from "../../lib/visible-text.ts";
import { phraseServerProblem } from "../../mcp/problem.ts";
import type { MethodTable } from "../../server/methods.ts";
import type { ExtensionCard, SkillsMethods } from "../../server/protocol/skills.ts";
import { StagedSkills } from "../skills/staged-skills.ts";
import type { WebParts } from "./build-web-methods.ts";
import { createConfigChange } from "./change-config.ts";
import { createSkillsMethods } from "./skills-methods.ts";

export function buildSkillsMethods(parts: WebParts): MethodTable<SkillsMethods> {
  const { app, hub, clock, paths, env } = parts;
  const { skills: loader } = app;
  const config = () => app.current().config;
  const saveConfig = createConfigChange(parts);
  const newId = () => createIds(clock).next();
  return createSkillsMethods({
    loader,
    staged: new StagedSkills({ home: paths.home, env, loader, newId }),
    disabled: () => config().agents.defaults.disabledSkills,
    saveConfig,
    listExtensions: (words) => listExtensions(parts, words),
    onChange: () => hub.publish({ type: "changed", topic: "skills" }),
  });
}

async function listExtensions({ paths, app }: WebParts, words: Words): Promise<ExtensionCard[]> {
  const { files } = await loadOwnTools({ paths, workspace: app.workspace });
  const own = files.map((file): ExtensionCard => {
    const reason = findOwnProblem(file, "tools");
    const waits = file.state === "new" || file.state === "changed";
    const detail = reason === undefined ? file.offers.map(({ name }) => name).join(", ") : say(reason, words);
    const stateOf = reason === undefined ? "used" : waits ? "waiting" : "broken";
    return { kind: "tools", name: revealLine(file.file), state: stateOf, detail: revealLine(detail) };
  });
  const servers = await readServers({ paths, loaded: app.current() });
  const foreign = servers.map((server): ExtensionCard => {
    const stateOf = server.isDisabled ? "off" : server.problem === undefined ? "used" : "broken";
    const detail = describeState(server, words);
    return { kind: "mcp", name: revealLine(server.name), state: stateOf, detail: revealLine(detail) };
  });
  return [...own, ...foreign];
}

function describeState({ isDisabled, problem, offered, seenAt = "" }: KnownServer, words: Words): string {
  if (isDisabled) return words.mcp.disabled;
  if (problem !== undefined) return say(phraseServerProblem(problem), words);
  return offered === undefined
    ? words.mcp.unseen
    : words.mcp.offered(offered, seenAt.slice(0, 16).replace("T", " "));
}
