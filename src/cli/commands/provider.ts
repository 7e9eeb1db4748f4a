// `nanobot provider`: signing in to a model host with a subscription, and signing out.
import type { Client } from "../../api/client.ts";
import { nanobot } from "../../lib/program-command.ts";
import type { ProviderOptions } from "../command-line/options.ts";
import { reportWithClient } from "../open-client.ts";
import { CommandFailure } from "../terminal/failure.ts";
import type { Report } from "../terminal/report.ts";
import type { CommandContext } from "../terminal/terminal.ts";

export function runProvider(options: ProviderOptions, context: CommandContext): Promise<number> {
  return reportWithClient(options, context, ({ client }) => act(options, context, client));
}

async function act(
  { action, name: host = "", browser = false }: ProviderOptions,
  { terminal, signal }: CommandContext,
  client: Client,
): Promise<Report> {
  const { provider: words } = terminal.words;
  if (host === "") throw new CommandFailure(words.needsName(`${nanobot} provider ${action}`), 2);
  if (action === "logout") {
    await client.call("models.logout", { host });
    return { json: { isSignedOut: true }, text: words.signedOut };
  }
  const { url, code } = await client.call("models.login", { host, how: browser ? "browser" : "device" });
  const lines = [words.openPage(url), ...(code === undefined ? [] : [words.typeCode(code)]), words.waiting];
  terminal.stderr.write(`${lines.join("\n")}\n`);
  for (;;) {
    signal.throwIfAborted();
    const { state, reason = "" } = await client.call("models.login-state", { host });
    if (state === "waiting") continue;
    if (state === "failed") throw new CommandFailure(words.failed(reason), 1);
    return { json: { isSignedIn: true }, text: words.done(host) };
  }
}
