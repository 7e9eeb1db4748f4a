import { describe, expect, it } from "vitest";
import { anything, like, words } from "../../../test/support/english.ts";
import { phrase } from "../../i18n/phrase.ts";
import { createWords, say } from "../../i18n/words.ts";
import { createStyle } from "../draw/style.ts";
import { describeProtection, type Protection } from "./protection.ts";

function tell(sandbox: Protection["sandbox"], language: "english" | "chinese" = "english"): string {
  const protection: Protection = { isRestricted: true, commands: "ask", sandbox };
  const rows = describeProtection(protection, createWords(language), createStyle(false));
  return rows
    .slice(2)
    .map((row) => row.join(" "))
    .join("\n");
}

describe("nanobot status on the sandbox", () => {
  it("says which one is on, in both languages", () => {
    const on = { mode: "auto", isContained: true, name: "bubblewrap" } as const;
    expect(tell(on)).toContain(say(phrase("sandbox.bubblewrap"), words));
    expect(tell(on, "chinese")).toMatch(/^沙箱 已启用（bubblewrap）/);
  });

  it("says why there is none, and what to do", () => {
    const none = { mode: "auto", isContained: false } as const;
    expect(tell({ ...none, reason: "missing" })).toContain(say(phrase("sandbox.missing"), words));
    expect(tell({ ...none, mode: "off", reason: "off" })).toContain(say(phrase("sandbox.off"), words));
    expect(tell({ ...none, reason: "unsupported" })).toContain(say(phrase("sandbox.unsupported"), words));
  });

  it("says that commands do not run where it is required and the system forbids it", () => {
    const detail = "bwrap: setting up uid map: \u001b[31mPermission denied";
    const told = tell({ mode: "required", isContained: false, reason: "forbidden", detail });
    expect(told).toMatch(like(say(phrase("sandbox.forbidden", { detail: anything }), words)));
    expect(told).toContain(`\n ${say(phrase("sandbox.required"), words)}`);
    expect(told).not.toContain("\u001b");
  });

  it("says nothing of it where there are no commands", () => {
    expect(tell(undefined)).toBe("");
  });
});
