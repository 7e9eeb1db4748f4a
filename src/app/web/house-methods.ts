// The methods of what runs beside conversations: the schedule, skills and channels, composed from the gateway's parts.
import type { ChannelRow } from "../../channels/channel-kind.ts";
import { channelRows } from "../../channels/index.ts";
import { say, type Words } from "../../i18n/words.ts";
import { createIds } from "../../lib/ids.ts";
import { revealLine } from "../../lib/visible-text.ts";
import type { MethodTable } from "../../server/methods.ts";
import type { ChannelsMethods } from "../../server/protocol/channels.ts";
import type { ExtensionCard, SkillsMethods } from "../../server/protocol/skills.ts";
import type { Topic } from "../../server/protocol.ts";
import { loadOwnChannels } from "../build-own-channels.ts";
import { loadOwnTools } from "../build-own-tools.ts";
import { findOwnProblem } from "../own-code.ts";
import { StagedSkills } from "../skills/staged-skills.ts";
import { describeState, surveyServers } from "../survey-servers.ts";
import type { WebParts } from "./build-web-methods.ts";
import { createConfigChange } from "./change-config.ts";
import { createChannelsMethods } from "./channels-methods.ts";
import { createSkillsMethods } from "./skills-methods.ts";
import { telling, type WatchOptions } from "./tell-changes.ts";

type HouseMethods = SkillsMethods & ChannelsMethods;

export function createHouseMethods(parts: WebParts): MethodTable<HouseMethods> {
  const { app, status, hub, clock, paths, env } = parts;
  const { log, skills: loader } = app;
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
  const channels = createChannelsMethods({
    paths,
    env,
    clock,
    log,
    words: parts.words,
    status,
    listRows: () => listRows(parts),
    running: app.loaded.config.channels,
    current: () => config().channels,
    saveConfig,
  });
  return {
    ...telling(
      skills,
      ["skills.list", "skills.show", "skills.extensions", "skills.stage", "skills.discard"],
      tell("skills"),
    ),
    ...telling(channels, ["channels.list", "channels.form", "channels.check"], tell("channels")),
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

async function listRows({ paths, app }: WebParts): Promise<Array<{ row: ChannelRow; isOwn: boolean }>> {
  const own = await loadOwnChannels({ paths, workspace: app.workspace });
  return [
    ...channelRows.map((row) => ({ row, isOwn: false })),
    ...own.rows.map((row) => ({ row, isOwn: true })),
  ];
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
