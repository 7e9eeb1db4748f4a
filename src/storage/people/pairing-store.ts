// pairing.json: who was admitted, and who has asked. A file that cannot be read for now admits nobody new. Keeps the
// Python original's form, with the people behind the senders in addition.
import { randomInt } from "node:crypto";
import type { Role } from "../../bus/types.ts";
import { phrase } from "../../i18n/phrase.ts";
import { fail, failAt, UserError } from "../../i18n/user-error.ts";
import type { Clock } from "../../lib/clock.ts";
import { isRecord } from "../../lib/is-record.ts";
import type { JsonObject } from "../../lib/json-tree.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { toPlainLine } from "../../lib/text.ts";
import { StateFile, StateFileError } from "../files/state-file.ts";

export interface PairedSender {
  channel: string;
  senderId: string;
  person: string;
  role: Role;
  name?: string;
}

export interface PairingRequest {
  code: string;
  channel: string;
  senderId: string;
  name?: string;
  expiresAt: number;
}

const codeMs = 10 * 60_000;
/** That any program gives a code. */
const longestMs = 60 * 60_000;
const mostPending = 50;
const longestShown = 60;
/** Without signs that look alike. */
const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const lock = new KeyedLock();

export class PairingStore {
  readonly #path: string;
  readonly #file: StateFile;
  readonly #clock: Clock;
  #known: { stamp: string; value: JsonObject } | undefined;

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#file = new StateFile(path, { findFault });
    this.#clock = clock;
  }

  async find(channel: string, senderId: string): Promise<PairedSender | undefined> {
    const paired = await this.list();
    return paired.find((sender) => sender.channel === channel && sender.senderId === senderId);
  }

  async list(): Promise<PairedSender[]> {
    const value = await this.#read();
    const people = toRecord(value.people);
    return Object.entries(toRecord(value.approved)).flatMap(([channel, ids]) =>
      toTexts(ids).map((senderId): PairedSender => {
        const known = toRecord(people[`${channel}:${senderId}`]);
        const role: Role = known.role === "owner" ? "owner" : "guest";
        const person = typeof known.person === "string" ? known.person : `${channel}-${senderId}`;
        const name = typeof known.name === "string" ? known.name : undefined;
        return { channel, senderId, role, person, ...(name && { name }) };
      }),
    );
  }

  async listPending(): Promise<PairingRequest[]> {
    const pending = Object.entries(toRecord((await this.#read()).pending));
    return pending.flatMap(([code, row]): PairingRequest[] => {
      const { channel, sender_id: senderId, expires_at: expires, name } = toRecord(row);
      const expiresAt = toMs(expires);
      const left = expiresAt - this.#clock.now();
      // More is left than any code was given: the clock was set back.
      const isOver = left <= 0 || left > longestMs;
      if (typeof channel !== "string" || typeof senderId !== "string" || isOver) return [];
      return [{ code, channel, senderId, expiresAt, ...(typeof name === "string" && { name }) }];
    });
  }

  /** A code for an unknown person; the same one while it is valid. Undefined when too many have asked. */
  async request(
    sender: Pick<PairingRequest, "channel" | "senderId" | "name">,
  ): Promise<PairingRequest | undefined> {
    return this.#change(async (value) => {
      const pending = await this.listPending();
      const known = pending.find(
        ({ channel, senderId }) => channel === sender.channel && senderId === sender.senderId,
      );
      if (known !== undefined) return known;
      if (pending.length >= mostPending) return undefined;
      const request = { ...sender, code: createCode(), expiresAt: this.#clock.now() + codeMs };
      setPending(value, [...pending, request]);
      return request;
    });
  }

  /** Throws a UserError for a code that nobody waits with, and for a name that could be taken for another. */
  async approve(code: string, { role, person }: { role: Role; person?: string }): Promise<PairedSender> {
    if (person !== undefined && (person.toLowerCase() === "owner" || !/^[\p{L}\p{N}_-]{1,64}$/u.test(person)))
      throw failAt("person", "pairing.bad-person", { name: toPlainLine(person, longestShown) });
    return this.#change(async (value) => {
      const pending = await this.listPending();
      const wanted = normalise(code);
      const request = pending.find((candidate) => normalise(candidate.code) === wanted);
      if (request === undefined) throw fail("pairing.no-code", { code: toPlainLine(code, longestShown) });
      const { channel, senderId, name } = request;
      const sender: PairedSender = {
        channel,
        senderId,
        role,
        person: role === "owner" ? "owner" : (person ?? `${channel}-${senderId}`),
        ...(name !== undefined && { name }),
      };
      const approved = toRecord(value.approved);
      approved[channel] = [...new Set([...toList(approved[channel]), senderId])];
      const { channel: _, senderId: __, ...rest } = sender;
      value.approved = approved;
      value.people = { ...toRecord(value.people), [`${channel}:${senderId}`]: rest };
      setPending(
        value,
        pending.filter((other) => other !== request),
      );
      return sender;
    });
  }

  /** False when nobody waits with it. */
  async deny(code: string): Promise<boolean> {
    return this.#change(async (value) => {
      const pending = await this.listPending();
      const left = pending.filter((candidate) => normalise(candidate.code) !== normalise(code));
      setPending(value, left);
      return left.length < pending.length;
    });
  }

  /** False when the sender was not admitted. */
  async revoke(channel: string, senderId: string): Promise<boolean> {
    return this.#change(async (value) => {
      const approved = toRecord(value.approved);
      const before = toList(approved[channel]);
      const people = toRecord(value.people);
      delete people[`${channel}:${senderId}`];
      value.approved = { ...approved, [channel]: before.filter((id) => id !== senderId) };
      value.people = people;
      return before.includes(senderId);
    });
  }

  #change<T>(change: (value: JsonObject) => Promise<T>): Promise<T> {
    return lock.run(this.#path, async () => {
      const value = structuredClone(await this.#read());
      const result = await change(value);
      await this.#file.write(value);
      return result;
    });
  }

  async #read(): Promise<JsonObject> {
    const stamp = await this.#file.stamp();
    if (this.#known?.stamp === stamp) return this.#known.value;
    const value = (await this.#file.read().catch(failReading)).value ?? {};
    this.#known = { stamp, value };
    return value;
  }
}

