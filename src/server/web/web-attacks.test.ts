// Attacks on the web server: by pages in a signed-in browser, by links, and by clients that keep it busy.
import { describe, expect, test } from "vitest";
import { eventually } from "../../../test/support/eventually.ts";
import {
  connect,
  hello,
  openPage,
  openWebScene,
  owner,
  type WebScene,
} from "../../../test/support/web-scene.ts";
import type { Viewer } from "../protocol.ts";

const anna: Viewer = { person: "anna", role: "guest" };

/** What a browser says of a page that is not ours. */
function foreignPages({ port }: WebScene): Array<Record<string, string>> {
  const origins = [
    "null",
    "https://evil.example",
    `https://evil.example:${port}`,
    "http://127.0.0.1",
    `http://127.0.0.1:${port + 1}`,
    `http://localhost:${port}`,
    `http://127.0.0.1.evil.example:${port}`,
    `http://127.0.0.1:${port}.evil.example`,
    `http://evil.example/http://127.0.0.1:${port}`,
    "chrome-extension://abcdefghijklmnop",
    "moz-extension://127.0.0.1",
    "file://",
  ];
  const named = origins.map((origin) => ({ origin, "sec-fetch-site": "cross-site" }));
  const rebound = ["evil.example", `evil.example:${port}`, "127.0.0.1.nip.io", "localhost.evil.example"];
  return [...named, ...rebound.map((host) => ({ host, origin: `http://${host}` }))];
}

describe("a foreign page", () => {
  test("reaches neither the sign-in nor the socket with the cookie of the owner", async () => {
    const scene = await openWebScene();
    const cookie = await scene.cookieFor(owner);
    const { token } = scene.access.createToken(owner);
    for (const page of foreignPages(scene)) {
      for (const path of ["/api/enter", "/api/leave"]) {
        const refused = await scene.post(path, { token }, { cookie, ...page });
        // What decides the name is the address itself: fetch does not let it be changed.
        if (page.host === undefined) expect([page, refused.status]).toEqual([page, 403]);
        if (page.host === undefined) expect(refused.headers.get("set-cookie")).toBeNull();
      }
      expect([page, await (await connect(scene, { cookie, ...page })).ended]).toEqual([page, 403]);
    }
    expect((await scene.post("/api/enter", { token }, { origin: scene.url })).status).toBe(200);
    expect((await openPage(scene)).socket.readyState).toBe(1);
  });

  test("on another port of this machine has the cookie sent along, and is not answered", async () => {
    const scene = await openWebScene();
    const cookie = await scene.cookieFor(owner);
    for (const site of ["same-site", "cross-site", "SAME-ORIGIN", "same-origin, none"]) {
      const headers = { cookie, "sec-fetch-site": site };
      // Another site is refused before anyone looks at the cookie.
      const refused = site === "cross-site" ? 403 : 401;
      expect((await fetch(`${scene.url}/api/me`, { headers })).status).toBe(refused);
    }
    expect(await (await connect(scene, { cookie, "sec-fetch-site": "same-site" })).ended).toBe(4401);
  });

  test("is not told by a look at names which links an answer has", async () => {
    const scene = await openWebScene();
    const { headers } = await fetch(`${scene.url}/api/me`);
    expect(headers.get("x-dns-prefetch-control")).toBe("off");
  });
});

describe("a link", () => {
  test("of a guest does not sign in a browser that is signed in already", async () => {
    const scene = await openWebScene();
    const { token } = scene.access.createToken(anna);
    for (const viewer of [owner, { person: "bob", role: "guest" as const }]) {
      const headers = { cookie: await scene.cookieFor(viewer), origin: scene.url };
      const response = await scene.post("/api/enter", { token }, headers);
      expect([response.status, response.headers.get("set-cookie")]).toEqual([409, null]);
      expect(await (await fetch(`${scene.url}/api/me`, { headers })).json()).toEqual({ viewer });
    }
    const response = await scene.post("/api/enter", { token }, { origin: scene.url });
    expect(await response.json()).toEqual({ viewer: anna });
  });

  test("of the owner works for anyone who has it, also where a guest is signed in", async () => {
    const scene = await openWebScene();
    const { token } = scene.access.createToken(owner);
    const headers = { cookie: await scene.cookieFor(anna), origin: scene.url };
    expect(await (await scene.post("/api/enter", { token }, headers)).json()).toEqual({ viewer: owner });
  });

  test("lets one in of many who come with it at once", async () => {
    const scene = await openWebScene();
    const { token } = scene.access.createToken(owner);
    const tried = Array.from({ length: 20 }, () => scene.post("/api/enter", { token }));
    const states = (await Promise.all(tried)).map(({ status }) => status);
    expect(states.filter((status) => status === 200)).toHaveLength(1);
  });

  test("is no longer good when the clock was set back, and neither is a guess held against anyone for years", async () => {
    const scene = await openWebScene({ apiKey: "a-key-of-the-owner" });
    const { token } = scene.access.createToken(owner);
    for (let guess = 0; guess < 10; guess++) await scene.post("/api/enter", { token: `${guess}` });
    await scene.clock.advance(-3_600_000);
    expect((await scene.post("/api/enter", { token })).status).toBe(401);
    expect((await scene.post("/api/enter", { token: "a-key-of-the-owner" })).status).toBe(200);
  });
});

