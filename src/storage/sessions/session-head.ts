// What the beginning of a session file says of it.
import { toOneLine } from "../../lib/text.ts";
import { type Line, scanLines } from "../files/scan-lines.ts";
import { withFile } from "../files/with-file.ts";
import type { Scope } from "../scope.ts";
import { readEntry } from "./format/entry-facts.ts";
import { parseLine } from "./format/line.ts";
import type { StoredMessage } from "./format/message.ts";
import { placeOf } from "./transcript.ts";

/** The beginning of a session file. */
export interface SessionHead {
  /** Whether anything in it looks like a session at all. */
  isSession: boolean;
  key: string | undefined;
  scope?: Scope | undefined;
  preview: string;
}

const mostRecords = 200;
const mostBytes = 1_000_000;
const longestPreview = 120;

export async function readHead(path: string): Promise<SessionHead> {
  const head: SessionHead = { isSession: false, key: undefined, preview: "" };
  let records = 0;
  const take = ({ bytes }: Line): boolean => {
    const line = bytes === undefined ? undefined : parseLine(bytes.toString("utf8"));
    if (line?.type === "metadata") {
      head.key ??= line.key;
      head.scope ??= line.metadata.scope;
    }
    head.isSession ||=
      line?.type === "metadata" || (line?.type === "message" && typeof line.fields.role === "string");
    if (line?.type === "message" && line.fields.role === "user" && line.fields._command !== true) {
      const { text } = readEntry({ ...line.fields, ...placeOf(line.fields, 0, undefined) } as StoredMessage);
      head.preview ||= toOneLine(text, longestPreview);
    }
    records += 1;
    return records < mostRecords && (head.key === undefined || head.preview === "");
  };
  await withFile(path, "r", (file) => scanLines(file, { to: mostBytes, limit: mostBytes }, take));
  return head;
}
