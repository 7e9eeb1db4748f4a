// A runtime layer: a note that code of the person's own adds to each message, such as the weather. The contract only; what
// the notes cost in time and room is limited where they are taken.
import { isRecord } from "../lib/is-record.ts";

/** The message that a note is for. */
export interface LayerMessage {
  text: string;
  channel: string;
  chatId: string;
  /** Who wrote it: "owner", or a guest's id. */
  person: string;
  /** Milliseconds since 1970. */
  now: number;
  /** Aborts when the note would come too late. */
  signal: AbortSignal;
}

export interface RuntimeLayer {
  name: string;
  /** For people: what it adds. */
  description?: string;
  /** Also for guests and in groups; default: only for the owner in private. */
  isForEveryone?: boolean;
  /** Its notes hold words of others, such as a web page's; default true. */
  isFromOutside?: boolean;
  /** "" or nothing where there is nothing to say. */
  note(message: LayerMessage): string | undefined | Promise<string | undefined>;
}

export function defineLayer(layer: RuntimeLayer): RuntimeLayer {
  return layer;
}

export function isRuntimeLayer(value: unknown): value is RuntimeLayer {
  return isRecord(value) && typeof value.name === "string" && typeof value.note === "function";
}
