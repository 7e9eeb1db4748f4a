// Commander's commands with what was typed wrongly as data. Its own errors have it only inside of English sentences.
import { type Argument, Command, InvalidArgumentError, type Option } from "commander";

export type Mistake =
  | { kind: "unknown-option"; flag: string }
  | { kind: "missing-value"; option: Option }
  | { kind: "wrong-value"; option: Option; value: string }
  | { kind: "unknown-action"; value: string }
  | { kind: "missing-argument"; name: string };

export class UsageMistake extends Error {
  override readonly name = "UsageMistake";
  readonly mistake: Mistake;

  constructor(mistake: Mistake) {
    super(mistake.kind);
    this.mistake = mistake;
  }
}

interface Target {
  parseArg?(value: string, previous: unknown): unknown;
}

/** Commander calls these methods where it finds a mistake; its types do not name them. */
export class StrictCommand extends Command {
  override createCommand(name?: string): Command {
    return new StrictCommand(name);
  }

  unknownOption(flag: string): never {
    throw new UsageMistake({ kind: "unknown-option", flag });
  }

  optionMissingArgument(option: Option): never {
    throw new UsageMistake({ kind: "missing-value", option });
  }

  missingArgument(name: string): never {
    throw new UsageMistake({ kind: "missing-argument", name });
  }

  _callParseArg(target: (Option | Argument) & Target, value: string, previous: unknown): unknown {
    try {
      return target.parseArg?.(value, previous);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      throw new UsageMistake(
        "flags" in target
          ? { kind: "wrong-value", option: target, value }
          : { kind: "unknown-action", value },
      );
    }
  }
}
