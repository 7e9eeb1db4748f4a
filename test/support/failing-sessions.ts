// Sessions on a disk that takes nothing for a while: each write fails before or after its bytes are there.

import { StoredFileError } from "../../src/storage/files/stored-file-error.ts";
import { Session } from "../../src/storage/sessions/session.ts";

export interface FailingSessions {
  /** How often something was written, or was to be. */
  readonly writes: number;
  stop(): void;
}

/** From the write with that number on, so many fail. */
export function failSessions({
  at,
  times,
  code,
}: {
  at: number;
  times: number;
  code: string;
}): FailingSessions {
  const { append, updateMetadata } = Session.prototype;
  const state = { writes: 0, failed: 0 };
  const guard = async (session: Session, write: () => Promise<void>) => {
    const isDue = state.writes >= at && state.failed < times;
    state.writes += 1;
    if (!isDue) return write();
    state.failed += 1;
    // Every other time the bytes are there, and only to make sure of them fails.
    if (state.failed % 2 === 0) await write();
    throw new StoredFileError({ content: "session", action: "write", path: session.path, code });
  };
  Session.prototype.append = function (this: Session, ...rest) {
    return guard(this, () => append.apply(this, rest));
  };
  Session.prototype.updateMetadata = function (this: Session, ...rest) {
    return guard(this, () => updateMetadata.apply(this, rest));
  };
  return {
    get writes() {
      return state.writes;
    },
    stop: () => Object.assign(Session.prototype, { append, updateMetadata }),
  };
}
