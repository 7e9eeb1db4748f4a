// The contract of a tool: what the model may call. A tool knows nothing of the runner, and keeps nothing of a turn.
import type { Answer, Question } from "../bus/ask.ts";
import type { Origin } from "../bus/types.ts";
import type { ContentPart, JsonSchema } from "../llm/types.ts";
import type { StoredMessage } from "../storage/sessions/format/message.ts";
import type { SessionMetadata } from "../storage/sessions/metadata.ts";

/** `unknown` names what was given in addition to what the tool takes. */
export type Parsed<A> =
  | { ok: true; value: A; unknown?: readonly string[] }
  | { ok: false; problems: string[] };

/** From a zod schema (`zodParameters`) or from a foreign JSON schema. `parse` casts, then validates. */
export interface Parameters<A> {
  jsonSchema: JsonSchema;
  parse(input: unknown): Parsed<A>;
}

/** What a command asks for beyond its sandbox. */
export interface CommandAccess {
  /** Hosts, or all of the network. */
  network?: true | readonly string[];
  /** Absolute paths, or from `~`. */
  writable?: readonly string[];
  /** To run without it. */
  outside?: true;
}

/** What a call would do to the world: what the guards judge, instead of the tool's name. */
export type Effect =
  /**
   * What a guard labels, and asks about only when the secrets in it are wanted (`showsSecrets`). A folder means what is
   * found in it.
   */
  | { type: "read"; path: string; showsSecrets?: boolean }
  /** `text` is the new text: of the whole file, or in place of the passage `replaces`. For the person who decides. */
  | { type: "write"; path: string; text?: string; replaces?: string }
  | ({ type: "run"; command: string; workingDirectory?: string } & CommandAccess)
  /** `query`: what is searched for, at a service that the owner chose. */
  | { type: "fetch"; url: string; sendsData: boolean; query?: string }
  /** `files`: those that go along, as the call names them. */
  | { type: "send"; channel: string; chatId: string; text?: string; files?: readonly string[] }
  | { type: "schedule"; what: string }
  | { type: "spawn"; task: string }
  /** A tool that a foreign program runs. `isReadOnly` and `isLocal` (it reaches nobody else) are what that program says. */
  | {
      type: "call";
      server: string;
      tool: string;
      isReadOnly: boolean;
      isLocal?: boolean;
      /** The owner has said in the config that this tool needs no question. */
      isAllowed?: boolean;
      input?: unknown;
    };

/** What was said in a conversation, as it is stored. */
export interface SaidSoFar {
  /** From a position on, oldest first. */
  read(from: number): Promise<StoredMessage[]>;
  readonly metadata: Pick<SessionMetadata, "subagent">;
}

/** Everything that belongs to one call of one turn. */
export interface ToolContext {
  origin: Origin;
  sessionKey: string;
  turnId: string;
  callId: string;
  signal: AbortSignal;
  /** Sources of untrusted content in this turn so far. */
  labels: ReadonlySet<string>;
  /** What the owner wrote in this turn; "" where no one or another person wrote. */
  ownWords: string;
  /** Absent where there is no conversation around the call. */
  said?: SaidSoFar;
  progress(text: string): void;
  /** Asks on the surface of the turn; a no where no one can be asked. `withdrawn` takes the question back: it rejects then. */
  ask(question: Question, withdrawn?: AbortSignal): Promise<Answer>;
}

export interface ToolResult {
  content: string | ContentPart[];
  isError?: boolean;
  labels?: string[];
}

/**
 * An implementer must settle soon after `context.signal` aborts, must bound what it returns, must throw ToolError
 * for what the model should read and do something about, and must not keep state of a turn in its own fields.
 */
export interface Tool<A = unknown> {
  name: string;
  description: string;
  parameters: Parameters<A>;
  /** Changes nothing anywhere: may run in parallel to others, and again after a crash. */
  readOnly?: boolean;
  /** Never runs in parallel to another call, even a read-only one. */
  exclusive?: boolean;
  /** After a crash in the middle of a call: run it again, run it keyed by its call id, or leave it. Default "never". */
  repeat?: "safe" | "by-call-id" | "never";
  /** Results of this tool are bounded by the tool itself and are never offloaded. */
  boundsItself?: boolean;
  effects?(args: A): Effect[];
  execute(args: A, context: ToolContext): Promise<ToolResult>;
}

/** Offload, approval, taint, snapshot: each is one of these, applied in app/. */
export type ToolWrapper = (tool: Tool) => Tool;

/** The same in every copy of this module: custom tools come with one of their own. */
const toolErrorBrand = Symbol.for("nanobot.ToolError");

/** A failure that the model reads. The message names the next action. */
export class ToolError extends Error {
  override name = "ToolError";
  readonly [toolErrorBrand] = true;
}

/** Also one of another copy of the class. */
export function isToolError(error: unknown): error is ToolError {
  return error instanceof Error && toolErrorBrand in error;
}
