// The methods about skills and extensions, composed from the gateway's parts.
import { findOwnProblem } from "../../api/extensions/own-code.ts";
import { say, type Words } from "../../i18n/words.ts";
import { createIds } from "../../lib/ids.ts";
import { revealLine } from "../../lib/visible-text.ts";
import type { MethodTable } from "../../server/methods.ts";
import type { ExtensionCard, SkillsMethods } from "../../server/protocol/skills.ts";
import { loadOwnTools } from "../build-own-tools.ts";
import { StagedSkills } from "../skills/staged-skills.ts";
import { describeState, surveyServers } from "../survey-servers.ts";
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
  const servers = await surveyServers({ paths, loaded: app.current(), words });
  const foreign = servers.map((server): ExtensionCard => {
    const stateOf = server.isDisabled ? "off" : server.problem === undefined ? "used" : "broken";
    const detail = server.isDisabled ? words.mcp.disabled : describeState(server, words.mcp);
    return { kind: "mcp", name: revealLine(server.name), state: stateOf, detail: revealLine(detail) };
  });
  return [...own, ...foreign];
}
