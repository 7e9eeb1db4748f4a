import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import {
  connect,
  controlToken,
  hello,
  openWebScene,
  owner,
  type WebScene,
} from "../../../test/support/web-scene.ts";
import { WebSessions } from "./web-access.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

function me({ url }: WebScene, headers: Record<string, string>): Promise<Response> {
  return fetch(`${url}/api/me`, { headers });
}

/** `name=secret` of an answer. */
function cookieOf(response: Response): string {
  return response.headers.get("set-cookie")?.split(";")[0] ?? "";
}

describe("a one-time token", () => {
  test("lets one browser in, with a cookie that no script and no other site can use", async () => {
    const scene = await openWebScene();
    const { token } = scene.access.createToken(owner);
    const response = await scene.post("/api/enter", { token });
    expect(await response.json()).toEqual({ viewer: owner });
    expect(response.headers.get("set-cookie")).toMatch(
      new RegExp(
        `^nanobot-${scene.port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/api; Max-Age=34560000$`,
      ),
    );
    expect(await (await me(scene, { cookie: cookieOf(response) })).json()).toEqual({ viewer: owner });
    expect((await scene.post("/api/enter", { token })).status).toBe(401);
  });

  test("is no longer taken after ten minutes", async () => {
    const scene = await openWebScene();
    const [first, second] = [scene.access.createToken(owner), scene.access.createToken(owner)];
    await scene.clock.advance(10 * minute);
    expect((await scene.post("/api/enter", { token: first.token })).status).toBe(200);
    await scene.clock.advance(1);
    expect((await scene.post("/api/enter", { token: second.token })).status).toBe(401);
  });

  test("that expired, was used or never existed is refused where the browser is signed in, too", async () => {
    const scene = await openWebScene();
    const headers = { cookie: await scene.cookieFor(owner), origin: scene.url };
    const enter = async (token: string) => (await scene.post("/api/enter", { token }, headers)).status;
    const anna = { person: "anna", role: "guest" as const };
    const [used, late, guests] = [owner, owner, anna].map((viewer) => scene.access.createToken(viewer).token);
    expect(await enter(used ?? "")).toBe(200);
    await scene.clock.advance(10 * minute + 1);
    for (const token of [used, late, guests, "never-existed"]) expect(await enter(token ?? "")).toBe(401);
  });

  test.each([{ token: "" }, { token: 5 }, {}, [], "{", "null"])("is not %j", async (body) => {
    const scene = await openWebScene();
    expect((await scene.post("/api/enter", body)).status).toBe(401);
  });

  test("is taken even while others guess", async () => {
    const scene = await openWebScene();
    const { token } = scene.access.createToken({ person: "anna", role: "guest" });
    for (let guess = 0; guess < 20; guess++) await scene.post("/api/enter", { token: `${guess}` });
    const response = await scene.post("/api/enter", { token });
    expect(await response.json()).toEqual({ viewer: { person: "anna", role: "guest" } });
  });
});

describe("the key of the API", () => {
  test("lets the owner in from elsewhere; guesses are counted", async () => {
    const scene = await openWebScene({ apiKey: "a-key" });
    expect((await scene.post("/api/enter", { token: "a-key" })).status).toBe(200);
    const guesses = await Promise.all(
      Array.from({ length: 12 }, (_, guess) => scene.post("/api/enter", { token: `guess-${guess}` })),
    );
    expect(guesses.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), 429, 429]);
    expect((await scene.post("/api/enter", { token: "a-key" })).status).toBe(429);
    await scene.clock.advance(minute);
    expect((await scene.post("/api/enter", { token: "a-key" })).status).toBe(200);
  });

  test("lets nobody in where there is none", async () => {
    const scene = await openWebScene({ apiKey: "" });
    expect((await scene.post("/api/enter", { token: "" })).status).toBe(401);
  });
});

