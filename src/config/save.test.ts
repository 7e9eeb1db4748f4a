import { writeFileSync } from "node:fs";
import { readdir, readFile, readlink, stat, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  asLoaded,
  type ConfigHome,
  createConfigHome,
  createOwnHome,
} from "../../test/support/config-home.ts";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { cases } from "../../test/support/long-form.ts";
import { type ConfigEdit, type ConfigPatch, saveConfig } from "./save.ts";

function save(home: ConfigHome, change: ConfigPatch | ConfigEdit, env: NodeJS.ProcessEnv = {}) {
  return saveConfig({ home: home.paths, env, clock: createFakeClock(), change });
}

describe("saving", () => {
  test("writes camelCase with two blanks, keeps text as it is, and is private", async () => {
    const home = await createOwnHome({
      agents: { defaults: { bot_name: "小猫" } },
      providers: { my_host: { api_key: "k" } },
    });
    expect(await save(home, { api: { port: 1 } })).toEqual({ ok: true });
    expect(await home.readConfig()).toBe(`{
  "agents": {
    "defaults": {
      "botName": "小猫"
    }
  },
  "providers": {
    "my_host": {
      "apiKey": "k"
    }
  },
  "api": {
    "port": 1
  }
}
`);
    expect((await stat(home.paths.config)).mode & 0o777).toBe(0o600);
  });

  test("refuses a number out of range, and leaves one alone that was there before", async () => {
    const home = await createOwnHome({ agents: { defaults: { maxTokens: 0 } } });
    expect(await save(home, { api: { port: -1 } })).toMatchObject({ ok: false });
    expect(await save(home, { api: { port: 1 } })).toEqual({ ok: true });
    expect(JSON.parse(await home.readConfig())).toMatchObject({
      agents: { defaults: { maxTokens: 0 } },
      api: { port: 1 },
    });
  });

  test("makes a first file, and the home for it", async () => {
    const home = await createConfigHome();
    const paths = { ...home.paths, config: join(home.paths.home, "new", "config.json") };
    expect(
      await saveConfig({ home: paths, env: {}, clock: createFakeClock(), change: { api: { port: 1 } } }),
    ).toEqual({ ok: true });
    expect(JSON.parse(await readFile(paths.config, "utf8"))).toEqual({ api: { port: 1 } });
    expect((await stat(dirname(paths.config))).mode & 0o777).toBe(0o700);
  });

  test("keeps unknown keys, empty values and references to variables as they were written", async () => {
    const key = "$" + "{MY_KEY}";
    const before = {
      mine: { snake_case: [null, { a_b: 1 }] },
      providers: { openai: { apiKey: key, apiBase: null } },
      channels: { telegram: { allow_from: ["1"] } },
    };
    const home = await createOwnHome(before);
    expect(await save(home, { api: { port: 1 } }, { MY_KEY: "canary" })).toEqual({ ok: true });
    expect(JSON.parse(await home.readConfig())).toEqual({ ...before, api: { port: 1 } });
  });

  test("merges sections, replaces lists, and removes what is null", async () => {
    const home = await createOwnHome({ tools: { exec: { allow: ["ls"], deny: ["rm"], timeout: 5 } } });
    await save(home, { tools: { exec: { allow: ["pwd"], deny: null } } });
    expect(JSON.parse(await home.readConfig())).toEqual({ tools: { exec: { allow: ["pwd"], timeout: 5 } } });
  });

  test("changes a host in place, however the file spells it", async () => {
    const home = await createOwnHome({ providers: { lmStudio: { apiBase: "http://127.0.0.1:1" } } });
    await save(home, { providers: { lm_studio: { apiKey: "k" }, openai: { apiKey: "o" } } });
    expect(JSON.parse(await home.readConfig()).providers).toEqual({
      lmStudio: { apiBase: "http://127.0.0.1:1", apiKey: "k" },
      openai: { apiKey: "o" },
    });
  });

  test("takes a function too", async () => {
    const home = await createOwnHome({ api: { port: 1 } });
    await save(home, (config) => ({ ...config, gateway: { port: 2 } }));
    expect(JSON.parse(await home.readConfig())).toEqual({ api: { port: 1 }, gateway: { port: 2 } });
  });

  test.each([
    ["broken JSON", "{"],
    ["a list", "[]"],
    ["bytes that are no text", Buffer.from([0xff, 0xfe])],
  ])("refuses to replace %s", async (_, content) => {
    const home = await createOwnHome(content);
    const result = await save(home, { api: { port: 1 } });
    expect(result).toMatchObject({ ok: false, problems: [{ path: "" }] });
    expect(await readFile(home.paths.config)).toEqual(Buffer.from(content));
  });

  test("refuses a value that could not be loaded, also one that was there before", async () => {
    const home = await createOwnHome({ api: { port: "many" } });
    expect(await save(home, { gateway: { port: 1 } })).toMatchObject({
      ok: false,
      problems: [{ path: "api.port" }],
    });
    expect(await save(home, { api: { port: -1 } })).toMatchObject({
      ok: false,
      problems: [{ path: "api.port" }],
    });
    expect(await save(home, { api: { port: 5 } })).toEqual({ ok: true });
  });

  test("a variable that is missing, or a wrong one for another key, is no reason to refuse", async () => {
    const home = await createOwnHome({ api: { port: "$" + "{NO_PORT}", apiKey: "$" + "{NO_KEY}" } });
    expect(await save(home, { gateway: { port: 1 } }, { NANOBOT_API__TIMEOUT: "soon" })).toEqual({
      ok: true,
    });
  });

  test("a folder that cannot be written is a problem, not an exception", async () => {
    const home = await createConfigHome(undefined, { file: "" });
    const paths = { ...home.paths, config: join(home.paths.home, "file", "config.json") };
    const result = await saveConfig({ home: paths, env: {}, clock: createFakeClock(), change: {} });
    expect(result).toMatchObject({
      ok: false,
      problems: [{ phrase: { code: expect.stringMatching(/^(file\.unreadable|config\.not-written)$/) } }],
    });
  });

  test("a config that is linked from elsewhere stays linked", async () => {
    const home = await createOwnHome(undefined, { "dotfiles/nanobot.json": '{"api":{"port":1}}' });
    const target = join(home.paths.home, "dotfiles", "nanobot.json");
    await symlink(target, home.paths.config);
    await save(home, { api: { port: 2 } });
    expect(await readlink(home.paths.config)).toBe(target);
    expect(JSON.parse(await readFile(target, "utf8"))).toEqual({ api: { port: 2 } });
  });

  test("saves at the same time lose nothing of one another", async () => {
    const home = await createOwnHome({});
    const names = Array.from({ length: 20 }, (_, index) => `host${index}`);
    await Promise.all(names.map((name) => save(home, { providers: { [name]: { apiKey: name } } })));
    expect(Object.keys(JSON.parse(await home.readConfig()).providers).sort()).toEqual(names.sort());
  });

  test("what another program writes meanwhile is merged", async () => {
    const home = await createOwnHome({ api: { port: 1 } });
    let isFirst = true;
    const result = await save(home, (config) => {
      if (isFirst) writeFileSync(home.paths.config, '{"api":{"port":7},"theirs":1}');
      isFirst = false;
      return { ...config, gateway: { port: 2 } };
    });
    expect(result).toEqual({ ok: true });
    expect(JSON.parse(await home.readConfig())).toEqual({
      api: { port: 7 },
      theirs: 1,
      gateway: { port: 2 },
    });
  });

  test("a change that throws does not stop the next one", async () => {
    const home = await createOwnHome({});
    const failing = save(home, () => {
      throw new Error("from the caller");
    });
    await expect(failing).rejects.toThrow("from the caller");
    expect(await save(home, { api: { port: 1 } })).toEqual({ ok: true });
  });
});

