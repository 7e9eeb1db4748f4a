// The platforms that are real servers from Debian: IRC by ngIRCd, XMPP by Prosody, with Ann as a person who is connected.

import { afterAll, onTestFinished } from "vitest";
import { eventually } from "./eventually.ts";
import { type Ngircd, startNgircd } from "./ngircd.ts";
import { layCable, type Platform, type PlatformRow, wrongSecret } from "./platform.ts";
import { type Prosody, startProsody, xmppPassword } from "./prosody.ts";

export function useTextPlatforms(): PlatformRow[] {
  let ngircd: Promise<Ngircd> | undefined;
  let prosody: Promise<Prosody> | undefined;
  let count = 0;
  afterAll(async () => {
    await (await ngircd)?.stop();
    await (await prosody)?.stop();
  });
  return [
    {
      name: "irc",
      async open() {
        ngircd ??= startNgircd();
        return openIrc(await ngircd, ++count);
      },
    },
    {
      name: "xmpp",
      async open() {
        prosody ??= startProsody();
        return openXmpp(await prosody, ++count);
      },
    },
  ];
}

async function openIrc(server: Ngircd, number: number): Promise<Platform> {
  const ann = await server.enter(`ann${number}`);
  onTestFinished(ann.leave);
  const cable = await layCable(`http://127.0.0.1:${server.port}`);
  const nick = `nano${number}`;
  const room = `#room${number}`;
  await ann.join(room);
  const config = {
    host: "127.0.0.1",
    port: cable.port,
    tls: false,
    nick,
    password: server.password,
    channels: [room],
    linePause: 0,
  };
  const isThere = async () => {
    while (!(await ann.sees(nick)));
  };
  return {
    config,
    wrong: { ...config, password: wrongSecret },
    wrongSecret,
    ann: `ann${number}!~ann${number}@127.0.0.1`,
    cable,
    isLossy: true,
    mostSaid: 400,
    async say(text) {
      await isThere();
      ann.say(nick, text);
    },
    sent: () => ann.heard.filter(({ from, to }) => from === nick && to === ann.nick).map(({ text }) => text),
    async sayInGroup(text, { isMention }) {
      await isThere();
      ann.say(room, isMention ? `${nick}: ${text}` : text);
    },
  };
}

async function openXmpp(server: Prosody, number: number): Promise<Platform> {
  const ann = await server.enter(`ann${number}`);
  onTestFinished(ann.leave);
  const jid = await server.addAccount(`nano${number}`);
  const room = `room${number}@rooms.chat.test`;
  const cable = await layCable(`http://127.0.0.1:${server.port}`);
  const config = { jid, password: xmppPassword, host: "127.0.0.1", port: cable.port, rooms: [room] };
  ann.write(`<presence to='${room}/ann'><x xmlns='http://jabber.org/protocol/muc'/></presence>`);
  // A room is locked until the one who made it has said how it is to be.
  ann.write(
    `<iq type='set' id='room' to='${room}'><query xmlns='http://jabber.org/protocol/muc#owner'><x xmlns='jabber:x:data' type='submit'/></query></iq>`,
  );
  await eventually(() =>
    ann.heard.some(({ attributes: { id, type } }) => id === "room" && type === "result"),
  ).toBe(true);
  return {
    config,
    wrong: { ...config, password: wrongSecret },
    wrongSecret,
    ann: ann.jid,
    cable,
    say: (text, { id } = {}) => ann.say(jid, text, id === undefined ? {} : { id: `m${id}` }),
    sent: () => ann.said(),
    edit: (id, text) =>
      ann.write(
        `<message to='${jid}' type='chat' id='c${id}'><body>${text}</body><replace id='m${id}' xmlns='urn:xmpp:message-correct:0'/></message>`,
      ),
    remove: (id) =>
      ann.write(
        `<message to='${jid}' type='chat' id='r${id}'><body>gone</body><retract id='m${id}' xmlns='urn:xmpp:message-retract:1'/></message>`,
      ),
    async sayInGroup(text, { isMention }) {
      const isIn = () => ann.heard.some(({ attributes: { from } }) => from === `${room}/nanobot`);
      while (!isIn()) await new Promise((resolve) => setTimeout(resolve, 20));
      ann.say(room, isMention ? `nanobot: ${text}` : text, { type: "groupchat" });
    },
  };
}
