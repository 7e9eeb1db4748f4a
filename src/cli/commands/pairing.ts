// `nanobot pairing`: who may talk to the assistant in chat apps.
import type { Client } from "../../api/client.ts";
import { describeRole, describeSender, listPairing } from "../../api/pairing/pairing.ts";
import type { Words } from "../../i18n/words.ts";
import { systemClock } from "../../lib/clock.ts";
import { nanobot } from "../../lib/program-command.ts";
import type { PairingOptions } from "../command-line/options.ts";
import { reportWithClient } from "../open-client.ts";
import { CommandFailure } from "../terminal/failure.ts";
import type { Report } from "../terminal/report.ts";
import type { CommandContext } from "../terminal/terminal.ts";

export function runPairing(options: PairingOptions, context: CommandContext): Promise<number> {
  const { words } = context.terminal;
  return reportWithClient(options, context, ({ client }) => act(options, words, client));
}

async function act(options: PairingOptions, words: Words, client: Client): Promise<Report> {
  const { pairing } = words;
  const [first = "", second = ""] = options.words;
  if (options.action === "list") {
    const people = await client.call("pairing.list", {});
    return { json: people, markdown: listPairing(people, { words, now: systemClock.now() }) };
  }
  if (options.action === "revoke") {
    if (second === "") throw new CommandFailure(pairing.needsSender(`${nanobot} pairing revoke`), 2);
    const sender = { channel: first, senderId: second };
    await client.call("pairing.revoke", sender);
    return { json: { isRevoked: true }, markdown: pairing.revoked(describeSender(sender, words)) };
  }
  if (first === "") throw new CommandFailure(pairing.needsCode(`${nanobot} pairing ${options.action}`), 2);
  if (options.action === "deny") {
    await client.call("pairing.deny", { code: first });
    return { json: { isDenied: true }, markdown: pairing.denied };
  }
  const role = options.owner === true ? "owner" : "guest";
  const { person } = options;
  const sender = await client.call("pairing.approve", { code: first, role, ...(person && { person }) });
  const approved = pairing.approved(describeSender(sender, words), describeRole(sender, words));
  return { json: sender, markdown: approved };
}
