import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startDovecot } from "../../../test/support/dovecot.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import {
  startMailScene,
  startSmtp,
  toLetter,
  toMailConfig,
  useMailServer,
} from "../../../test/support/mail-scene.ts";
import { hasSystemPart } from "../../../test/support/system-part.ts";
import { ChannelSetupError } from "../../bus/channel.ts";
import { phrase } from "../../i18n/phrase.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { silentLog } from "../../lib/log.ts";
import { email } from "./email.ts";
import { emailSchema } from "./email-config.ts";

const hasDovecot = hasSystemPart(["dovecot", "--version"], "dovecot-imapd");
const start = useMailServer();

describe.runIf(hasDovecot)("a letter", () => {
  it("comes in with who wrote it, and its answer goes back into its thread", async () => {
    const mail = await start();
    await mail.account.deliver(toLetter("Shall we?\r\n", { "Message-ID": "<one@example.org>" }));
    const message = await mail.scene.next();
    expect(message).toMatchObject({
      sessionKey: expect.stringMatching(/^email:ann@example\.org:thread:[0-9a-f]{16}$/),
      text: "Subject: Lunch\n\nShall we?",
      labels: ["mail:ann@example.org"],
      origin: { channel: "email", chatId: "ann@example.org", role: "owner", format: "email" },
    });
    await mail.answer(message, "**Yes**, at <noon>.\n\n- soup");
    await mail.untilSent(1);
    expect(mail.sent[0]).toMatchObject({
      recipients: ["ann@example.org"],
      subject: "Re: Lunch",
      inReplyTo: "<one@example.org>",
      references: "<one@example.org>",
      text: expect.stringMatching(/^Yes, at <noon>\.\n\n• soup\s*$/),
    });
    expect(mail.sent[0]?.html).toContain("<b>Yes</b>, at &lt;noon&gt;.<br>");
    expect(mail.sent[0]?.headers.get("auto-submitted")).toBe("auto-replied");
    await eventually(() => mail.account.flags()).toEqual(["S"]);
  });

  it("that answers ours belongs to the same session, also when it names only ours, and after a restart", async () => {
    const mail = await start();
    await mail.account.deliver(toLetter("one", { "Message-ID": "<one@example.org>" }));
    await mail.scene.next();
    const scene = await mail.restart();
    const first = await scene.next();
    await mail.answer(first, "two");
    await mail.untilSent(1);
    const { messageId = "", subject } = mail.sent[0] ?? {};
    expect(subject).toBe("Re: Lunch");
    await mail.account.deliver(
      toLetter("three\r\n\r\nOn Monday, Bot wrote:\r\n> two", {
        "In-Reply-To": messageId,
        Subject: "Re: Lunch",
      }),
    );
    const second = await scene.next();
    expect(second).toMatchObject({ sessionKey: first.sessionKey, text: "Subject: Re: Lunch\n\nthree" });
    await mail.answer(second, "four");
    await mail.untilSent(2);
    expect(mail.sent[1]).toMatchObject({ subject: "Re: Lunch", inReplyTo: second.origin.replyTo });
    expect(mail.sent[1]?.messageId).not.toBe(messageId);
  });

  it("comes once, however often it is delivered", async () => {
    const mail = await start();
    const letter = toLetter("once", { "Message-ID": "<one@example.org>" });
    await mail.account.deliver(letter);
    await mail.account.deliver(letter);
    await mail.account.deliver(toLetter("other"));
    expect((await mail.scene.next()).text).toContain("once");
    expect((await mail.scene.next()).text).toContain("other");
    await eventually(() => mail.account.flags()).toEqual(["S", "S", "S"]);
  });

  it("of a program is passed over, and stays unread", async () => {
    const mail = await start();
    const automatic: Array<Record<string, string>> = [
      { "Auto-Submitted": "auto-replied" },
      { Precedence: "bulk" },
      { "List-Id": "<news.example.org>" },
      { From: "MAILER-DAEMON@example.org" },
      { From: "bot@example.net" },
      { From: "ann@example.org, eve@example.org" },
      { From: "" },
    ];
    for (const headers of automatic) await mail.account.deliver(toLetter("machine", headers));
    await mail.account.deliver(toLetter("person", { "Auto-Submitted": "no" }));
    expect((await mail.scene.next()).text).toContain("person");
    await eventually(() => mail.account.flags()).toEqual([...automatic.map(() => "a"), "S"]);
    expect(mail.sent).toEqual([]);
  });

  it("whose sender our server did not find genuine is passed over", async () => {
    const mail = await start({ config: { verifyDkim: true, verifySpf: true } });
    await mail.account.deliver(toLetter("forged"));
    const proof = "mx.example.net; dkim=pass header.d=example.org; spf=pass smtp.mailfrom=ann@example.org";
    await mail.account.deliver(`Authentication-Results: ${proof}\r\n${toLetter("genuine")}`);
    expect((await mail.scene.next()).text).toContain("genuine");
    await eventually(() => mail.account.flags()).toEqual(["a", "S"]);
  });

  it("of a stranger is answered with a code, and is neither read nor put away", async () => {
    const mail = await start({
      rules: { allowFrom: [] },
      config: { postAction: "delete", postActionExpunge: true },
    });
    await mail.account.deliver(toLetter("let me in", { From: "eve@example.com" }));
    await mail.untilSent(1);
    expect(mail.sent[0]).toMatchObject({ recipients: ["eve@example.com"] });
    expect(mail.sent[0]?.text).toMatch(/[A-Z0-9]{4}-[A-Z0-9]{4}/);
    await eventually(() => mail.account.flags()).toEqual(["a"]);
  });

  it("is moved or deleted once it is taken, where that is wanted", async () => {
    const mail = await start({ config: { postAction: "delete", postActionExpunge: true } });
    await mail.account.deliver(toLetter("gone"));
    await mail.scene.next();
    await eventually(() => mail.account.flags()).toEqual([]);
  });

  it("in any character set, of HTML alone, or broken, is read as far as it can be", async () => {
    const mail = await start();
    const gbk = Buffer.from([0xc4, 0xe3, 0xba, 0xc3]);
    const headers = {
      Subject: "=?GBK?B?xOO6ww==?=",
      "Content-Type": "text/plain; charset=gbk",
      "Message-ID": "<g@x.org>",
    };
    await mail.account.deliver(Buffer.concat([Buffer.from(toLetter("", headers)), gbk]));
    expect((await mail.scene.next()).text).toBe("Subject: 你好\n\n你好");
    const html = "<style>p{}</style><p>Hello <b>you</b></p><script>x()</script>";
    await mail.account.deliver(toLetter(html, { "Content-Type": "text/html", "Message-ID": "<h@x.org>" }));
    expect((await mail.scene.next()).text).toBe("Subject: Lunch\n\nHello you");
    await mail.account.deliver(Buffer.from([0, 255, 254, 10, 13, 10, 200]));
    const broken = "multipart/mixed; boundary=never";
    await mail.account.deliver(
      toLetter("--never\r\nContent-Type: te\0xt\r\n\r\nleft", { "Content-Type": broken }),
    );
    await mail.account.deliver(toLetter("fine", { "Message-ID": undefined, Subject: undefined }));
    const texts = [await mail.scene.next()].map(({ text }) => text);
    if (!texts[0]?.includes("fine")) texts.push((await mail.scene.next()).text);
    expect(texts.at(-1)).toBe("Subject: \n\nfine");
  });

  it("brings the attachments that are allowed, under harmless names, and leaves out the rest", async () => {
    const mail = await start({
      config: { allowedAttachmentTypes: ["text/*"], maxAttachmentSize: 20, maxAttachmentsPerEmail: 1 },
    });
    const attach = (name: string, type: string, content: string) =>
      `--b\r\nContent-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\n${content}\r\n`;
    const body = `--b\r\nContent-Type: text/plain\r\n\r\nsee\r\n${attach("large.txt", "text/plain", "x".repeat(30))}${attach("run.exe", "application/x-msdownload", "MZ")}${attach("../../notes.txt", "text/plain", "content")}${attach("more.txt", "text/plain", "more")}--b--\r\n`;
    await mail.account.deliver(toLetter(body, { "Content-Type": "multipart/mixed; boundary=b" }));
    const { media = [], text } = await mail.scene.next();
    expect(text).toBe("Subject: Lunch\n\nsee");
    expect(media).toHaveLength(1);
    expect(media[0]?.startsWith(join(mail.scene.home, "media", "email"))).toBe(true);
    expect(await readFile(media[0] ?? "", "utf8")).toMatch(/^content/);
  });

  it("that is very long is cut with a note, and never taken for a command", async () => {
    const mail = await start({ config: { maxBodyChars: 10 } });
    await mail.account.deliver(toLetter("/restart now and for ever", { Subject: "/stop" }));
    expect((await mail.scene.next()).text).toBe(
      "Subject: /stop\n\n/restart n\n[15 more characters were left out]",
    );
  });
});

