// A home that is removed or moved away while its gateway runs: it is said once, nothing more is accepted, and no empty home
// appears in its place.
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { expect, it, onTestFinished } from "vitest";
import { sentence } from "./support/english.ts";
import { eventually } from "./support/eventually.ts";
import { startFakeTelegram } from "./support/fake-telegram.ts";
import { startGatewayProgram } from "./support/gateway-program.ts";
import { closeWebClients, openWebClient } from "./support/web-client.ts";

const gone = (home: string) => sentence("home.gone", { home });

async function open() {
  const telegram = await startFakeTelegram();
  onTestFinished(() => telegram[Symbol.asyncDispose]());
  const channel = { enabled: true, token: telegram.token, apiBase: telegram.url, allowFrom: ["42"] };
  const gateway = await startGatewayProgram({
    answer: (_, index) => ({ text: `Answer ${index}.` }),
    // Jobs are written down again and again.
    config: { channels: { telegram: channel, collectMs: 0 }, gateway: { heartbeat: { intervalS: 1 } } },
  });
  const heard = () => telegram.messages.map(({ text }) => text);
  telegram.say("hi");
  await telegram.waitFor(() => heard().length === 1);
  // So that nothing is left to be noted.
  await eventually(async () => (await gateway.client.call("gateway.status", {})).waiting).toBe(0);
  return { telegram, gateway, heard };
}

it("is said once, in the terminal and in the status; what arrives waits, and is answered when the home is back", async () => {
  const { telegram, gateway, heard } = await open();
  const { home, program } = gateway;
  const client = await openWebClient(gateway);
  onTestFinished(closeWebClients);
  const away = `${home}-away`;
  await rename(home, away);
  await program.waitFor(gone(home));
  telegram.say("are you there?");
  await eventually(async () => (await gateway.client.call("gateway.status", {})).problems).toEqual([
    { phrase: { code: "home.gone", params: { home } } },
  ]);
  const asked = client.ask("chat.send", { sessionKey: "web:owner:1", text: "and here?" });
  await expect(asked).rejects.toThrow(gone(home));
  expect(heard()).toEqual(["Answer 0."]);
  expect(existsSync(home)).toBe(false);
  await rename(away, home);
  await telegram.waitFor(() => heard().length === 2);
  expect(heard()).toEqual(["Answer 0.", "Answer 1."]);
  program.kill("SIGTERM");
  expect((await program.ended).stderr.split(gone(home))).toHaveLength(2);
});

it("is not made again when it was deleted, and the program ends when it is told to", async () => {
  const { telegram, gateway, heard } = await open();
  const { home, program } = gateway;
  // In one step, while it writes.
  await rename(home, `${home}-away`);
  await rm(`${home}-away`, { recursive: true });
  await program.waitFor(gone(home));
  telegram.say("are you there?");
  program.kill("SIGTERM");
  expect((await program.ended).code).toBe(0);
  expect(existsSync(home)).toBe(false);
  expect(heard()).toEqual(["Answer 0."]);
});
