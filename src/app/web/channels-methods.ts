// What the page about channels asks: how each fares, setting one up and trying it.
import * as z from "zod";
import type { GatewayControl } from "../../api/gateway/gateway.ts";
import { ChannelSetupError } from "../../bus/channel.ts";
import type { ChannelRow } from "../../channels/channel-kind.ts";
import { collectSecrets, isSecretName } from "../../config/secrets.ts";
import { phrase } from "../../i18n/phrase.ts";
import { fail, UserError } from "../../i18n/user-error.ts";
import { say, speakTo, type Words } from "../../i18n/words.ts";
import { isRecord } from "../../lib/is-record.ts";
import { createRedactor } from "../../lib/redact.ts";
import type { MethodTable } from "../../server/methods.ts";
import type {
  ChannelCard,
  ChannelsMethods,
  CheckResult,
  FormValues,
} from "../../server/protocol/channels.ts";
import { type BlockGround, blockSchema, findInstallCommand, openBlock } from "../channel-block.ts";
import { toFields } from "./form-fields.ts";

export interface ChannelsParts extends BlockGround {
  words: Words;
  status: GatewayControl["status"];
  /** Ours, and those of the person's own that are allowed. */
  listRows(): Promise<Array<{ row: ChannelRow; isOwn: boolean }>>;
  /** What the config says of channels: as they run, and now. */
  running: Record<string, unknown>;
  current(): Record<string, unknown>;
  /** Changes the config, and has it taken; throws a UserError for what cannot be. */
  saveConfig(patch: { channels: Record<string, FormValues> }): Promise<void>;
}

const text = z.string().min(1).max(500);
const plain = z.string().max(5_000);
const values = z.record(
  z.string().max(100),
  z.union([plain, z.number(), z.boolean(), z.array(plain).max(1_000), z.null()]),
);
const form = z.strictObject({ name: text, values });
const nothing = z.strictObject({});
const checkMs = 40_000;

export function createChannelsMethods(parts: ChannelsParts): MethodTable<ChannelsMethods> {
  const { listRows, current, saveConfig } = parts;
  const blockOf = (name: string) => toBlock(current()[name]);

  async function find(name: string): Promise<ChannelRow> {
    const found = (await listRows()).find(({ row }) => row.name === name);
    if (found === undefined) throw fail("channels.not-found", { channel: name });
    return found.row;
  }

  async function open(name: string, changed: FormValues) {
    const row = await find(name);
    const install = findInstallCommand(row);
    if (install !== undefined) throw fail("channels.install-first", { command: install });
    const opened = await openBlock(row, merge(blockOf(name), changed), parts);
    if (!Array.isArray(opened)) return opened;
    const fields = opened.map(({ path, ...problem }) => ({ ...problem, path: `values.${path}` }));
    throw new UserError(phrase("channels.not-saved"), { fields });
  }

  return {
    "channels.list": {
      params: nothing,
      async run(_, caller) {
        const words = speakTo(caller, parts.words);
        const { channels, problems } = await parts.status();
        const rows = await listRows();
        const cards = rows.map(({ row, isOwn }): ChannelCard => {
          const health = channels.find(({ name }) => name === row.name);
          const problem = problems.find(({ channel }) => channel === row.name);
          const install = findInstallCommand(row);
          const [now, before] = [blockOf(row.name), toBlock(parts.running[row.name])];
          // What is off, and was, needs no restart.
          const isUsed = now.enabled === true || before.enabled === true;
          return {
            name: row.name,
            isOwn,
            isEnabled: now.enabled === true,
            isChanged: isUsed && JSON.stringify(now) !== JSON.stringify(before),
            ...(health && { health }),
            ...(health === undefined && problem && { problem: say(problem.phrase, words) }),
            ...(install && { install }),
          };
        });
        return { channels: cards };
      },
    },
    "channels.form": {
      params: z.strictObject({ name: text }),
      async run({ name }) {
        const row = await find(name);
        if (findInstallCommand(row) !== undefined) return { fields: [], canCheck: false };
        const { schema, check } = await row.load();
        const shown = { values: blockOf(name) };
        const own = schema instanceof z.ZodType ? toFields(schema, { ...shown, isShared: false }) : [];
        const shared = toFields(blockSchema, { ...shown, isShared: true });
        const isNew = ({ key }: { key: string }) => own.every((field) => field.key !== key);
        return { fields: [...own, ...shared.filter(isNew)], canCheck: check !== undefined };
      },
    },
    "channels.save": {
      params: form,
      async run({ name, values: changed }) {
        const isOn = merge(blockOf(name), changed).enabled === true;
        // What is switched off may be half filled in.
        if (isOn) await open(name, changed);
        else await find(name);
        refuseElsewhere(blockOf(name), changed);
        await saveConfig({ channels: { [name]: changed } });
        return {};
      },
    },
    "channels.check": {
      params: form,
      async run({ name, values: changed }) {
        const { kind, config, context } = await open(name, changed);
        if (kind.check === undefined) throw fail("channels.no-check");
        refuseElsewhere(blockOf(name), changed);
        const signal = AbortSignal.timeout(checkMs);
        const hide = createHider({ ...blockOf(name), ...changed });
        // What a channel does at its start may throw anything.
        return kind.check(config, context, signal).then(
          (own): CheckResult => ({ isGood: true, name: own }),
          (error: unknown): CheckResult => ({
            isGood: false,
            kind: error instanceof ChannelSetupError ? "refused" : "unreachable",
            message: hide(error instanceof Error ? error.message : String(error)),
          }),
        );
      },
    },
  };
}

function toBlock(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function merge(block: Record<string, unknown>, changed: FormValues): Record<string, unknown> {
  const entries = Object.entries({ ...block, ...changed });
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}

/** What was given for one address, and is not shown, goes to no other. */
function refuseElsewhere(block: Record<string, unknown>, changed: FormValues): void {
  const moved = Object.keys(changed).filter((key) => changed[key] && changed[key] !== block[key]);
  // `imapHost` is the address of what begins with `imap`; those of a whole channel have no beginning.
  const starts = moved.flatMap((key) => /^(.*?)(apiBase|proxy|host)$/i.exec(key)?.[1] ?? []);
  const kept = Object.keys(block).filter((key) => isSecretName(key) && block[key] && !(key in changed));
  const fields = kept.filter((key) => starts.some((start) => key.startsWith(start)));
  if (fields.length === 0) return;
  const said = phrase("channels.secret-elsewhere");
  throw new UserError(said, { fields: fields.map((key) => ({ path: `values.${key}`, phrase: said })) });
}

function createHider(block: Record<string, unknown>): (message: string) => string {
  const redactor = createRedactor();
  for (const secret of collectSecrets(block)) redactor.add(secret);
  return redactor.redact;
}
