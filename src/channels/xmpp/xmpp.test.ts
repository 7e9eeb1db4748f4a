import { describe, expect, it } from "vitest";
import { startChannel } from "../../../test/support/channel-scene.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { startProsody, xmppPassword } from "../../../test/support/prosody.ts";
import { hasSystemPart } from "../../../test/support/system-part.ts";
import { XmlStream } from "./xml.ts";
import { xmpp } from "./xmpp.ts";

const hasProsody = hasSystemPart(
  ["sh", "-c", "command -v prosody && command -v openssl"],
  "prosody and openssl",
);

function read(...texts: string[]): unknown[] {
  const found: unknown[] = [];
  const stream = new XmlStream((element) => found.push(element));
  for (const text of texts) stream.read(text);
  return found;
}

describe("XML of a stream", () => {
  it("is read however it is cut, with entities and both quotes", () => {
    const text = `<?xml version='1.0'?><stream:stream to="x"><message from='a&apos;b'><body>1 &lt; 2 &#x597d;</body><e/></message>`;
    const leaf = { attributes: {}, children: [], text: "" };
    const body = { ...leaf, name: "body", text: "1 < 2 好" };
    const message = {
      name: "message",
      attributes: { from: "a'b" },
      children: [body, { ...leaf, name: "e" }],
      text: "",
    };
    expect(read(text)).toEqual([message]);
    expect(read(...text)).toEqual([message]);
  });

  it.each([
    ["a document type", "<s><!DOCTYPE x [<!ENTITY a 'b'>]>"],
    ["a comment", "<s><a><!-- x --></a>"],
    ["a wrong end", "<s><a></b>"],
    ["an end of the stream", "<s></s>"],
    ["elements that are nested for ever", `<s>${"<a>".repeat(100)}`],
    ["an element that never ends", `<s><a>${"x".repeat(600 * 1024)}`],
  ])("refuses %s", (_, text) => {
    expect(() => read(text)).toThrow();
  });
});

it.runIf(hasProsody)(
  "XMPP: TLS is asked for on the way, and a certificate that nobody vouches for is refused",
  async () => {
    const prosody = await startProsody({ hasTls: true });
    try {
      const jid = await prosody.addAccount("nano");
      const config = { jid, password: xmppPassword, host: "127.0.0.1", port: prosody.port };
      const refused = await startChannel({ kind: xmpp, config });
      await eventually(() => refused.manager.health()[0]?.error?.code).toBe("channels.no-tls");
      await refused.stop();
      const scene = await startChannel({
        kind: xmpp,
        config: { ...config, certificate: prosody.certificate },
      });
      await eventually(() => scene.manager.health()[0]?.state).toBe("running");
      await scene.stop();
    } finally {
      await prosody.stop();
    }
  },
);

it.runIf(hasProsody)("XMPP: a room that is locked at first is joined once it is open", async () => {
  const prosody = await startProsody();
  try {
    const ann = await prosody.enter("ann");
    const jid = await prosody.addAccount("nano");
    const room = "team@rooms.chat.test";
    const own = `${room}/nanobot`;
    const saw = (type: string | undefined) =>
      ann.heard.some(
        ({ name, attributes }) => name === "presence" && attributes.from === own && attributes.type === type,
      );
    ann.write(`<presence to='${room}/ann'><x xmlns='http://jabber.org/protocol/muc'/></presence>`);
    await eventually(() => ann.heard.some(({ attributes }) => attributes.from === `${room}/ann`)).toBe(true);
    const config = { jid, password: xmppPassword, host: "127.0.0.1", port: prosody.port, rooms: [room] };
    const scene = await startChannel({ kind: xmpp, config, rules: { allowFrom: [ann.jid] } });
    await eventually(() => scene.manager.health()[0]?.state).toBe("running");
    const settings =
      "<query xmlns='http://jabber.org/protocol/muc#owner'><x xmlns='jabber:x:data' type='submit'/></query>";
    expect(saw(undefined)).toBe(false);
    ann.write(`<iq type='set' id='open' to='${room}'>${settings}</iq>`);
    await eventually(() => saw(undefined)).toBe(true);
    ann.say(room, "nanobot: hello", { type: "groupchat" });
    expect((await scene.next()).text).toBe("hello");
    await scene.stop();
  } finally {
    await prosody.stop();
  }
});
