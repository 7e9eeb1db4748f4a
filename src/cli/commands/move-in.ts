// `nanobot move-in`: takes over what the home of another assistant holds. Shows every item first, and asks.
import { resolve } from "node:path";
import type { Client } from "../../api/client.ts";
import type { MovePlan } from "../../api/move-in/move-in.ts";
import type { MoveItem } from "../../api/move-in/step.ts";
import { readAnswer } from "../../i18n/describe-ask.ts";
import { say } from "../../i18n/words.ts";
import { neutralise } from "../../lib/visible-text.ts";
import { expandTilde } from "../../storage/home.ts";
import type { MoveInOptions } from "../command-line/options.ts";
import { withClient } from "../open-client.ts";
import { confirm } from "../terminal/confirm.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { printReport } from "../terminal/report.ts";
import type { CommandContext, Terminal } from "../terminal/terminal.ts";

const progressEvery = 100;

export function runMoveIn(options: MoveInOptions, context: CommandContext): Promise<number> {
  const { terminal, signal } = context;
  return withClient(options, terminal, async ({ client }) => {
    const from = await findFrom(options, client, terminal);
    const plan = await client.call("move-in.plan", { from }, { signal });
    const text = describePlan(plan, terminal);
    const count = plan.items.filter(isToDo).length;
    if (options.dryRun === true || count === 0) {
      const nothing = count === 0 ? `\n${terminal.words.moveIn.nothing}` : "";
      return printReport({ json: plan, text: text + nothing }, options, terminal);
    }
    if (options.json !== true) terminal.stdout.write(`${text}\n`);
    const question = { text: terminal.words.moveIn.ask(count), isAnswered: options.yes === true };
    if (!(await confirm(question, context))) return 1;
    return carryOut(plan, options, { client, context });
  });
}

async function findFrom({ from }: MoveInOptions, client: Client, { env, words }: Terminal): Promise<string> {
  if (from !== undefined) return resolve(expandTilde(from, env));
  const { homes } = await client.call("move-in.find", {});
  const [only, second] = homes;
  if (only === undefined) throw new CommandFailure(words.moveIn.none, 2);
  if (second !== undefined)
    throw new CommandFailure(words.moveIn.several(homes.map(({ folder }) => folder).join(", ")), 2);
  return only.folder;
}

async function carryOut(
  plan: MovePlan,
  options: MoveInOptions,
  { client, context }: { client: Client; context: CommandContext },
): Promise<number> {
  const { terminal, signal } = context;
  const { words, stderr } = terminal;
  const secrets = options.secrets ?? (options.yes === true ? false : undefined);
  const result = await client.call(
    "move-in.run",
    { from: plan.from, ...(secrets !== undefined && { secrets }) },
    {
      signal,
      show({ phrase, done = 0, total }) {
        if (options.json === true || (done % progressEvery !== 0 && done !== total)) return;
        const counted = total === undefined ? "" : ` (${done}/${total})`;
        stderr.write(`${terminal.sideStyle.quiet(say(phrase, words) + counted)}\n`);
      },
      async ask({ phrase, detail = "", choices }) {
        stderr.write(`${neutralise(detail)}\n`);
        const isYes = await confirm({ text: say(phrase, words), isAnswered: false }, context);
        return readAnswer({ choices }, isYes ? "yes" : "no");
      },
    },
  );
  return printReport(toReport(result, terminal), options, terminal);
}

function toReport(result: MovePlan, { words, style }: Terminal) {
  const { moveIn } = words;
  const failed = result.items.filter(({ action }) => action === "failed");
  const done = result.items.filter(isToDo).length;
  const hasChannel = result.items.some(({ kind, action }) => kind === "channel" && action === "add");
  const lines = [
    ...failed.map((item) => style.bad(describeItem(item, words))),
    moveIn.done(done),
    ...(failed.length > 0 ? [style.bad(moveIn.failed(failed.length))] : []),
    ...(hasChannel ? [moveIn.stopOther(moveIn.programs[result.program])] : []),
  ];
  return { json: result, text: lines.join("\n"), code: failed.length > 0 ? 1 : 0 };
}

function isToDo({ action }: MoveItem): boolean {
  return action === "add" || action === "merge" || action === "beside";
}

function describePlan({ program, from, items }: MovePlan, { words, style }: Terminal): string {
  const { moveIn } = words;
  const lines = items.map((item) => {
    const line = describeItem(item, words);
    return isToDo(item) ? line : style.quiet(line);
  });
  return [style.bold(moveIn.title(moveIn.programs[program], from)), ...lines].join("\n");
}

function describeItem({ kind, name, to, action, reason }: MoveItem, words: Terminal["words"]): string {
  const { kinds, actions } = words.moveIn;
  const isPlaced = to !== undefined && kind !== "conversation" && isToDo({ action } as MoveItem);
  const rest = reason === undefined ? (isPlaced ? ` → ${to}` : "") : `: ${say(reason, words)}`;
  return neutralise(`  ${actions[action]}  ${kinds[kind]} ${name}${rest}`);
}
