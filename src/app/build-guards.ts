// The guards around every tool, from the outside in: results are offloaded, cleaned of secrets before that, the owner is
// asked, and what comes in or is written gets its labels.
import { isTrusted } from "../api/chat/trust.ts";
import { createCommandJudge, judgeGuest, judgeSecrets } from "../guards/approval/judges.ts";
import { combineJudges, withApproval } from "../guards/approval/with-approval.ts";
import type { CommandPolicy } from "../guards/command/command-policy.ts";
import type { FileRoots } from "../guards/files/file-roots.ts";
import { isInside, toRealRoot } from "../guards/files/real-path.ts";
import { createSecretFinder } from "../guards/files/secret-files.ts";
import { createFileLabels } from "../guards/labels/file-labels.ts";
import { toCommandFacts } from "../guards/labels/incoming-labels.ts";
import { createPromptFileRule, createPromptTexts } from "../guards/labels/prompt-files.ts";
import { createTaintJudge } from "../guards/labels/taint-judge.ts";
import { finishLeftLabels, watchLabels, withLabels } from "../guards/labels/with-labels.ts";
import { createFactsOf } from "../guards/outgoing/conversation-facts.ts";
import { createKnownCalls } from "../guards/outgoing/known-calls.ts";
import { withChanges } from "../guards/wrappers/with-changes.ts";
import { type OffloadOptions, withOffload } from "../guards/wrappers/with-offload.ts";
import { withRedaction } from "../guards/wrappers/with-redaction.ts";
import type { ToolWrapper } from "../runner/tool.ts";
import type { SkillsLoader } from "../skills/loader.ts";
import { createSkillWriteJudge, findSkillLabel } from "../skills/skill-guards.ts";
import type { CommandChanges } from "../storage/changes/command-changes.ts";
import type { UndoLog } from "../storage/changes/undo-log.ts";
import { scopeOf } from "../storage/scope.ts";
import type { Storage } from "./open-storage.ts";

export interface GuardParts {
  roots: FileRoots;
  skills: SkillsLoader;
  /** Wraps the tool itself, inside the guards. */
  record: ToolWrapper;
  changes: CommandChanges;
  undo: UndoLog;
  offload: OffloadOptions;
  policy: CommandPolicy;
  /** Someone who was admitted is there. */
  isKnownChat(chat: { channel: string; chatId: string }): Promise<boolean>;
  /** Names of the files that prompts are made of. */
  promptFiles: readonly string[];
}

export function buildGuards(storage: Storage, parts: GuardParts): ToolWrapper {
  const { environment, loaded, tainted, remembered, sessions } = storage;
  const { paths, workspace, clock, redactor } = environment;
  const { roots, skills, record, policy, promptFiles } = parts;
  const commands = toCommandFacts(policy);
  const calls = createKnownCalls();
  const isPromptFile = createPromptFileRule(promptFiles, (origin) => roots.rootFor(origin));
  const promptNames = [...promptFiles, "memory/"];
  const combinedJudge = combineJudges(
    createCommandJudge(policy),
    createSkillWriteJudge(roots),
    judgeSecrets,
    judgeGuest,
  );
  const factsOf = createFactsOf({
    ...calls,
    isSkillFile: (path) => skills.roots().some((root) => isInside(path, toRealRoot(root))),
    findParent: (key, origin) => sessions.find(key, scopeOf(origin)),
  });
  const outgoing = {
    factsOf,
    promptTexts: createPromptTexts(promptFiles, roots),
    isKnownChat: parts.isKnownChat,
    grants: () => skills.grants(),
  };
  const approve = withApproval({
    mode: loaded.config.tools.approval,
    judge: createTaintJudge(combinedJudge, { roots, isPromptFile, promptNames, commands, ...outgoing }),
    remembered,
    placeOf: ({ origin }) => roots.rootFor(origin),
    isTrusted: ({ sessionKey, origin }) => isTrusted(sessions, { sessionKey, origin, now: clock.now() }),
  });
  const findLabels = createFileLabels({
    workspace,
    ownFolders: [paths.toolResults],
    tainted,
    skillLabel: (path) => findSkillLabel(skills, path),
  });
  const left = finishLeftLabels(paths.run, tainted);
  // A call that waits for it says what went wrong.
  left.catch(() => {});
  const written = {
    roots,
    tainted,
    mediaFolder: paths.media,
    isPromptFile,
    commands,
    runFolder: paths.run,
    left,
  };
  const label = withLabels({ ...written, findLabels });
  const watch = withChanges({
    ...parts,
    commands,
    isPromptFile: (path, { origin }) => isPromptFile(path, origin),
    users: [(effects, context) => watchLabels(effects, context, written)],
  });
  const redact = withRedaction(redactor, { findSecrets: createSecretFinder(roots) });
  const offload = withOffload({
    ...parts.offload,
    onStored: async (path, labels) => {
      if (labels.length > 0) await tainted.record(toRealRoot(path), labels);
    },
  });
  return (tool) => offload(redact(approve(label(watch(record(calls.know(tool)))))));
}