describe("a cookie", () => {
  test("is good after a restart, and the file that remembers it admits nobody", async () => {
    const before = await openWebScene();
    const cookie = await before.cookieFor(owner);
    const secret = cookie.split("=")[1] ?? "";
    await before.close();
    const scene = await openWebScene({ folder: before.folder });
    expect((await me(scene, { cookie: `nanobot-${scene.port}=${secret}` })).status).toBe(200);
    const path = join(scene.folder, "web-sessions.json");
    const text = await readFile(path, "utf8");
    expect(text).not.toContain(secret);
    const [{ hash }] = JSON.parse(text).sessions;
    expect((await me(scene, { cookie: `nanobot-${scene.port}=${hash}` })).status).toBe(401);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test("is good while it is used, and thirty days beyond", async () => {
    const scene = await openWebScene();
    const cookie = await scene.cookieFor(owner);
    for (let visit = 0; visit < 5; visit++) {
      await scene.clock.advance(29 * day);
      expect((await me(scene, { cookie })).status).toBe(200);
    }
    await scene.clock.advance(30 * day + 1);
    expect((await me(scene, { cookie })).status).toBe(401);
  });

  test("is one of a hundred at most: the one that was unused for longest makes room", async () => {
    const scene = await openWebScene();
    const first = await scene.cookieFor(owner);
    await scene.clock.advance(1);
    const second = await scene.cookieFor(owner);
    await scene.clock.advance(1);
    for (let more = 0; more < 99; more++) await scene.cookieFor(owner);
    expect((await me(scene, { cookie: first })).status).toBe(401);
    expect((await me(scene, { cookie: second })).status).toBe(200);
  });

  test("is found among others, and is not that of a gateway on another port", async () => {
    const scene = await openWebScene();
    const cookie = await scene.cookieFor(owner);
    const secret = cookie.split("=")[1];
    expect((await me(scene, { cookie: `a=b; ${cookie}; c=d` })).status).toBe(200);
    expect((await me(scene, { cookie: `nanobot-1=${secret}` })).status).toBe(401);
    expect((await me(scene, { cookie: `nanobot-${scene.port}=` })).status).toBe(401);
    expect((await me(scene, {})).status).toBe(401);
  });

  test("of another page on this machine is not taken", async () => {
    const scene = await openWebScene();
    const cookie = await scene.cookieFor(owner);
    expect((await me(scene, { cookie, "sec-fetch-site": "same-origin" })).status).toBe(200);
    expect((await me(scene, { cookie, "sec-fetch-site": "same-site" })).status).toBe(401);
    expect((await me(scene, { cookie, origin: "http://127.0.0.1:3000" })).status).toBe(403);
  });

  test("ends when one leaves, and with it the socket", async () => {
    const scene = await openWebScene();
    const cookie = await scene.cookieFor(owner);
    const headers = { cookie, origin: scene.url };
    const [mine, other] = [
      await connect(scene, headers),
      await connect(scene, { cookie: await scene.cookieFor(owner), origin: scene.url }),
    ];
    for (const wire of [mine, other]) {
      wire.send(hello);
      await wire.waitFor(({ type }) => type === "welcome");
    }
    // Without a page that is named nothing happens.
    await scene.post("/api/leave", {}, { cookie });
    expect((await me(scene, { cookie })).status).toBe(200);
    const response = await scene.post("/api/leave", {}, headers);
    expect(response.headers.get("set-cookie")).toContain("Max-Age=0");
    expect(await mine.ended).toBe(4401);
    expect((await me(scene, { cookie })).status).toBe(401);
    expect(other.socket.readyState).toBe(other.socket.OPEN);
  });

  test("ends with all others of its person, or with everyone's, and so do links that were not used", async () => {
    const scene = await openWebScene();
    const anna = { person: "anna", role: "guest" as const };
    const [mine, hers] = [await scene.cookieFor(owner), await scene.cookieFor(anna)];
    const open = await connect(scene, { cookie: hers, origin: scene.url });
    open.send(hello);
    await open.waitFor(({ type }) => type === "welcome");
    const link = scene.access.createToken(anna);
    expect(await scene.access.signOut("anna")).toBe(1);
    expect(await open.ended).toBe(4401);
    expect((await scene.post("/api/enter", { token: link.token })).status).toBe(401);
    expect((await me(scene, { cookie: hers })).status).toBe(401);
    expect((await me(scene, { cookie: mine })).status).toBe(200);
    const program = await connect(scene, { authorization: `Bearer ${controlToken}` });
    program.send(hello);
    await program.waitFor(({ type }) => type === "welcome");
    expect(await scene.access.signOut()).toBe(1);
    expect((await me(scene, { cookie: mine })).status).toBe(401);
    expect(program.socket.readyState).toBe(program.socket.OPEN);
  });

  test("goes only over TLS where the page came over it", async () => {
    const scene = await openWebScene({ publicUrl: "https://bot.example.com" });
    const enter = async (origin: string) => {
      const { token } = scene.access.createToken(owner);
      const response = await scene.post("/api/enter", { token }, { origin });
      return response.headers.get("set-cookie")?.endsWith("; Secure");
    };
    expect(await enter("https://bot.example.com")).toBe(true);
    expect(await enter(scene.url)).toBe(false);
  });

  test("goes on where the file was damaged and its last good copy was not", async () => {
    const before = await openWebScene();
    const secret = (await before.cookieFor(owner)).split("=")[1];
    await before.close();
    await writeFile(join(before.folder, "web-sessions.json"), "\0\0\0");
    const scene = await openWebScene({ folder: before.folder });
    expect((await me(scene, { cookie: `nanobot-${scene.port}=${secret}` })).status).toBe(200);
  });

  test.each(["", "{", "[]", '{"sessions":[{"hash":5}]}', "{}"])(
    "is not known where the file was damaged (%j), and a new link helps",
    async (text) => {
      const before = await openWebScene();
      const secret = (await before.cookieFor(owner)).split("=")[1];
      await before.close();
      for (const name of ["web-sessions.json", "web-sessions.json.last-good"])
        await writeFile(join(before.folder, name), text);
      const scene = await openWebScene({ folder: before.folder });
      expect((await me(scene, { cookie: `nanobot-${scene.port}=${secret}` })).status).toBe(401);
      const { token } = scene.access.createToken(owner);
      expect((await scene.post("/api/enter", { token })).status).toBe(200);
    },
  );
});

test("another command of the home shows the gateway's token and is the owner", async () => {
  const scene = await openWebScene();
  const bearer = (token: string) => me(scene, { authorization: `Bearer ${token}` });
  expect(await (await bearer(controlToken)).json()).toEqual({ viewer: owner });
  expect((await bearer("d".repeat(64))).status).toBe(401);
});

test("a clock that was set back keeps no new browser out, although a hundred are known", async () => {
  const path = join(await createTemporaryFolder(), "web-sessions.json");
  let now = 400 * day;
  const sessions = new WebSessions(path, { now: () => now });
  for (let known = 0; known < 100; known++) await sessions.start(owner);
  now -= 365 * day;
  expect(await sessions.find(await sessions.start(owner))).toEqual(owner);
});