describe.runIf(hasDovecot)("an answer by mail", () => {
  it("is tried again when the server is busy, and set aside when it never will be taken", async () => {
    const mail = await start();
    mail.refusals.push(550);
    await mail.account.deliver(toLetter("hi"));
    await mail.answer(await mail.scene.next(), "no such box");
    await eventually(() => mail.scene.bus.outbox.list()).toMatchObject([
      { state: "dead", reason: { code: "channels.mail-refused", params: { status: 550 } } },
    ]);
    mail.refusals.push(451);
    await mail.account.deliver(toLetter("hi again"));
    await mail.answer(await mail.scene.next(), "later");
    await eventually(() => mail.scene.bus.outbox.list()).toContainEqual(
      expect.objectContaining({
        state: "waiting",
        reason: expect.objectContaining({ params: expect.objectContaining({ status: 451 }) }),
      }),
    );
  });

  it("brings files, and nothing at all where answers are not wanted", async () => {
    const mail = await start({ config: { autoReplyEnabled: false } });
    await mail.account.deliver(toLetter("hi"));
    const message = await mail.scene.next();
    const path = join(mail.scene.home, "plot.png");
    await writeFile(path, "pixels");
    await mail.answer(message, "an answer");
    await mail.answer(message, "a message", { id: "call#0", kind: "message", media: [path] });
    await mail.untilSent(1);
    expect(mail.sent.map(({ text }) => text?.trim())).toEqual(["a message"]);
    expect(mail.sent[0]?.attachments[0]).toMatchObject({ filename: "plot.png" });
  });

  it("has nothing of another chat's thread in it, and goes to one address only", async () => {
    const mail = await start();
    await mail.account.deliver(toLetter("secret plan", { Subject: "Secret" }));
    const message = await mail.scene.next();
    await mail.answer(message, "Hello there", { id: "x#0", chatId: "bob@example.com" });
    await mail.answer(message, "x", { id: "x#1", chatId: "bob@example.com, eve@example.com" });
    await mail.answer(message, "x", { id: "x#2", chatId: "bob@example.com>\r\nBcc: eve@example.com" });
    await mail.untilSent(1);
    expect(mail.sent[0]).toMatchObject({ subject: "Hello there", recipients: ["bob@example.com"] });
    await eventually(() => mail.scene.bus.outbox.list().map(({ state }) => state)).toEqual(["dead", "dead"]);
    expect(mail.sent).toHaveLength(1);
  });

  it("shows nothing on the way to it", async () => {
    const mail = await start();
    await mail.account.deliver(toLetter("hi"));
    const message = await mail.scene.next();
    const live = {
      sessionKey: message.sessionKey,
      turnId: message.id,
      channel: "email",
      chatId: "ann@example.org",
    };
    mail.scene.bus.publishLive({ ...live, body: { type: "text-delta", text: "Let me see." } });
    mail.scene.bus.publishLive({ ...live, body: { type: "text-end", isLast: false } });
    await mail.answer(message, "Done.");
    await mail.untilSent(1);
    expect(mail.sent.map(({ text }) => text?.trim())).toEqual(["Done."]);
  });
});