test("a cookie that was used while the clock ran ahead ends thirty days later all the same", async () => {
  const scene = await openWebScene();
  const day = 86_400_000;
  await scene.clock.advance(1_000 * day);
  const cookie = await scene.cookieFor(owner);
  await scene.clock.advance(-1_000 * day);
  const status = async () => (await fetch(`${scene.url}/api/me`, { headers: { cookie } })).status;
  expect(await status()).toBe(200);
  await scene.clock.advance(31 * day);
  expect(await status()).toBe(401);
});

test("a cookie that another server of this machine was sent is not good from elsewhere", async () => {
  const scene = await openWebScene({ publicUrl: "https://bot.example.com" });
  const { token } = scene.access.createToken(owner);
  const answer = await scene.post("/api/enter", { token }, { origin: scene.url });
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  const open = async (host: string, origin: string) => {
    const wire = await connect(scene, { cookie, host, origin });
    wire.send(hello);
    return Promise.race([wire.waitFor(({ type }) => type === "welcome").then(() => "welcome"), wire.ended]);
  };
  expect(await open("bot.example.com", "https://bot.example.com")).toBe(4401);
  expect(await open(`127.0.0.1:${scene.port}`, scene.url)).toBe("welcome");
});

test("nobody who is signed out at the moment of connecting stays in", async () => {
  const scene = await openWebScene();
  const cookie = await scene.cookieFor(anna);
  // So old that it is written again, which takes a moment.
  await scene.clock.advance(7_200_000);
  const wires = Array.from({ length: 10 }, () => connect(scene, { cookie, origin: scene.url }));
  await scene.access.signOut("anna");
  for (const wire of wires) expect(await (await wire).ended).toBe(4401);
});

describe("a guest who keeps the server busy", () => {
  test("leaves room for the others", async () => {
    const scene = await openWebScene({ limits: { connectionsOfGuest: 2 } });
    await openPage(scene, anna);
    await openPage(scene, anna);
    const third = await connect(scene, { cookie: await scene.cookieFor(anna), origin: scene.url });
    expect(await third.ended).toBe(1013);
    await openPage(scene, { person: "bob", role: "guest" });
    for (let page = 0; page < 5; page++) await openPage(scene);
  });

  test("and takes no answer is not waited for", async () => {
    let asked = 0;
    const run = async () => {
      asked += 1;
      return "x".repeat(600_000);
    };
    const operations = { big: { access: "admitted", run } } as const;
    const scene = await openWebScene({ operations });
    const { socket } = await openPage(scene, anna);
    socket.pause();
    for (let index = 0; index < 45; index++)
      socket.send(JSON.stringify({ type: "request", id: `r${index}`, method: "big", params: {} }));
    await eventually(() => asked).toBeGreaterThan(1);
    const isHeardLater = async () => {
      await scene.clock.advance(20_000);
      return scene.hub.isHeard;
    };
    await eventually(isHeardLater).toBe(false);
  });

  test("says nothing and is gone, by the hundred", async () => {
    const scene = await openWebScene({ limits: { connectionsOfGuest: 200 } });
    const cookie = await scene.cookieFor(anna);
    const mute = await Promise.all(
      Array.from({ length: 100 }, () => connect(scene, { cookie, origin: scene.url })),
    );
    await scene.clock.advance(10_000);
    for (const wire of mute) expect(await wire.ended).toBe(1008);
    const page = await openPage(scene);
    page.send(hello);
    expect(await page.ended).toBe(1008);
  });
});
