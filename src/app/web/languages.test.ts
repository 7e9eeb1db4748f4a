// A page in Chinese at a gateway that speaks English: what the program itself says comes in Chinese.
import { afterEach, expect, it } from "vitest";
import { closeTestGateways, createTestGateway } from "../../../test/support/test-gateway.ts";
import { closeWebClients, openWebClient, type WebClient } from "../../../test/support/web-client.ts";
import { phrase } from "../../i18n/phrase.ts";
import { createWords, say } from "../../i18n/words.ts";

afterEach(async () => {
  await closeWebClients();
  await closeTestGateways();
});

const sessionKey = "web:one";
/** Names, paths and commands may be in a Chinese sentence; these words only in an English one. */
const englishWords = /\b(the|is|are|of|to|this|that|not|there|no|was|and|for|with)\b/i;

async function hear(client: WebClient, text: string): Promise<string> {
  const { turnId } = await client.ask("chat.send", { sessionKey, text });
  const { event } = await client.waitFor(
    ({ event }) => event.type === "shown" && event.shown.type === "aside" && event.shown.turnId === turnId,
  );
  return event.type === "shown" && event.shown.type === "aside" ? event.shown.text : "";
}

const commands = [
  "help",
  "status",
  "usage",
  "cron",
  "agents",
  "undo",
  "trust",
  "untrust 7",
  "pairing",
  "why x",
];
const others = [
  "dream-log",
  "model",
  "search x",
  "stop",
  "compact",
  "context",
  "nothing",
  "export",
  "cron stop 7",
];

it("answers slash commands in the language of the page", async () => {
  const gateway = await createTestGateway([]);
  const client = await openWebClient(gateway, { language: "chinese" });
  for (const command of [...commands, ...others]) {
    const answer = (await hear(client, `/${command}`)).replaceAll(/`[^`]*`|\S*\/\S*/g, "");
    expect([command, answer]).toEqual([command, expect.stringMatching(/\p{Script=Han}/u)]);
    expect([command, answer]).toEqual([command, expect.not.stringMatching(englishWords)]);
  }
});

it("tells how a turn ended, and why a request was refused, in the language of the page", async () => {
  const gateway = await createTestGateway([{ error: { kind: "server", host: "It" } }]);
  const client = await openWebClient(gateway, { language: "chinese" });
  const failure = phrase("model.server", { host: "It", detail: "" });
  expect(await hear(client, "hello")).toContain(say(failure, createWords("chinese")));
  const told = (code: "chat.not-found" | "chat.empty") => say(phrase(code), createWords("chinese"));
  await expect(client.ask("chat.find", { reference: "x@1" })).rejects.toThrow(told("chat.not-found"));
  await expect(client.ask("chat.send", { sessionKey, text: "" })).rejects.toThrow(told("chat.empty"));
  const { commands: described } = await client.ask("chat.complete", {});
  expect(described.every(({ about }) => /\p{Script=Han}/u.test(about))).toBe(true);
});
