// `nanobot pairing`: who may talk to the assistant in chat apps.
import { describeRole, describeSender, listPairing } from "../api/pairing/describe-pairing.ts";
import { systemClock } from "../lib/clock.ts";
import { nanobot } from "../lib/program-command.ts";
import { CommandFailure } from "./command-failure.ts";
import type { PairingOptions } from "./gateway-lines.ts";
import { type OpenedClient, withClient } from "./open-client.ts";
import { tell } from "./tell.ts";
import type { CommandContext } from "./terminal.ts";

export function runPairing(options: PairingOptions, context: CommandContext): Promise<number> {
  return withClient(options, context.terminal, (opened) => act(options, context, opened));
}

async function act(
  options: PairingOptions,
  context: CommandContext,
  { client }: OpenedClient,
): Promise<number> {
  const { words } = context.terminal;
  const { pairing } = words;
  const [first = "", second = ""] = options.words;
  const told = { options, context };
  if (options.action === "list") {
    const people = await client.call("pairing.list", {});
    return tell(told, people, listPairing(people, { words, now: systemClock.now() }));
  }
  if (options.action === "revoke") {
    if (second === "") throw new CommandFailure(pairing.needsSender(`${nanobot} pairing revoke`), 2);
    const sender = { channel: first, senderId: second };
    await client.call("pairing.revoke", sender);
    return tell(told, { isRevoked: true }, pairing.revoked(describeSender(sender, words)));
  }
  if (first === "") throw new CommandFailure(pairing.needsCode(`${nanobot} pairing ${options.action}`), 2);
  if (options.action === "deny") {
    await client.call("pairing.deny", { code: first });
    return tell(told, { isDenied: true }, pairing.denied);
  }
  const role = options.owner === true ? "owner" : "guest";
  const { person } = options;
  const sender = await client.call("pairing.approve", { code: first, role, ...(person && { person }) });
  return tell(told, sender, pairing.approved(describeSender(sender, words), describeRole(sender, words)));
}
