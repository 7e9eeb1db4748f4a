// Matrix on loopback, as far as the channel speaks it: /sync with tokens, events with transaction ids, edits, media. Written
// after spec.matrix.org, Client-Server API v1.13: Syncing, Sending events to a room, Event replacements, Content repository.
import type { WebSocket } from "ws";
import { FakePlatform, type Json, type PlatformAnswer, type PlatformRequest } from "./fake-platform.ts";

interface RoomEvent extends Json {
  room: string;
  event_id: string;
  content: Json;
}

const rooms: Record<string, string[]> = {
  "!dm:test": ["@ann:test", "@nano:test"],
  "!group:test": ["@ann:test", "@bob:test", "@nano:test"],
};

export async function startFakeMatrix(): Promise<FakeMatrix> {
  return new FakeMatrix().listen();
}

export class FakeMatrix extends FakePlatform {
  token = "syt_fake";
  readonly userId = "@nano:test";
  /** How often news were asked for. */
  syncs = 0;
  /** Rooms with an invitation that waits. */
  readonly invitations = new Set<string>();
  readonly joined: string[] = [];
  readonly typing: string[] = [];
  readonly events: RoomEvent[] = [];
  /** As many events of a room are told at once. */
  mostEvents = 50;
  readonly #keys = new Map<string, string>();

  /** By Ann, in private, unless the event says otherwise. */
  say(body: string, { room = "!dm:test", ...event }: Json = {}): void {
    const id = `$in${this.events.length}`;
    const content = { msgtype: "m.text", body };
    const said = { type: "m.room.message", event_id: id, sender: "@ann:test", content, ...event };
    this.events.push({ ...said, room: String(room) } as RoomEvent);
    this.changed();
  }

  /** What a person sees of what we sent: edited messages as they are now. */
  shown(room: string): string[] {
    const ours = this.events.filter((event) => event.room === room && event.sender === this.userId);
    const isEdit = ({ content }: RoomEvent) => (content["m.relates_to"] as Json)?.rel_type === "m.replace";
    return ours
      .filter((event) => !isEdit(event))
      .map(({ event_id: id, content }) => {
        const edit = ours.findLast(
          (each) => isEdit(each) && (each.content["m.relates_to"] as Json).event_id === id,
        );
        return String(((edit?.content["m.new_content"] as Json) ?? content).body);
      });
  }

  revoke(): void {
    this.token = "another";
    this.changed();
  }

  protected greet(_: WebSocket): void {}
  protected hear(): void {}

  protected async answer(request: PlatformRequest): Promise<PlatformAnswer> {
    const { method, headers, body } = request;
    const path = decodeURIComponent(request.path.replace("/_matrix", ""));
    const unknown = { status: 401, body: { errcode: "M_UNKNOWN_TOKEN", error: "Unrecognised access token" } };
    if (headers.authorization !== `Bearer ${this.token}`) return unknown;
    if (path === "/client/v3/account/whoami") return { body: { user_id: this.userId } };
    if (path === "/client/v3/sync") return this.#sync(request.query, unknown);
    if (path === "/media/v3/upload") return { body: { content_uri: "mxc://test/up" } };
    const [, room = "", what = ""] = /^\/client\/v3\/rooms\/([^/]+)\/(.*)$/.exec(path) ?? [];
    if (what === "joined_members") {
      const members = rooms[room] ?? [];
      return { body: { joined: Object.fromEntries(members.map((id) => [id, {}])) } };
    }
    if (what === "messages") return { body: { chunk: this.#between(room, request.query) } };
    if (what.startsWith("typing/")) this.typing.push(room);
    if (path.startsWith("/client/v3/join/")) this.#join(path.slice("/client/v3/join/".length));
    if (method === "PUT" && what.startsWith("send/"))
      return { body: { event_id: this.#keep(room, what, body) } };
    return { body: {} };
  }

  #join(room: string): void {
    this.invitations.delete(room);
    this.joined.push(room);
  }

  async #sync(query: URLSearchParams, refusal: { status: number; body: unknown }) {
    const since = query.get("since");
    const from = Number(since ?? 0);
    const { token } = this;
    this.syncs += 1;
    this.changed();
    // Waits for news as long as there are none; the client hangs up when it has enough.
    if (since !== null && query.get("timeout") !== "0")
      await this.waitFor(
        () => this.events.length > from || this.invitations.size > 0 || this.token !== token,
      );
    if (this.token !== token) return refusal;
    const join: Json = {};
    for (const room of new Set(this.events.slice(from).map((event) => event.room))) {
      const all = this.events.filter((event, index) => index >= from && event.room === room);
      const events = all.slice(-this.mostEvents);
      const first = events[0];
      const limited = events.length < all.length;
      join[room] = {
        timeline: { events, limited, prev_batch: String(first ? this.events.indexOf(first) : from) },
      };
    }
    const invite = Object.fromEntries([...this.invitations].map((room) => [room, {}]));
    return { body: { next_batch: String(this.events.length), rooms: { join, invite } } };
  }

  /** Newest first, from a token back to an older one. */
  #between(room: string, query: URLSearchParams): Json[] {
    const [from, to] = [Number(query.get("from")), Number(query.get("to"))];
    return this.events
      .filter((event, index) => event.room === room && index >= to && index < from)
      .toReversed();
  }

  #keep(room: string, what: string, content: Json): string {
    const key = what.split("/").slice(2).join("/");
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    const id = `$out${this.events.length}`;
    this.#keys.set(key, id);
    this.events.push({ type: "m.room.message", room, event_id: id, sender: this.userId, content });
    return id;
  }
}
