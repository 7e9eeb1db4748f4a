// The mail channel between a real Dovecot and an SMTP server that keeps what it is given.
import type { AddressInfo } from "node:net";
import { type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";
import { afterAll, onTestFinished } from "vitest";
import { email } from "../../src/channels/email/email.ts";
import type { Clock } from "../../src/lib/clock.ts";
import { type ChannelScene, startChannel } from "./channel-scene.ts";
import { type Dovecot, type MailAccount, startDovecot } from "./dovecot.ts";
import { eventually } from "./eventually.ts";

export interface SentMail extends ParsedMail {
  recipients: string[];
}

export interface MailScene {
  account: MailAccount;
  scene: ChannelScene;
  sent: SentMail[];
  /** The next letters are refused with these numbers. */
  refusals: number[];
  /** As an answer to that letter. */
  answer: ChannelScene["answer"];
  untilSent(count: number): Promise<void>;
  /** The same mailbox with another life of the program. */
  restart(): Promise<ChannelScene>;
}

export interface MailSceneOptions {
  config?: Record<string, unknown>;
  rules?: Parameters<typeof startChannel>[0]["rules"];
  clock?: Clock;
  /** Before anything connects to it. */
  onAccount?(account: MailAccount): void;
}

/** One server for all tests of a file. To be called where tests are declared. */
export function useMailServer(): (options?: MailSceneOptions) => Promise<MailScene> {
  let dovecot: Promise<Dovecot> | undefined;
  afterAll(async () => (await dovecot)?.stop());
  return async (options) => {
    dovecot ??= startDovecot();
    return startMailScene(await dovecot, options);
  };
}

export async function startMailScene(dovecot: Dovecot, options: MailSceneOptions = {}): Promise<MailScene> {
  const { config = {}, rules = { allowFrom: ["ann@example.org"] } } = options;
  const account = await dovecot.openAccount();
  onTestFinished(account.close);
  options.onAccount?.(account);
  const { sent, refusals, port: smtpPort } = await startSmtp();
  const start = (home?: string) =>
    startChannel({
      kind: email,
      ...(options.clock !== undefined && { clock: options.clock }),
      rules,
      ...(home !== undefined && { home }),
      config: { ...toMailConfig(account, smtpPort), ...config },
    });
  const mail: MailScene = {
    account,
    scene: await start(),
    sent,
    refusals,
    answer: (message, text, part = {}) =>
      mail.scene.answer(message, text, {
        ...(message.origin.replyTo !== undefined && { replyTo: message.origin.replyTo }),
        ...part,
      }),
    untilSent: (count) => eventually(() => sent.length).toBeGreaterThanOrEqual(count),
    async restart() {
      await mail.scene.stop();
      mail.scene = await start(mail.scene.home);
      return mail.scene;
    },
  };
  return mail;
}

/** As a block of the config would have it, without checks of senders. */
export function toMailConfig(account: MailAccount, smtpPort: number): Record<string, unknown> {
  return {
    consentGranted: true,
    imapHost: "127.0.0.1",
    imapPort: account.port,
    imapUsername: account.user,
    imapPassword: account.password,
    imapUseSsl: false,
    smtpHost: "127.0.0.1",
    smtpPort,
    smtpUseTls: false,
    smtpUsername: "bot",
    smtpPassword: "smtp-secret",
    fromAddress: "bot@example.net",
    verifyDkim: false,
    verifySpf: false,
  };
}

export interface FakeSmtp {
  port: number;
  sent: SentMail[];
  refusals: number[];
}

export async function startSmtp(): Promise<FakeSmtp> {
  const sent: SentMail[] = [];
  const refusals: number[] = [];
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    authOptional: true,
    onAuth({ password }, _session, callback) {
      if (password === "smtp-secret") callback(null, { user: "bot" });
      else callback(new Error("Invalid username or password"));
    },
    onData(stream, session, callback) {
      simpleParser(stream).then((mail) => {
        const code = refusals.shift();
        if (code !== undefined) return callback(Object.assign(new Error("no"), { responseCode: code }));
        sent.push({ ...mail, recipients: session.envelope.rcptTo.map(({ address }) => address) });
        callback();
      }, callback);
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { sent, refusals, port: (server.server.address() as AddressInfo).port };
}

/** By Ann, about lunch, unless the headers say otherwise; a header that is undefined is left out. */
export function toLetter(body: string, headers: Record<string, string | undefined> = {}): string {
  const whole: Record<string, string | undefined> = {
    From: "Ann <ann@example.org>",
    To: "bot@example.net",
    Subject: "Lunch",
    "Message-ID": `<${Buffer.from(body).toString("hex").slice(0, 40)}@example.org>`,
    "Content-Type": "text/plain; charset=utf-8",
    ...headers,
  };
  const lines = Object.entries(whole).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  );
  return [...lines, "", body].join("\r\n");
}
