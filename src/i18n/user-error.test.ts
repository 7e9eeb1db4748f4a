import { expect, it } from "vitest";
import { ProxyRefusalError } from "../llm/errors/provider-error.ts";
import { StateDatabaseError } from "../storage/database/state-database.ts";
import { NewerStateError } from "../storage/database/state-schema.ts";
import { StateFileError } from "../storage/files/state-file.ts";
import { FileFaultError, failedWriting, toSessionFileError } from "../storage/files/stored-file-error.ts";
import { HomeLockedError, HomeNotWritableError, LockFileError } from "../storage/home-lock.ts";
import { HomeGoneError } from "../storage/served-homes.ts";
import { phraseOfError, phraseOfSystemError } from "./user-error.ts";
import { createWords, say } from "./words.ts";

const full = Object.assign(new Error("full"), { code: "ENOSPC", errcode: 13 });
const holder = { pid: 4711, purpose: "session cli:direct", since: "2026-08-01T10:00:00" };

function catchWrite(path: string): unknown {
  try {
    return failedWriting(path)(full);
  } catch (error) {
    return error;
  }
}

it.each([
  [new HomeLockedError("/home/a", undefined), "storage.locked", ["/home/a"]],
  [new HomeLockedError("/home/a", holder), "storage.locked-by", ["/home/a", "4711", "session cli:direct"]],
  [new HomeNotWritableError("/home/a", "EROFS", full), "storage.home-unwritable", ["/home/a", "EROFS"]],
  [new LockFileError("/home/a/lock.db", full), "storage.lock-unusable", ["/home/a/lock.db", "full"]],
  [new HomeGoneError("/home/a"), "home.gone", ["/home/a"]],
  [new StateDatabaseError("/state.db", full), "storage.database-unusable", ["/state.db", "full"]],
  [new NewerStateError("/state.db", 9), "storage.newer", ["/state.db", "9"]],
  [
    new StateFileError({ code: "file.would-be-too-large", params: { file: "/a.json", megabytes: 16 } }),
    "file.would-be-too-large",
    ["/a.json", "16"],
  ],
  [toSessionFileError(full, "read", "/a.jsonl"), "storage.session-read", ["/a.jsonl", "ENOSPC"]],
  [toSessionFileError(full, "write", "/a.jsonl"), "storage.session-write", ["/a.jsonl", "ENOSPC"]],
  [toSessionFileError(full, "move", "/a.jsonl"), "storage.session-move", ["/a.jsonl", "ENOSPC"]],
  [new ProxyRefusalError(407), "setup.proxy-password", ["407"]],
  [new ProxyRefusalError(403), "setup.proxy-refused", ["403"]],
  [new FileFaultError("not-plain", "/a"), "storage.not-plain", ["/a"]],
  [new FileFaultError("changed-while-copied", "/a"), "storage.changed-while-copied", ["/a"]],
  [catchWrite("/notes.md"), "storage.file-write", ["/notes.md", "ENOSPC"]],
])("%s is said with its facts in both languages", (error, code, facts) => {
  const said = phraseOfError(error);
  expect(said?.code).toBe(code);
  for (const language of ["english", "chinese"] as const)
    for (const fact of facts) expect(said && say(said, createWords(language))).toContain(fact);
});

it("says nothing of a fault of the program, or of an error of the system that nobody named", () => {
  for (const error of [new TypeError("x is undefined."), full, "text", undefined])
    expect(phraseOfError(error)).toBeUndefined();
});

it("says of an error of the system which path was meant", () => {
  const denied = Object.assign(new Error("denied"), { code: "EACCES", path: "/a" });
  expect(phraseOfSystemError(denied)?.code).toBe("storage.unusable");
  expect(phraseOfSystemError({ ...denied, code: "ENOENT" })?.code).toBe("storage.missing");
  expect(phraseOfSystemError(full)).toBeUndefined();
});