function findFault({ approved = {}, pending = {}, people = {} }: JsonObject): string | undefined {
  if (![approved, pending, people].every(isRecord)) return "must hold its entries by name, in { }";
  return Object.values(approved as JsonObject).every(Array.isArray)
    ? undefined
    : "must hold the ids of each channel as a list, in [ ]";
}

function failReading(error: unknown): never {
  if (!(error instanceof StateFileError)) throw error;
  throw new UserError(phrase("pairing.closed", { reason: error.phrase }), { cause: error });
}

function createCode(): string {
  const letters = Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]);
  return `${letters.slice(0, 4).join("")}-${letters.slice(4).join("")}`;
}

function normalise(code: string): string {
  return code.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
}

/** In place of all other requests; rows that are none stay. */
function setPending(value: JsonObject, pending: readonly PairingRequest[]): void {
  const foreign = Object.entries(toRecord(value.pending)).filter(([, row]) => !isRequest(row));
  value.pending = Object.fromEntries([...foreign.slice(-mostPending), ...pending.map(toPendingRow)]);
}

function isRequest(row: unknown): boolean {
  const { channel, sender_id: senderId, expires_at: expires } = toRecord(row);
  return typeof channel === "string" && typeof senderId === "string" && typeof expires === "number";
}

function toPendingRow({ code, channel, senderId, name, expiresAt }: PairingRequest): [string, JsonObject] {
  const times = { created_at: (expiresAt - codeMs) / 1000, expires_at: expiresAt / 1000 };
  return [code, { channel, sender_id: senderId, ...(name && { name }), ...times }];
}

/** The Python original counts in seconds. */
function toMs(seconds: unknown): number {
  return typeof seconds === "number" ? seconds * 1000 : 0;
}

function toRecord(value: unknown): JsonObject {
  return isRecord(value) ? (value as JsonObject) : {};
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function toTexts(value: unknown): string[] {
  return toList(value).filter((id) => typeof id === "string");
}
