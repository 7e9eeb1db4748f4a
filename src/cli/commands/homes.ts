// `nanobot homes`: the assistants of this machine, each with a character, model, memory and channels of its own.
import type { Client } from "../../api/client.ts";
import type { HomesOptions } from "../command-line/options.ts";
import { reportWithClient } from "../open-client.ts";
import { confirm } from "../terminal/confirm.ts";
import { CommandFailure } from "../terminal/failure.ts";
import type { Report } from "../terminal/report.ts";
import type { CommandContext } from "../terminal/terminal.ts";

export function runHomes(options: HomesOptions, context: CommandContext): Promise<number> {
  return reportWithClient(options, context, ({ client }) => act(options, client, context));
}

async function act(options: HomesOptions, client: Client, context: CommandContext): Promise<Report> {
  const { action, name, yes = false } = options;
  const { words } = context.terminal;
  const { homes: said } = words;
  if (action === "list") {
    const { homes } = await client.call("homes.list", {});
    const lines = homes.map(({ name: each, isRunning, problems }) =>
      [said.home(each || said.first, isRunning ? said.running : said.stopped), ...problems].join("\n  "),
    );
    return { json: homes, text: lines.join("\n") };
  }
  if (name === undefined) throw new CommandFailure(said.needsName, 2);
  if (action === "add") {
    const added = await client.call("homes.add", { name });
    return { json: added, text: said.added(name) };
  }
  if (!(await confirm({ text: said.reallyRemove(name), isAnswered: yes }, context)))
    throw new CommandFailure(said.kept(name));
  return { json: await client.call("homes.remove", { name }), text: said.removed(name) };
}
