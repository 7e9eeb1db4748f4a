// What ends a command before it is done, as a sentence for the person who typed it.

export class CommandFailure extends Error {
  override name = "CommandFailure";
  /** 1: it failed; 2: it was used wrongly. */
  readonly exitCode: 1 | 2;

  constructor(sentence: string, exitCode: 1 | 2 = 1) {
    super(sentence);
    this.exitCode = exitCode;
  }
}
