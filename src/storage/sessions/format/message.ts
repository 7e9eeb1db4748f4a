// What a session holds: messages with their place in it, and its metadata. Knows neither files nor providers.
import type { Message } from "../../../llm/types.ts";

export interface StoredFields {
  /** As entry-id.ts makes it; derived from the position where a file has none. */
  id: string;
  /** The turn it belongs to. */
  turn: string;
  /** Milliseconds since 1970. */
  at: number;
  /** The same moment as the Python original writes it: local, without a zone. */
  timestamp: string;
  /** Whatever else the line holds, kept as it is. */
  [field: string]: unknown;
}

/** The model's fields have the types they claim, except that a role may be one that nobody here knows. */
export type StoredMessage = Message & StoredFields;

/** A message to be appended; one whose id is already there is skipped. */
export interface NewEntry {
  id: string;
  turn: string;
  message: Message;
  /** Further fields of the line: what entry-facts.ts reads, markers of the Python original. */
  extra?: Record<string, unknown>;
}
