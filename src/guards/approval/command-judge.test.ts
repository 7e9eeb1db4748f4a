import { describe, expect, it } from "vitest";
import { createCommandGround } from "../../../test/support/command-corpus.ts";
import { createToolContext } from "../../../test/support/tool-context.ts";
import { phrase } from "../../i18n/phrase.ts";
import type { Effect } from "../../runner/tool.ts";
import { createCommandJudge } from "./judges.ts";

async function judge(effect: Effect) {
  const { createPolicy } = await createCommandGround({ hasLinks: false });
  return createCommandJudge(createPolicy())(effect, createToolContext());
}

describe("a command", () => {
  it("that is harmless runs, and other effects are not its business", async () => {
    expect(await judge({ type: "run", command: "ls -la" })).toEqual({ type: "allow" });
    expect(await judge({ type: "write", path: "/etc/passwd" })).toEqual({ type: "allow" });
  });

  it("is asked about with its exact words, its place and the reason", async () => {
    expect(await judge({ type: "run", command: "rm -rf 'a b'", workingDirectory: "src" })).toEqual({
      type: "ask",
      request: {
        phrase: phrase("approval.run", { folder: "src" }),
        detail: "rm -rf 'a b'",
        reasons: [phrase("approval.asked-option", { option: "-r", program: "rm" })],
        subject: "rm -rf 'a b' in src",
      },
    });
  });

  it("that needs the network or asks for it says so", async () => {
    const needing = await judge({ type: "run", command: "curl https://a.example" });
    expect(needing).toMatchObject({
      type: "ask",
      request: { risk: phrase("approval.risk-network"), subject: "curl https://a.example" },
    });
    const asking = await judge({ type: "run", command: "python3 --version", network: true });
    expect(asking).toMatchObject({
      request: {
        reasons: [phrase("approval.wants-network")],
        risk: phrase("approval.risk-network"),
        subject: "python3 --version with the network",
      },
    });
  });

  it("that is refused is refused with the reasons", async () => {
    const verdict = await judge({ type: "run", command: "cat /etc/shadow" });
    expect(verdict).toMatchObject({
      type: "deny",
      reason: expect.stringMatching(/refused.*\/etc\/shadow/),
    });
  });

  it("of nothing, or with NUL bytes, is not even asked about", async () => {
    for (const command of [" ", "ls\0"]) {
      expect(await judge({ type: "run", command })).toMatchObject({ type: "deny" });
    }
  });
});
