// Custom channels: the export of an allowed file is checked and held to the contract while it runs. It may throw, hang
// or return anything without harm to the rest. Knows nothing of files or of allowing.
import * as z from "zod";
import {
  type Channel,
  type ChannelCapabilities,
  ChannelError,
  type ChannelInbox,
  ChannelSetupError,
  isChannelSetupError,
  isSendError,
  SendError,
} from "../bus/channel.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import type { Clock } from "../lib/clock.ts";
import { isRecord } from "../lib/is-record.ts";
import type { ChannelKind, ChannelRow } from "./channel-kind.ts";

/** Why a file is left out; `subject` is the file or the name of the channel. */
export interface OwnChannelProblem {
  kind: "no-export" | "bad-name" | "taken";
  subject: string;
}

/** Origins that are no channel, and folders that are next to those of channels. */
const reservedNames = [
  "api",
  "cli",
  "dream",
  "groups",
  "people",
  "sdk",
  "sent",
  "system",
  "web",
  "websocket",
];
const channelName = /^[a-z][\w-]{0,31}$/;

const createMs = 10_000;
const firstSignMs = 60_000;
const sendMs = 60_000;
const endMs = 10_000;

const capabilitiesSchema: z.ZodType<ChannelCapabilities> = z.object({
  format: z.enum(["markdown", "messaging", "plain", "email"]).default("plain"),
  maxTextLength: z.int().min(50).optional(),
  markup: z.enum(["markdown", "html", "mrkdwn", "plain"]).default("plain"),
  streaming: z.enum(["edit", "none"]).default("none"),
  editIntervalMs: z.number().min(100).optional(),
  media: z.boolean().default(false),
  typing: z.boolean().default(false),
  isQuiet: z.boolean().optional(),
  canAsk: z.boolean().default(false),
  buttons: z.boolean().optional(),
});

/** A file is named after its channel. */
export function toChannelName(file: string): string {
  return file.replace(/\.m?[jt]s$/i, "");
}

/** The one channel among the exports of a file. `taken` names the others. */
export function readOwnChannel(
  exported: Record<string, unknown>,
  { file, taken, redact }: { file: string; taken: readonly string[]; redact(text: string): string },
): ChannelRow | OwnChannelProblem {
  const name = toChannelName(file);
  const [kind, ...more] = [...new Set(Object.values(exported))].filter(isKind);
  if (kind === undefined || more.length > 0) return { kind: "no-export", subject: file };
  if (!channelName.test(name)) return { kind: "bad-name", subject: name };
  if (taken.includes(name) || reservedNames.includes(name)) return { kind: "taken", subject: name };
  return { name, packages: [], load: async () => holdKind(kind, { name, redact }) };
}

function isKind(value: unknown): value is ChannelKind {
  if (!isRecord(value) || !isRecord(value.schema)) return false;
  return typeof value.create === "function" && typeof value.schema.safeParse === "function";
}

interface Holder {
  name: string;
  redact(text: string): string;
}

function holdKind({ schema, create, check }: ChannelKind, holder: Holder): ChannelKind {
  return {
    schema,
    ...(typeof check === "function" && {
      async check(config, context, signal) {
        try {
          return String(await check(config, context, signal));
        } catch (error) {
          throw toOurError(error, holder.redact);
        }
      },
    }),
    async create(config, context) {
      const { clock } = context;
      const late = phrase("channels.custom-late", { call: "create", seconds: createMs / 1000 });
      const made: unknown = await within(async () => create(config, context), createMs, { clock, late });
      if (!isRecord(made) || typeof made.start !== "function" || typeof made.send !== "function")
        throw new ChannelError(phrase("channels.custom-no-channel"));
      const capabilities = capabilitiesSchema.safeParse(made.capabilities ?? {});
      if (!capabilities.success) {
        const quote = z.prettifyError(capabilities.error);
        throw new ChannelError(phrase("channels.custom-capabilities", { quote }));
      }
      return holdChannel(made as unknown as Channel, capabilities.data, { ...holder, clock });
    },
  };
}

/** Its own name does not count: it is configured, asked and answered under that of its file. */
function holdChannel(
  channel: Channel,
  capabilities: ChannelCapabilities,
  { name, redact, clock }: Holder & { clock: Clock },
): Channel {
  let before: Promise<unknown> = Promise.resolve();

  async function start(inbox: ChannelInbox, signal: AbortSignal): Promise<void> {
    // Two at once would each take what was said.
    const unending = phrase("channels.custom-unending");
    await within(() => before, endMs, { clock, late: unending }).catch(() => {
      throw new ChannelSetupError(unending);
    });
    if (signal.aborted) return;
    const firstSign = Promise.withResolvers<void>();
    const watched: ChannelInbox = {
      ...inbox,
      receive(update) {
        firstSign.resolve();
        return inbox.receive(update);
      },
      reportAlive() {
        firstSign.resolve();
        inbox.reportAlive();
      },
    };
    const running = (async () => channel.start(watched, signal))();
    before = running.catch(() => {});
    const late = phrase("channels.custom-silent", { seconds: firstSignMs / 1000 });
    try {
      await within(() => Promise.race([running, firstSign.promise]), firstSignMs, { clock, late });
      await running;
    } catch (error) {
      if (!signal.aborted) throw toOurError(error, redact);
    }
  }

  return {
    name,
    capabilities,
    start,
    async send(part) {
      const late = phrase("channels.custom-late", { call: "send", seconds: sendMs / 1000 });
      try {
        const sent: unknown = await within(async () => channel.send(part), sendMs, { clock, late });
        const platformId = isRecord(sent) ? sent.platformId : undefined;
        return platformId === undefined || platformId === null ? {} : { platformId: String(platformId) };
      } catch (error) {
        throw toOurError(error, redact);
      }
    },
    ...(typeof channel.showTyping === "function" && {
      showTyping: async (chatId: string, thread?: string) => channel.showTyping?.(chatId, thread),
    }),
  };
}

async function within<T>(
  work: () => Promise<T>,
  ms: number,
  { clock, late }: { clock: Clock; late: Phrase },
): Promise<T> {
  const done = new AbortController();
  const over = clock.sleep(ms, done.signal).then(() => {
    throw new ChannelError(late);
  });
  try {
    return await Promise.race([work(), over]);
  } finally {
    done.abort();
  }
}

/** By its name: the file comes with another copy of the classes. */
function toOurError(error: unknown, redact: Holder["redact"]): Error {
  const message = redact(error instanceof Error ? error.message : String(error));
  if (isChannelSetupError(error)) return new ChannelSetupError(message);
  if (!isSendError(error)) return error instanceof ChannelError ? error : new ChannelError(message);
  const { isPermanent, retryAfterMs } = error;
  const isTime = typeof retryAfterMs === "number" && retryAfterMs > 0;
  return new SendError(message, { isPermanent: isPermanent === true, ...(isTime && { retryAfterMs }) });
}
