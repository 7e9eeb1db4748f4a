// `nanobot web token`, as it is typed, with and without a gateway.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { anything, like, words } from "../../../test/support/english.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { closeTestGateways, createTestGateway } from "../../../test/support/test-gateway.ts";
import { typeHere } from "../../../test/support/type-here.ts";

afterEach(closeTestGateways);

const { token: said } = words.web;

function typeIn(home: string) {
  const env = { HOME: home, NANOBOT_HOME: home, LANG: "en_US.UTF-8" };
  return (...argv: string[]) => typeHere(["web", "token", ...argv], env);
}

test("a token is made, listed and removed through the gateway that runs", async () => {
  const gateway = await createTestGateway([]);
  const type = typeIn(gateway.home);
  const added = await type("add", "calendar", "jobs.list", "ping");
  const [, token = ""] = like(said.added("calendar", anything)).exec(added.stdout) ?? [];
  expect(added.stdout).toContain(said.mayCall("jobs.list, ping"));
  const ping = async () => (await gateway.post("/api/ping", {}, { authorization: `Bearer ${token}` })).status;
  expect(await ping()).toBe(200);
  const listed = await type("list");
  expect(listed.stdout).toMatch(like(said.row("calendar", "jobs.list, ping", anything)));
  expect(listed.stdout).not.toContain(token);
  expect(await type("remove", "calendar")).toMatchObject({
    code: 0,
    stdout: `${said.removed("calendar")}\n`,
  });
  expect(await ping()).toBe(401);
  expect(await type()).toMatchObject({ code: 0, stdout: `${said.none}\n` });
});

test("without a gateway it is the same; what cannot be done ends with 1, and what is missing with 2", async () => {
  const home = join(await createTemporaryFolder(), "home");
  await mkdir(home);
  const type = typeIn(home);
  const { code, stdout } = await type("add", "calendar", "jobs.list", "--json");
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    { name: "calendar", operations: ["jobs.list"], token: expect.stringMatching(/^[\w-]{43}$/) },
  ]);
  const codes = [
    ["add", "calendar", "jobs.list"],
    ["add", "other", "jobs.nothing"],
    ["remove", "other"],
    ["add", "other"],
    ["remove"],
    ["nonsense"],
  ];
  const ended = [];
  for (const argv of codes) ended.push((await type(...argv)).code);
  expect(ended).toEqual([1, 1, 1, 2, 2, 2]);
  expect(JSON.parse((await type("list", "--json")).stdout)).toEqual([
    { name: "calendar", operations: ["jobs.list"], createdAt: expect.any(Number) },
  ]);
});
