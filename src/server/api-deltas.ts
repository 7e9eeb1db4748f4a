// What happens in a turn, as a client of chat completions can show it: the answer as content, everything else (thoughts,
// the tools that are used) as reasoning.
import type { LiveBody, Progress } from "../bus/live.ts";
import { toOneLine } from "../lib/text.ts";

export interface Delta {
  content?: string;
  reasoning_content?: string;
}

export type DescribeTool = (event: Extract<Progress, { type: "tool-start" }>) => string;

const longestReason = 200;

export class ApiDeltas {
  readonly #describeTool: DescribeTool;
  #hasContent = false;
  /** What comes next is another piece of the answer. */
  #isBroken = false;
  #reasoning = "";

  constructor(describeTool: DescribeTool) {
    this.#describeTool = describeTool;
  }

  /** All of it so far. */
  get reasoning(): string {
    return this.#reasoning;
  }

  take(body: LiveBody): Delta | undefined {
    switch (body.type) {
      case "text-delta":
        return this.#say(body.text);
      case "reasoning-delta":
        return this.#think(body.text);
      case "tool-start":
        this.#break();
        return this.#think(this.#toLine(this.#describeTool(body)));
      case "tool-end":
        return body.isError
          ? this.#think(this.#toLine(`✗ ${toOneLine(body.content, longestReason)}`))
          : undefined;
      case "text-reset":
        // What was sent cannot be taken back: the answer begins again below it.
        this.#break();
        return undefined;
      default:
        return undefined;
    }
  }

  #say(text: string): Delta | undefined {
    if (text === "") return undefined;
    const content = this.#isBroken ? `\n\n${text}` : text;
    this.#isBroken = false;
    this.#hasContent = true;
    return { content };
  }

  #think(text: string): Delta | undefined {
    if (text === "") return undefined;
    this.#reasoning += text;
    return { reasoning_content: text };
  }

  #toLine(text: string): string {
    const isFresh = this.#reasoning === "" || this.#reasoning.endsWith("\n");
    return `${isFresh ? "" : "\n"}${text}\n`;
  }

  #break(): void {
    this.#isBroken = this.#hasContent;
  }
}
