// `nanobot pairing`: who may talk to the assistant in chat apps.
import { describeRole, describeSender, listPairing } from "../app/describe-pairing.ts";
import { systemClock } from "../lib/clock.ts";
import { nanobot } from "../lib/program-command.ts";
import { revealLine } from "../lib/visible-text.ts";
import { CommandFailure } from "./command-failure.ts";
import type { PairingOptions } from "./gateway-lines.ts";
import { type OpenedControl, withControl } from "./open-control.ts";
import { tell } from "./tell.ts";
import type { CommandContext } from "./terminal.ts";

export function runPairing(options: PairingOptions, context: CommandContext): Promise<number> {
  return withControl(options, context.terminal, (opened) => act(options, context, opened));
}

async function act(
  options: PairingOptions,
  context: CommandContext,
  { control }: OpenedControl,
): Promise<number> {
  const { words } = context.terminal;
  const { pairing } = words;
  const [first = "", second = ""] = options.words;
  const told = { options, context };
  if (options.action === "list") {
    const people = await control.listPairing({});
    return tell(told, people, listPairing(people, { words, now: systemClock.now() }));
  }
  if (options.action === "revoke") {
    if (second === "") throw new CommandFailure(pairing.needsSender(`${nanobot} pairing revoke`), 2);
    const sender = pairing.sender(revealLine(first), revealLine(second));
    if (!(await control.revokePairing({ channel: first, senderId: second })))
      throw new CommandFailure(pairing.noSender(sender));
    return tell(told, { isRevoked: true }, pairing.revoked(sender));
  }
  if (first === "") throw new CommandFailure(pairing.needsCode(`${nanobot} pairing ${options.action}`), 2);
  if (options.action === "deny") {
    if (!(await control.denyPairing({ code: first })))
      throw new CommandFailure(pairing.noCode(revealLine(first)));
    return tell(told, { isDenied: true }, pairing.denied);
  }
  const role = options.owner === true ? "owner" : "guest";
  const { person } = options;
  const sender = await control.approvePairing({ code: first, role, ...(person && { person }) });
  return tell(told, sender, pairing.approved(describeSender(sender, words), describeRole(sender, words)));
}