describe.runIf(hasDovecot)("the connection to the mail server", () => {
  it("comes back after the server was away, and nothing is lost", async () => {
    const mail = await start();
    await eventually(() => mail.scene.manager.health()[0]?.state).toBe("running");
    mail.account.disconnect();
    await eventually(() => mail.scene.manager.health()[0]?.state).toBe("retrying");
    await mail.account.deliver(toLetter("after the storm"));
    mail.account.reconnect();
    expect((await mail.scene.next()).text).toContain("after the storm");
  });

  it.each([2_000, 4_000, 16_000])(
    "is looked at again: a letter that came unannounced in a pause of %d ms waits no longer than the next one",
    async (pauseMs) => {
      const dovecot = await startDovecot();
      onTestFinished(dovecot.stop);
      const rests: number[] = [];
      let deliver = async () => {};
      /** Pauses up to the next one pass at once, and longer ones never. */
      const clock: Clock = {
        ...systemClock,
        async sleep(ms, signal) {
          rests.push(ms);
          if (ms === pauseMs) await deliver();
          await systemClock.sleep(ms > 2 * pauseMs ? 3_600_000 : Math.min(ms, 50), signal);
        },
      };
      const mail = await startMailScene(dovecot, {
        clock,
        onAccount(account) {
          account.swallow(/^\* \d+ EXISTS\r\n/gm);
          deliver = async () => {
            deliver = async () => {};
            await account.deliver(toLetter("late"));
          };
        },
      });
      expect((await mail.scene.next()).text).toContain("late");
      expect(rests).toContain(pauseMs);
    },
  );

  it("is looked at on its own where the server cannot tell", async () => {
    const clock = createFakeClock(Date.now());
    const dovecot = await startDovecot({ capability: "IMAP4rev1 LITERAL+ UIDPLUS" });
    onTestFinished(dovecot.stop);
    const mail = await startMailScene(dovecot, { clock });
    await eventually(() => mail.scene.manager.health()[0]?.state).toBe("running");
    await mail.account.deliver(toLetter("found"));
    let found = "";
    void mail.scene.next().then(({ text }) => {
      found = text;
    });
    // The look that was under way may have been too early for it.
    await eventually(async () => {
      await clock.advance(30_000);
      return found;
    }).toContain("found");
  });

  it("fails at once when a password is wrong, with the reason and without the password", async () => {
    for (const kind of ["imap", "smtp"] as const) {
      const config = { [`${kind}Password`]: "pa55-wrong" };
      const mail = await start({ config });
      await eventually(() => mail.scene.manager.health()[0]).toMatchObject({
        state: "failed",
        error: { code: `channels.${kind}-credentials` },
      });
      expect(JSON.stringify(mail.scene.manager.health())).not.toContain("pa55-wrong");
    }
  });

  it("fails at once when there is no such folder", async () => {
    const mail = await start({ config: { imapMailbox: "Nowhere" } });
    await eventually(() => mail.scene.manager.health()[0]).toMatchObject({
      state: "failed",
      error: phrase("channels.no-mail-folder", { folder: "Nowhere" }),
    });
  });
});

