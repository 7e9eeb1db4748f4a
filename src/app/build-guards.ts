// The guards around every tool, from the outside in: results are offloaded, cleaned of secrets before that, the owner is
// asked, and what comes in or is written gets its labels.
import { realpath } from "node:fs/promises";
import { readTrust } from "../api/chat/trust.ts";
import type { LoadedConfig } from "../config/load.ts";
import type { CommandPolicy } from "../guards/command/command-policy.ts";
import { createCommandJudge } from "../guards/command-judge.ts";
import type { FileRoots } from "../guards/file-roots.ts";
import { judgeGuest } from "../guards/guest-limits.ts";
import type { CommandFacts } from "../guards/incoming-labels.ts";
import { SeenAddresses } from "../guards/seen-addresses.ts";
import { createSkillWriteJudge } from "../guards/skill-writes.ts";
import { createTaintJudge } from "../guards/taint-judge.ts";
import { combineJudges, withApproval } from "../guards/with-approval.ts";
import { withChanges } from "../guards/with-changes.ts";
import { withLabels } from "../guards/with-labels.ts";
import { type OffloadOptions, withOffload } from "../guards/with-offload.ts";
import { withRedaction } from "../guards/with-redaction.ts";
import { watchLabels } from "../guards/written-labels.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Redactor } from "../lib/redact.ts";
import type { ToolWrapper } from "../runner/tool.ts";
import type { SkillsLoader } from "../skills/loader.ts";
import type { CommandChanges } from "../storage/changes/command-changes.ts";
import type { UndoLog } from "../storage/changes/undo-log.ts";
import type { RememberedApprovals } from "../storage/grants/remembered-approvals.ts";
import type { TaintedFiles } from "../storage/grants/tainted-files.ts";
import type { HomePaths } from "../storage/home.ts";
import { scopeOf } from "../storage/scope.ts";
import type { SessionManager } from "../storage/sessions/session-manager.ts";
import { buildFileLabels, createPromptFileRule, listPromptFiles } from "./build-labels.ts";

export interface GuardParts {
  paths: HomePaths;
  loaded: LoadedConfig;
  workspace: string;
  clock: Clock;
  log: Log;
  redactor: Redactor;
  tainted: TaintedFiles;
  /** What the owner has allowed for ever; absent: nothing. */
  remembered?: RememberedApprovals;
  /** Absent: no session is trusted. */
  sessions?: SessionManager;
}

export interface GuardGround {
  roots: FileRoots;
  skills: SkillsLoader;
  /** Around the tool itself, inside of the guards. */
  record: ToolWrapper;
  changes: CommandChanges;
  undo: UndoLog;
  offload: OffloadOptions;
  policy: CommandPolicy;
  commands: CommandFacts;
}

export function buildGuards(parts: GuardParts, ground: GuardGround): ToolWrapper {
  const { loaded, clock, tainted, redactor } = parts;
  const { roots, skills, record, commands } = ground;
  const seen = new SeenAddresses();
  const isPromptFile = createPromptFileRule(loaded, (origin) => roots.rootFor(origin));
  const promptNames = [...listPromptFiles(loaded), "memory/"];
  const own = combineJudges(createCommandJudge(ground.policy), createSkillWriteJudge(roots), judgeGuest);
  const approve = withApproval({
    mode: loaded.config.tools.approval,
    judge: createTaintJudge(own, { roots, seen, isPromptFile, promptNames, commands }),
    remembered: parts.remembered,
    placeOf: ({ origin }) => roots.rootFor(origin),
    isTrusted: async ({ sessionKey, origin }) => {
      const scope = scopeOf(origin);
      const session = await parts.sessions?.find(sessionKey, scope);
      const parent = session?.metadata.subagent?.parent;
      const trusted = parent === undefined ? session : await parts.sessions?.find(parent, scope);
      return readTrust(trusted?.metadata ?? {}, clock.now()) !== undefined;
    },
  });
  const findLabels = buildFileLabels(parts, skills);
  const label = withLabels({ roots, tainted, findLabels, seen, isPromptFile, commands });
  const watch = withChanges({
    ...ground,
    isPromptFile: (path, { origin }) => isPromptFile(path, origin),
    users: [(effects, context) => watchLabels(effects, context, { roots, tainted, isPromptFile })],
  });
  const redact = withRedaction(redactor);
  const offload = withOffload({
    ...ground.offload,
    onStored: async (path, labels) => {
      if (labels.length > 0) await tainted.record(await realpath(path), labels);
    },
  });
  return (tool) => offload(redact(approve(label(watch(record(tool))))));
}
