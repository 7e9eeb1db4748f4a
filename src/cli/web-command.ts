// `nanobot web`: a link that lets a browser in, asked of the gateway that runs.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { WebLink } from "../api/gateway/web-links.ts";
import { writeFileAtomic } from "../storage/files/atomic-file.ts";
import type { HomePaths } from "../storage/home.ts";
import { CommandFailure } from "./command-failure.ts";
import type { WebOptions } from "./gateway-lines.ts";
import { withClient } from "./open-client.ts";
import type { CommandContext, Terminal } from "./terminal.ts";

export function runWeb(options: WebOptions, { terminal }: CommandContext): Promise<number> {
  return withClient(options, terminal, async ({ client, paths }) => {
    const { guest: person } = options;
    if (options.signOut === true) {
      const { ended } = await client.call("web.sign-out", person === undefined ? {} : { person });
      const report = options.json === true ? JSON.stringify({ ended }) : terminal.words.web.signedOut(ended);
      terminal.stdout.write(`${report}\n`);
      return 0;
    }
    const link = await client.call("web.link", person === undefined ? {} : { person, role: "guest" });
    const text = options.json === true ? JSON.stringify(link) : describeLink(link, terminal.words);
    terminal.stdout.write(`${text}\n`);
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

/** By a private file: what a program is started with can be seen by everybody on the machine. */
async function openBrowser(
  { urls: [url = ""] }: WebLink,
  paths: HomePaths,
  terminal: Terminal,
): Promise<void> {
  const file = join(paths.run, "open-web.html");
  const page = `<!doctype html><meta http-equiv="refresh" content="0; url=${url}">\n`;
  await writeFileAtomic(file, page, { mode: 0o600, forceMode: true });
  const [program, ...args] = openers[process.platform] ?? ["xdg-open"];
  try {
    await promisify(execFile)(program, [...args, file], { timeout: 10_000 });
  } catch (error) {
    const { code, killed } = error as { code?: unknown; killed?: boolean };
    if (code === undefined) throw error;
    // One that stays open for as long as the browser does has done its work.
    if (killed !== true) throw new CommandFailure(terminal.words.web.notOpened(program));
  }
}

const openers: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};
