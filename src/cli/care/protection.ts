// The limits around the assistant, for `nanobot status`.
import type { LoadedConfig } from "../../config/load.ts";
import { findSandbox } from "../../guards/sandbox/command-sandbox.ts";
import { type SandboxMode, type SandboxState, toSandboxPhrase } from "../../guards/sandbox/sandbox.ts";
import { phrase } from "../../i18n/phrase.ts";
import { say, type Words } from "../../i18n/words.ts";
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
    sandbox: { mode: exec.sandbox, ...findSandbox(exec, env) },
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

function describeSandbox({ sandbox }: Protection, words: Words, style: Style): Row[] {
  if (sandbox === undefined) return [];
  const { title } = words.sandbox;
  if (sandbox.isContained) return [[title, describeState(sandbox, words)]];
  const row: Row = [title, style.warning(describeState(sandbox, words))];
  const required = say(phrase("sandbox.required"), words);
  return sandbox.mode === "required" ? [row, ["", style.warning(required)]] : [row];
}

/** Which sandbox there is, or why commands are not contained and how they could be. */
export function describeState(state: SandboxState, words: Words): string {
  return neutralise(say(toSandboxPhrase(state), words));
}
