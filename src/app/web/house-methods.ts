// The methods of what runs beside conversations: the schedule, skills and channels, composed from the gateway's parts.

import { findOwnProblem } from "../../api/extensions/own-code.ts";
import { say, type Words } from "../../i18n/words.ts";
import { createIds } from "../../lib/ids.ts";
import { revealLine } from "../../lib/visible-text.ts";
import type { MethodTable } from "../../server/methods.ts";
import type { ExtensionCard, SkillsMethods } from "../../server/protocol/skills.ts";
import type { Topic } from "../../server/protocol.ts";
import { loadOwnTools } from "../build-own-tools.ts";
import { StagedSkills } from "../skills/staged-skills.ts";
import { describeState, surveyServers } from "../survey-servers.ts";
import type { WebParts } from "./build-web-methods.ts";
import { createConfigChange } from "./change-config.ts";
import { createSkillsMethods } from "./skills-methods.ts";
import { telling, type WatchOptions } from "./tell-changes.ts";

export function createHouseMethods(parts: WebParts): MethodTable<SkillsMethods> {
  const { app, hub, clock, paths, env } = parts;
  const { skills: loader } = app;
  const config = () => app.current().config;
  const saveConfig = createConfigChange(parts);
  const newId = () => createIds(clock).next();
  const skills = createSkillsMethods({
    loader,
    staged: new StagedSkills({ home: paths.home, env, loader, newId }),
    disabled: () => config().agents.defaults.disabledSkills,
    saveConfig,
    listExtensions: (words) => listExtensions(parts, words),
  });
  return {
    ...telling(
      skills,
      ["skills.list", "skills.show", "skills.extensions", "skills.stage", "skills.discard"],
      tell("skills"),
    ),
  };

  function tell(topic: Topic): () => void {
    return () => hub.publish({ type: "changed", topic });
  }
}

/** What the pages rest on, for changes that come from elsewhere. */
export function createHouseLooks({
  app,
  state,
  status,
}: Pick<WebParts, "app" | "state" | "status">): WatchOptions["looks"] {
  const { files } = app.trailFor({ role: "owner", person: "owner" });
  return {
    memory: () => files.list(),
    async jobs() {
      const jobs = await state.cron.list({ withFinished: true });
      return jobs.map(({ raw: _, runs, ...job }) => [job, runs.length, runs.at(-1)]);
    },
    async skills() {
      const entries = (await app.skills.survey()).list();
      return entries.map(({ name, hash, available, isAllowed }) => [name, hash, available, isAllowed]);
    },
    async channels() {
      const { channels } = await status();
      return [
        // When one was last alive is told by the minute.
        channels.map(({ aliveAt = 0, ...health }) => [health, Math.floor(aliveAt / 60_000)]),
        state.bus.outbox.list().map(({ part, state: sending, attempts }) => [part.id, sending, attempts]),
        await state.pairing.listPending(),
        await state.pairing.list(),
      ];
    },
  };
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
