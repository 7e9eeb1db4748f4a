// How a person comes from the terminal to the page of a gateway that runs: a fresh link, or the command that prints one.
import { type Client, createHttpClient } from "../../api/client.ts";
import { UserError } from "../../i18n/user-error.ts";
import { findGateway } from "../../server/gateway-file.ts";
import { CommandFailure } from "../command-failure.ts";
import type { Style } from "../draw/style.ts";
import type { Terminal } from "../terminal.ts";

export interface EntranceOptions {
  words: Terminal["words"];
  style: Style;
  /** A link is only for eyes: what goes to a file or a journal stays there. */
  isSeen: boolean;
}

export async function describeEntrance(
  client: Client,
  { words: { web }, style, isSeen }: EntranceOptions,
): Promise<string> {
  if (!isSeen) return web.hint;
  const [url = ""] = (await client.call("web.link", {})).urls;
  return `${style.bold(web.link(url))}\n${web.once}`;
}

/** What a second start ends with: where the first is, and the way in. */
export async function createRunningFailure(
  runFolder: string,
  pid: number,
  { words, stderr, sideStyle }: Terminal,
): Promise<CommandFailure> {
  const address = await findGateway(runFolder);
  if (address === undefined) return new CommandFailure(words.gateway.isStarting(pid));
  const running = words.gateway.isRunning(address.pid, address.url);
  try {
    const entrance = await describeEntrance(createHttpClient(address), {
      words,
      style: sideStyle,
      isSeen: stderr.isTTY === true,
    });
    return new CommandFailure(`${running}\n${entrance}`);
  } catch (error) {
    // It is just ending, or busy.
    if (!(error instanceof UserError)) throw error;
    return new CommandFailure(`${running}\n${words.web.hint}`);
  }
}
