// The owner's memory for a command: found, explained, undone and forgotten without a model, and without the assistant.
import { buildRecall } from "../../app/build-recall.ts";
import { openTrail, type Trail } from "../../app/build-trail.ts";
import { buildVersions } from "../../app/build-versions.ts";
import { systemClock } from "../../lib/clock.ts";
import { createHomeLock } from "../../lib/home-lock.ts";
import { silentLog } from "../../lib/log.ts";
import { neutralise } from "../../lib/visible-text.ts";
import type { Recall } from "../../recall/recall.ts";
import { type AssistantControl, createControlClient } from "../../server/control.ts";
import { SessionStore } from "../../session/store.ts";
import type { GlobalOptions, MemoryOptions } from "../command-line.ts";
import { readConfig } from "../read-config.ts";
import type { CommandContext, Terminal } from "../terminal.ts";
import { findServing } from "../with-assistant.ts";

export interface OpenedMemory {
  recall: Recall;
  trail: Trail;
  close(): Promise<void>;
}

/** What every command about memory is given. */
export interface MemoryRequest extends OpenedMemory {
  /** What stands behind the action. */
  text: string;
  options: MemoryOptions;
  context: CommandContext;
}

export async function openMemory(options: GlobalOptions, terminal: Terminal): Promise<OpenedMemory> {
  const { env, words, stderr, sideStyle } = terminal;
  const { paths, loaded } = await readConfig(options, terminal);
  const { workspace } = loaded.config.agents.defaults;
  const ground = { paths, loaded, workspace, env, clock: systemClock, log: silentLog };
  const lock = createHomeLock({ home: paths.home, clock: systemClock });
  const sessions = await SessionStore.open({ ...ground, root: paths.sessions, lock });
  const recall = buildRecall(ground, sessions.folder);
  const versionsFor = buildVersions({
    ...ground,
    sessionsFolder: sessions.folder,
    onProblem: (problem) => {
      const sentence =
        problem.kind === "damaged"
          ? words.memory.versions.damaged(problem.folder, problem.keptAs)
          : words.memory.versions.unwritable(problem.folder, problem.code);
      stderr.write(`${sideStyle.warning(neutralise(sentence))}\n`);
    },
  });
  const own = openTrail(
    { ...ground, sessions, recall, lock, versionsFor },
    { root: workspace, scope: "owner" },
  );
  const gateway = await findServing(options, terminal);
  const trail = gateway === undefined ? own : { ...own, ...changeThere(createControlClient(gateway)) };
  return { recall, trail, close: () => recall.close().finally(() => lock.close()) };
}

/** A gateway that runs makes the changes itself: it knows who else is at work. */
function changeThere(assistant: AssistantControl): Pick<Trail, "findForgettable" | "forget" | "restore"> {
  return {
    findForgettable: (words) => assistant.findForgettable({ words }),
    forget: async (found, words) => (await assistant.forget({ found, words })).version,
    restore: (id) => assistant.restoreMemory({ id }),
  };
}
