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
        reasons: [phrase("approval.no-sandbox")],
        subject: "rm -rf 'a b' in src",
      },
    });
  });

  it("that asks for a host says so, and a lasting yes is for its programs and this host", async () => {
    const effect = { type: "run", network: ["a.example"] } as const;
    const covers = (command: string) => judge({ ...effect, command });
    const always = phrase("approval.always-hosts", { programs: "curl", hosts: "a.example" });
    const request = { risk: phrase("approval.risk-network"), subject: "curl -> a.example", always };
    expect(await covers("curl https://a.example/1")).toMatchObject({ type: "ask", request });
    expect(await covers("cd src && curl https://a.example/2 | head -3")).toMatchObject({ request });
    expect(await covers("curl https://a.example/1 && wget x")).toMatchObject({
      request: { subject: "curl, wget -> a.example" },
    });
    expect(await covers("$X https://a.example")).toMatchObject({
      request: { subject: "$X https://a.example with network a.example" },
    });
    expect(await judge({ type: "run", command: "make", network: true })).toMatchObject({
      request: { subject: "make -> *" },
    });
  });

  it("that asks for more is covered by a yes for exactly this", async () => {
    const verdict = await judge({ type: "run", command: "make", outside: true, writable: ["/srv/x"] });
    expect(verdict).toMatchObject({
      request: {
        reasons: [phrase("approval.wants-outside"), phrase("approval.wants-writable", { paths: "/srv/x" })],
        risk: phrase("approval.risk-outside"),
        subject: "make outside the sandbox writing /srv/x",
      },
    });
  });

  it("that is refused is refused with the reasons", async () => {
    const verdict = await judge({ type: "run", command: "ls", network: ["127.0.0.1"] });
    expect(verdict).toMatchObject({ type: "deny", reason: expect.stringMatching(/refused.*127\.0\.0\.1/) });
  });

  it("of nothing, or with NUL bytes, is not even asked about", async () => {
    for (const command of [" ", "ls\0"]) {
      expect(await judge({ type: "run", command })).toMatchObject({ type: "deny" });
    }
  });
});