describe("the first save of a file that another program wrote", () => {
  test("keeps a copy of it, and only then", async () => {
    const home = await createConfigHome('{"api": {"port": 1}}');
    await save(home, { api: { port: 2 } });
    await save(home, { api: { port: 3 } });
    const folders = await readdir(home.paths.backup);
    expect(folders).toEqual(["2026-08-01-100000"]);
    const copy = join(home.paths.backup, "2026-08-01-100000", "config.json");
    expect(await readFile(copy, "utf8")).toBe('{"api": {"port": 1}}');
    expect((await stat(copy)).mode & 0o777).toBe(0o600);
  });

  test("does not turn the Python original's open defaults into settings", async () => {
    const home = await createConfigHome({
      tools: { restrictToWorkspace: false, exec: { sandbox: "", timeout: 5 } },
    });
    await save(home, { api: { port: 2 } });
    expect(JSON.parse(await home.readConfig()).tools).toEqual({ exec: { timeout: 5 } });
    const { config } = asLoaded(await home.load());
    expect(config.tools.restrictToWorkspace).toBe(true);
  });

  test("what is saved on purpose holds", async () => {
    const home = await createConfigHome({ tools: { restrictToWorkspace: false } });
    await save(home, { tools: { restrictToWorkspace: false } });
    expect(asLoaded(await home.load()).config.tools.restrictToWorkspace).toBe(false);
  });

  test("a copy that cannot be made stops the save", async () => {
    const home = await createConfigHome({ api: { port: 1 } }, { backup: "a file in its way" });
    expect(await save(home, { api: { port: 2 } })).toMatchObject({
      ok: false,
      problems: [{ phrase: { code: "config.not-written" } }],
    });
    expect(await home.readConfig()).toBe('{"api":{"port":1}}');
  });
});

describe("saving anything", () => {
  const keys = fc.string({ minLength: 1, maxLength: 12 }).filter((key) => key !== "__proto__");
  const unknown = fc.dictionary(
    keys.map((key) => `x-${key}`),
    fc.jsonValue({ maxDepth: 3 }),
    { maxKeys: 5 },
  );

  test("keeps every unknown key, and a second save without a change changes nothing", async () => {
    await fc.assert(
      fc.asyncProperty(unknown, unknown, async (top, inner) => {
        const before = { ...top, api: { ...inner, port: 1 } };
        const home = await createOwnHome(before);
        expect(await save(home, {})).toEqual({ ok: true });
        const once = await home.readConfig();
        expect(JSON.parse(once)).toEqual(JSON.parse(JSON.stringify(before)));
        expect(await save(home, {})).toEqual({ ok: true });
        expect(await home.readConfig()).toBe(once);
      }),
      { numRuns: cases(60) },
    );
  });
});
