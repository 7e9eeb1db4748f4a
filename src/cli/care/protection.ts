// The limits around the assistant, for `nanobot status`.
import type { LoadedConfig } from "../../config/load.ts";
import { findSandbox } from "../../guards/sandbox/command-sandbox.ts";
import type { SandboxMode, SandboxState } from "../../guards/sandbox/sandbox.ts";
import type { Words } from "../../i18n/words.ts";
import { neutralise } from "../../lib/visible-text.ts";
import type { Style } from "../draw/style.ts";

export interface Protection {
  isRestricted: boolean;
  commands: "ask" | "off";
  /** Absent: there are no commands. */
  sandbox?: SandboxState & { mode: SandboxMode };
}

type Row = [name: string, value: string];

export function surveyProtection(loaded: LoadedConfig, env: NodeJS.ProcessEnv): Protection {
  const { restrictToWorkspace: isRestricted, exec } = loaded.config.tools;
  if (!exec.enable) return { isRestricted, commands: "off" };
  return {
    isRestricted,
    commands: "ask",
    sandbox: { mode: exec.sandbox, ...findSandbox(exec.sandbox, env) },
  };
}

export function describeProtection(protection: Protection, words: Words, style: Style): Row[] {
  const { status } = words;
  const files = protection.isRestricted ? status.restricted : style.warning(status.unrestricted);
  return [
    [status.files, files],
    [status.commands, protection.commands === "ask" ? status.commandsAsk : status.commandsOff],
    ...describeSandbox(protection, words, style),
  ];
}

function describeSandbox({ sandbox }: Protection, { sandbox: words }: Words, style: Style): Row[] {
  if (sandbox === undefined) return [];
  if (sandbox.isContained) return [[words.title, words[sandbox.name]]];
  const row: Row = [words.title, style.warning(neutralise(describeLack(sandbox, words)))];
  return sandbox.mode === "required" ? [row, ["", style.warning(words.required)]] : [row];
}

/** Why commands are not contained, and how they could be. */
export function describeLack(
  lack: Exclude<SandboxState, { isContained: true }>,
  words: Words["sandbox"],
): string {
  return "detail" in lack ? words[lack.reason](lack.detail) : words[lack.reason];
}
