// `nanobot web token`: tokens for programs, each limited to the operations that it names.
import type { ApiToken } from "../api/gateway/tokens.ts";
import { describeMoment } from "../i18n/describe-time.ts";
import { nanobot } from "../lib/program-command.ts";
import { CommandFailure } from "./command-failure.ts";
import type { WebTokenOptions } from "./gateway-lines.ts";
import { type OpenedClient, withClient } from "./open-client.ts";
import type { CommandContext, Terminal } from "./terminal.ts";

export function runWebToken(options: WebTokenOptions, { terminal }: CommandContext): Promise<number> {
  return withClient(options, terminal, async (opened) => {
    const { value, text } = await act(options, terminal, opened);
    terminal.stdout.write(`${options.json === true ? JSON.stringify(value) : text}\n`);
    return 0;
  });
}

async function act(
  { action, words: [name, ...operations] }: WebTokenOptions,
  { words }: Terminal,
  { client }: OpenedClient,
): Promise<{ value: unknown; text: string }> {
  const { token: said } = words.web;
  if (action === "list") {
    const { tokens } = await client.call("tokens.list", {});
    return { value: tokens, text: describeTokens(tokens, words) };
  }
  const command = `${nanobot} web token ${action}`;
  if (action === "remove") {
    if (name === undefined) throw new CommandFailure(said.needsName(command), 2);
    const value = await client.call("tokens.remove", { name });
    return { value, text: said.removed(name) };
  }
  if (name === undefined || operations.length === 0)
    throw new CommandFailure(said.needsOperations(command), 2);
  const value = await client.call("tokens.add", { name, operations });
  const text = `${said.added(name, value.token)}\n${said.mayCall(value.operations.join(", "))}`;
  return { value, text };
}

function describeTokens(tokens: readonly ApiToken[], words: Terminal["words"]): string {
  const { token: said } = words.web;
  if (tokens.length === 0) return said.none;
  return tokens
    .map(({ name, operations, createdAt }) =>
      said.row(name, operations.join(", "), describeMoment(createdAt, words)),
    )
    .join("\n");
}
