// What ends a command before it is done, as a sentence for the person who typed it.

export class CommandFailure extends Error {
  override name = "CommandFailure";
  /** 1: it failed; 2: it was used wrongly; 130: it was interrupted. */
  readonly exitCode: 1 | 2 | 130;

  constructor(sentence: string, exitCode: CommandFailure["exitCode"] = 1) {
    super(sentence);
    this.exitCode = exitCode;
  }
}

export class Interrupted extends CommandFailure {
  override name = "Interrupted";

  constructor(sentence: string) {
    super(sentence, 130);
  }
}
