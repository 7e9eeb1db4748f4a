// A session with an XMPP server: TLS, sign-in, a name for this connection, and stream management (XEP-0198), by which both
// sides say what they have taken. What we did not acknowledge the server keeps. Knows nothing of messages.
import { ChannelError, ChannelSetupError } from "../../bus/channel.ts";
import { phrase } from "../../i18n/phrase.ts";
import type { TextSocket } from "../text-socket.ts";
import { escapeXml, findChild, type XmlElement, XmlStream } from "./xml.ts";

export interface SessionOptions {
  user: string;
  domain: string;
  password: string;
  onAlive(): void;
  /** Signed in. */
  onReady(session: Session): void;
  /** Resolves once what it says is stored; a rejection ends the connection. */
  onStanza(stanza: XmlElement): Promise<void>;
}

interface Waiting {
  /** The stanza with this number, in our order, and all before it are taken. */
  number: number;
  id: string;
  refusal: string | undefined;
  resolve(refusal: string | undefined): void;
  reject(reason: unknown): void;
}

const streamManagement = "urn:xmpp:sm:3";

export class Session {
  readonly #options: SessionOptions;
  readonly #stream = new XmlStream((element) => this.#take(element));
  #socket: TextSocket | undefined;
  #isEncrypted = false;
  #isSignedIn = false;
  #isReady = false;
  /** Stanzas that we wrote, and that we have handled, since stream management began. */
  #written = 0;
  #handled = 0;
  #counts = false;
  #isManaged = true;
  #waiting: Waiting[] = [];
  #handling: Promise<void> = Promise.resolve();

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  open(socket: TextSocket): void {
    this.#socket = socket;
    this.#begin();
  }

  read(text: string): void {
    this.#options.onAlive();
    try {
      this.#stream.read(text);
    } catch {
      this.#socket?.fail(undefined);
    }
  }

  /** Asks what was taken: an answer shows that the server is there. */
  ping(): void {
    if (!this.#isReady) return;
    const ask = "<iq type='get' id='ping'><ping xmlns='urn:xmpp:ping'/></iq>";
    this.#socket?.write(this.#isManaged ? `<r xmlns='${streamManagement}'/>` : ask);
  }

  write(stanza: string): void {
    if (!this.#isReady) throw disconnected();
    this.#written += 1;
    this.#socket?.write(stanza);
  }

  /** Resolves once the server has it; with its words when it refused. */
  async deliver(id: string, stanza: string): Promise<string | undefined> {
    this.write(stanza);
    if (!this.#isManaged) return undefined;
    const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
    this.#waiting.push({ number: this.#written, id, refusal: undefined, resolve, reject });
    this.ping();
    return promise;
  }

  async close(): Promise<void> {
    this.#isReady = false;
    for (const { reject } of this.#waiting) reject(disconnected());
    this.#waiting = [];
    await this.#handling.catch(() => {});
  }

  #begin(): void {
    this.#stream.restart();
    const { domain } = this.#options;
    this.#socket?.write(
      `<?xml version='1.0'?><stream:stream to='${escapeXml(domain)}' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' version='1.0'>`,
    );
  }

  #take(element: XmlElement): void {
    const { name } = element;
    if (name === "stream:features") this.#negotiate(element);
    else if (name === "proceed") {
      this.#isEncrypted = true;
      this.#socket?.encrypt();
      this.#begin();
    } else if (name === "success") {
      this.#isSignedIn = true;
      this.#begin();
    } else if (name === "failure") this.#refuse(element);
    else if (name === "stream:error") this.#fail(element);
    else if (name === "enabled") this.#counts = true;
    else if (name === "failed") this.#goWithout();
    else if (name === "r") this.#acknowledge();
    else if (name === "a") this.#settle(Number(element.attributes.h));
    else if (name === "iq" && element.attributes.id === "bind") this.#start(element);
    else if (["message", "presence", "iq"].includes(name)) this.#handle(element);
  }

  #negotiate(features: XmlElement): void {
    const { user, domain, password } = this.#options;
    const canEncrypt = !this.#isEncrypted && findChild(features, "starttls") !== undefined;
    const isSafe = this.#socket?.isSafe() === true;
    if (canEncrypt) {
      this.#socket?.write("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>");
    } else if (!isSafe) {
      this.#socket?.fail(new ChannelSetupError(phrase("channels.insecure", { platform: domain })));
    } else if (!this.#isSignedIn) {
      const secret = Buffer.from(`\0${user}\0${password}`).toString("base64");
      this.#socket?.write(
        `<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>${secret}</auth>`,
      );
    } else {
      this.#socket?.write(
        "<iq type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><resource>nanobot</resource></bind></iq>",
      );
    }
  }

  #start(answer: XmlElement): void {
    if (answer.attributes.type !== "result") {
      this.#fail(answer);
      return;
    }
    this.#isReady = true;
    this.#socket?.write(`<enable xmlns='${streamManagement}'/>`);
    this.#options.onReady(this);
  }

  #refuse(failure: XmlElement): void {
    const { domain } = this.#options;
    const isPassing = findChild(failure, "temporary-auth-failure") !== undefined;
    const said = phrase("channels.xmpp-password", { host: domain });
    this.#socket?.fail(isPassing ? new ChannelError(said) : new ChannelSetupError(said));
  }

  #fail(element: XmlElement): void {
    const quote = element.children
      .map(({ name, text }) => text.trim() || name)
      .join(", ")
      .slice(0, 200);
    const { domain } = this.#options;
    // Another program with our name took our place: taking it back would go on for ever.
    const isTaken = findChild(element, "conflict") !== undefined;
    const said = phrase("channels.refused", { platform: domain, quote });
    this.#socket?.fail(isTaken ? new ChannelSetupError(said) : new ChannelError(said));
  }

  #handle(stanza: XmlElement): void {
    const { type, id = "" } = stanza.attributes;
    if (type === "error") {
      const refused = this.#waiting.find((waiting) => waiting.id === id);
      if (refused !== undefined) refused.refusal = describeError(stanza);
    }
    const counts = this.#counts;
    this.#handling = this.#handling
      .then(() => this.#options.onStanza(stanza))
      .then(() => {
        if (counts) this.#handled += 1;
        if (counts && stanza.name === "message") this.#acknowledge();
      })
      .catch((error: unknown) => {
        this.#socket?.fail(error);
        throw error;
      });
    this.#handling.catch(() => {});
  }

  #acknowledge(): void {
    this.#socket?.write(`<a xmlns='${streamManagement}' h='${this.#handled}'/>`);
  }

  /** The server knows no stream management: what was written counts as taken. */
  #goWithout(): void {
    this.#isManaged = false;
    this.#settle(this.#written);
  }

  #settle(taken: number): void {
    const done = this.#waiting.filter(({ number }) => number <= taken);
    this.#waiting = this.#waiting.filter(({ number }) => number > taken);
    for (const { refusal, resolve } of done) resolve(refusal);
  }
}

function describeError(stanza: XmlElement): string {
  const [condition] = findChild(stanza, "error")?.children ?? [];
  return (condition?.text || condition?.name || "error").slice(0, 200);
}

function disconnected(): ChannelError {
  return new ChannelError(phrase("channels.disconnected", { platform: "XMPP" }));
}
