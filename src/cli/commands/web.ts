// `nanobot web`: a link that signs a browser in, from the running gateway. `nanobot web token`: tokens for programs, each
// limited to the operations that it names.
import type { Client } from "../../api/client.ts";
import type { WebLink } from "../../api/gateway/gateway.ts";
import type { ApiToken } from "../../api/gateway/tokens.ts";
import { describeMoment } from "../../i18n/describe-time.ts";
import { nanobot } from "../../lib/program-command.ts";
import type { HomePaths } from "../../storage/home.ts";
import type { WebOptions } from "../command-line/options.ts";
import { reportWithClient, withClient } from "../open-client.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { openPage } from "../terminal/open-page.ts";
import { printReport, type Report } from "../terminal/report.ts";
import type { CommandContext, Terminal } from "../terminal/terminal.ts";

export function runWeb(options: WebOptions, context: CommandContext): Promise<number> {
  const { terminal } = context;
  const { guest: person } = options;
  if (options.topic === "token")
    return reportWithClient(options, context, ({ client }) => actOnTokens(options, terminal.words, client));
  return withClient(options, terminal, async ({ client, paths }) => {
    if (options.signOut === true) {
      const { ended } = await client.call("web.sign-out", person === undefined ? {} : { person });
      const text = terminal.words.web.signedOut(ended);
      return printReport({ json: { ended }, text }, options, terminal);
    }
    const link = await client.call("web.link", person === undefined ? {} : { person, role: "guest" });
    const code = terminal.stdout.isTTY === true ? drawCode(link) : "";
    await printReport({ json: link, text: describeLink(link, terminal.words) + code }, options, terminal);
    if (options.open === true) await openBrowser(link, paths, terminal);
    return 0;
  });
}

function describeLink({ role, person, urls }: WebLink, { web }: Terminal["words"]): string {
  const [here = "", elsewhere] = urls;
  return [
    role === "owner" ? web.link(here) : web.guestLink(person, here),
    ...(elsewhere === undefined ? [] : [web.elsewhere(elsewhere)]),
    web.once,
  ].join("\n");
}

/** For the camera of a phone: two rows a line, light on dark, as terminals are. */
function drawCode({ code }: WebLink): string {
  if (code === undefined) return "";
  const width = (code[0]?.length ?? 0) + 4;
  const rows = [" ", " ", ...code, " ", " "].map((row) => `  ${row}`.padEnd(width));
  const lines = rows.flatMap((upper, at) => {
    const lower = rows[at + 1] ?? "#".repeat(width);
    if (at % 2 === 1) return [];
    return [[...upper].map((sign, column) => blocks[`${sign}${lower[column]}`] ?? " ").join("")];
  });
  return `\n\n${lines.join("\n")}`;
}

const blocks: Record<string, string> = { "  ": "█", " #": "▀", "# ": "▄", "##": " " };

async function openBrowser(
  { urls: [url = ""] }: WebLink,
  paths: HomePaths,
  terminal: Terminal,
): Promise<void> {
  const missing = await openPage(url, paths);
  if (missing !== undefined) throw new CommandFailure(terminal.words.web.notOpened(missing));
}

async function actOnTokens(
  { action, words: [name, ...operations] }: WebOptions,
  words: Terminal["words"],
  client: Client,
): Promise<Report> {
  const { token: said } = words.web;
  if (action === "list") {
    const { tokens } = await client.call("tokens.list", {});
    return { json: tokens, text: describeTokens(tokens, words) };
  }
  const command = `${nanobot} web token ${action}`;
  if (action === "remove") {
    if (name === undefined) throw new CommandFailure(said.needsName(command), 2);
    return { json: await client.call("tokens.remove", { name }), text: said.removed(name) };
  }
  if (name === undefined || operations.length === 0)
    throw new CommandFailure(said.needsOperations(command), 2);
  const added = await client.call("tokens.add", { name, operations });
  const text = `${said.added(name, added.token)}\n${said.mayCall(added.operations.join(", "))}`;
  return { json: added, text };
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
