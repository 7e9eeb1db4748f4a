// `nanobot mcp login`: opens the page of a server's sign-in and waits until the browser comes back, to a port of this machine
// or as an address that a person pastes.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { untilAborted } from "../../lib/abort.ts";
import { revealLine } from "../../lib/visible-text.ts";
import type { McpOptions } from "../command-line/options.ts";
import type { OpenedClient } from "../open-client.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { openPage } from "../terminal/open-page.ts";
import type { CommandContext } from "../terminal/terminal.ts";

/** Resolves when the server can be used. */
export async function signIn(
  { name = "", browser }: McpOptions,
  { terminal, signal }: CommandContext,
  { client, paths }: Pick<OpenedClient, "client" | "paths">,
): Promise<void> {
  const { mcp } = terminal.words;
  const ended = new AbortController();
  const waiting = AbortSignal.any([signal, ended.signal]);
  const say = (text: string) => void terminal.stderr.write(`${text}\n`);
  const callback = await listen(mcp.signIn.closeWindow, waiting);
  try {
    const begun = await client.call("mcp.login", { name, redirectUrl: callback.url }, { signal });
    if (begun.address === undefined) return;
    say(mcp.signIn.open(begun.address));
    if (browser && terminal.isInteractive && (await openPage(begun.address, paths)) !== undefined)
      say(mcp.signIn.notOpened);
    say(mcp.signIn.paste);
    const pasted = readAddress(terminal.stdin, waiting);
    const address = await untilAborted(Promise.race([callback.address, pasted]), signal);
    if (address === undefined) throw new CommandFailure(mcp.signIn.given(revealLine(name)), 1);
    await client.call("mcp.finish-login", { address }, { signal });
  } finally {
    ended.abort();
  }
}

/** One answer on a free port of this machine. */
async function listen(said: string, signal: AbortSignal): Promise<{ url: string; address: Promise<string> }> {
  const { promise: address, resolve } = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? "", base());
    const isAnswer = url?.pathname === "/callback" && url.searchParams.has("state");
    response.writeHead(isAnswer ? 200 : 404, {
      "content-type": "text/plain; charset=utf-8",
      connection: "close",
    });
    response.end(isAnswer ? said : "");
    if (isAnswer && url !== null) resolve(url.href);
  });
  const base = () => `http://127.0.0.1:${(server.address() as AddressInfo | null)?.port ?? 0}`;
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  signal.addEventListener("abort", () => server.close());
  return { url: `${base()}/callback`, address };
}

/** The first line that is an address; undefined when the input ends, which it does not where there is a terminal. */
async function readAddress(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<string | undefined> {
  const lines = createInterface({ input: stdin, terminal: false });
  signal.addEventListener("abort", () => {
    lines.close();
    stdin.unref?.();
  });
  for await (const line of lines) if (/^https?:\/\//.test(line.trim())) return line.trim();
  return signal.aborted ? new Promise(() => {}) : undefined;
}