describe("the block of the mail channel", () => {
  const block = {
    consentGranted: true,
    imapHost: "a",
    imapUsername: "b@c.d",
    imapPassword: "p",
    smtpHost: "s",
  };

  it("is refused without the consent of the owner of the mailbox", () => {
    expect(emailSchema.safeParse(block).success).toBe(true);
    const { error } = emailSchema.safeParse({ ...block, consentGranted: false });
    expect(error?.issues[0]?.path).toEqual(["consentGranted"]);
  });

  it("is refused without an address of its own, and without a folder to move to", () => {
    expect(emailSchema.safeParse({ ...block, imapUsername: "bot" }).success).toBe(false);
    expect(emailSchema.safeParse({ ...block, postAction: "move" }).success).toBe(false);
  });
});

describe.runIf(hasDovecot)("trying a mailbox", () => {
  it("signs in at both servers, and says which of them does not take what it was given", async () => {
    const { account } = await start();
    const { port: smtpPort } = await startSmtp();
    const tryIt = (given: Record<string, unknown>) => {
      const config = email.schema.parse({ ...toMailConfig(account, smtpPort), ...given });
      const context = {
        clock: systemClock,
        log: silentLog,
        fetch: globalThis.fetch,
        folder: "",
        commands: [],
      };
      return email.check?.(config, context, AbortSignal.timeout(30_000));
    };
    expect(await tryIt({})).toBe("bot@example.net");
    await expect(tryIt({ imapPassword: "wrong" })).rejects.toThrow(ChannelSetupError);
    await expect(tryIt({ imapMailbox: "Nowhere" })).rejects.toMatchObject({
      phrase: phrase("channels.no-mail-folder", { folder: "Nowhere" }),
    });
    await expect(tryIt({ smtpPort: 9 })).rejects.toMatchObject({ phrase: { code: "channels.unreachable" } });
  });
});
