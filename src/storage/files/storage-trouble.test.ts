import { constants } from "node:os";
import { describe, expect, it } from "vitest";
import { isStorageTrouble } from "./storage-trouble.ts";
import { failedWriting } from "./stored-file-error.ts";

type Call = "synchronous" | "asynchronous";

/** As Node tells of errors that it has no name for. */
function toUnnamed(errno: number, call: Call = "asynchronous"): Error {
  const code = call === "synchronous" ? "UNKNOWN" : `Unknown system error ${-errno}`;
  return Object.assign(new Error(`${code}: ${code}, write`), { code, errno: -errno, syscall: "write" });
}

describe("a quota that is used up, and a network disk that is gone", () => {
  const { EDQUOT, ESTALE } = constants.errno;

  describe.each<Call>(["synchronous", "asynchronous"])("of a call that is %s", (call) => {
    it.each([EDQUOT, ESTALE])("are troubles of a store that may pass (%d)", (errno) => {
      expect(isStorageTrouble(toUnnamed(errno, call))).toBe(true);
      expect(isStorageTrouble(new Error("not kept", { cause: toUnnamed(errno, call) }))).toBe(true);
    });
  });

  it("are told with what to do", () => {
    expect(() => failedWriting("/a/b")(toUnnamed(EDQUOT))).toThrow(
      expect.objectContaining({ facts: { content: "other", action: "write", path: "/a/b", code: "EDQUOT" } }),
    );
  });

  it("are not every error without a name", () => {
    expect(isStorageTrouble(toUnnamed(9_999))).toBe(false);
  });
});
