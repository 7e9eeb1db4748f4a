// Mattermost on loopback, as far as the channel speaks it: the WebSocket with its challenge, posts with pending ids, edits, files.
// Written after developers.mattermost.com/api-documentation: WebSocket, Posts, Files, Channels, Reactions.
import type { WebSocket } from "ws";
import { FakePlatform, type Json, type PlatformRequest } from "./fake-platform.ts";

export async function startFakeMattermost(): Promise<FakeMattermost> {
  return new FakeMattermost().listen();
}

export class FakeMattermost extends FakePlatform {
  token = "mm-token";
  readonly posts: Json[] = [];
  readonly #keys = new Map<string, Json>();
  readonly #known = new Set<WebSocket>();
  readonly #uploads: string[] = [];

  get isConnected(): boolean {
    return this.#known.size > 0;
  }

  /** What the bot posted, as it is now. */
  shown(): string[] {
    const ours = this.posts.filter((post) => post.user_id === "bot");
    return ours.flatMap((post) => [
      String(post.message),
      ...((post.file_ids ?? []) as string[]).map((id) => `[file ${this.#uploads[Number(id)]}]`),
    ]);
  }

  /** By Ann, in private, unless the post says otherwise. */
  say(message: string, post: Json = {}): void {
    const id = `post${this.posts.length}`;
    const said = {
      id,
      user_id: "ann",
      channel_id: "dm",
      message,
      create_at: 1_000 + this.posts.length,
      ...post,
    };
    this.posts.push(said);
    const data = { channel_type: "D", sender_name: "@ann", post: JSON.stringify(said) };
    for (const socket of this.#known) this.send(socket, { event: "posted", data, seq: 2 });
  }

  /** Ann edits or deletes a post. */
  change(event: "post_edited" | "post_deleted", id: string, change: Json): void {
    const post = Object.assign(this.posts.find((each) => each.id === id) ?? {}, change);
    for (const socket of this.#known)
      this.send(socket, { event, data: { post: JSON.stringify(post) }, seq: 3 });
  }

  revoke(): void {
    this.token = "another";
    for (const socket of this.sockets) socket.close();
  }

  protected greet(socket: WebSocket): void {
    socket.on("close", () => this.#known.delete(socket));
  }

  protected hear(socket: WebSocket, { action, data, seq }: Json): void {
    if (action !== "authentication_challenge") return;
    const isOurs = (data as Json).token === this.token;
    this.send(socket, { status: isOurs ? "OK" : "FAIL", seq_reply: seq });
    if (!isOurs) return;
    this.#known.add(socket);
    this.send(socket, { event: "hello", data: { server_version: "10" }, seq: 0 });
  }

  protected answer(request: PlatformRequest): { status?: number; body: unknown } | undefined {
    const { method, headers, body, query, text } = request;
    const path = request.path.replace("/api/v4", "");
    if (headers.authorization !== `Bearer ${this.token}`)
      return {
        status: 401,
        body: { id: "api.context.session_expired.app_error", message: "Invalid or expired session" },
      };
    if (path === "/users/me") return { body: { id: "bot", username: "nano" } };
    const [, channel = "", posts] = /^\/channels\/(\w+)(\/posts)?$/.exec(path) ?? [];
    if (posts !== undefined) return { body: this.#since(channel, Number(query.get("since"))) };
    if (channel !== "") return { body: { id: channel, type: channel === "dm" ? "D" : "O" } };
    if (path === "/posts") return { body: this.#keep(body) };
    if (path === "/files") {
      this.#uploads.push(/filename="([^"]*)"/.exec(text)?.[1] ?? "");
      return { body: { file_infos: [{ id: String(this.#uploads.length - 1) }] } };
    }
    if (path.endsWith("/info")) return { body: { name: "notes.txt" } };
    if (method === "PUT") return this.#edit(path.split("/")[2] ?? "", body);
    return { body: { status: "OK" } };
  }

  #since(channel: string, time: number): Json {
    const found = this.posts.filter((post) => post.channel_id === channel && Number(post.create_at) >= time);
    return {
      order: found.map(({ id }) => id).toReversed(),
      posts: Object.fromEntries(found.map((post) => [post.id, post])),
    };
  }

  #keep(body: Json): Json {
    const known = this.#keys.get(String(body.pending_post_id));
    if (known !== undefined) return known;
    const time = 1_000 + this.posts.length;
    const post = {
      ...body,
      id: `post${this.posts.length}`,
      user_id: "bot",
      root_id: body.root_id ?? "",
      create_at: time,
    };
    this.#keys.set(String(body.pending_post_id), post);
    this.posts.push(post);
    return post;
  }

  #edit(id: string, { message }: Json): { status?: number; body: unknown } {
    const post = this.posts.find((each) => each.id === id);
    if (post === undefined) return { status: 404, body: { message: "not found" } };
    post.message = message;
    return { body: post };
  }
}
