import { homedir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createChildEnvironment } from "./child-environment.ts";

it("hands on what programs need and nothing secret", () => {
  const from = {
    HOME: "/home/a",
    LANG: "zh_CN.UTF-8",
    USER: "a",
    PATH: "/usr/bin",
    OPENAI_API_KEY: "sk-secret",
    NANOBOT_HOME: "/x",
    AWS_SECRET_ACCESS_KEY: "y",
    npm_config_registry: "z",
    NODE_OPTIONS: "--require evil",
    BASH_ENV: "/evil",
    LD_PRELOAD: "/evil.so",
  };
  expect(createChildEnvironment({ from })).toEqual({
    HOME: "/home/a",
    LANG: "zh_CN.UTF-8",
    USER: "a",
    PATH: "/usr/bin",
    TERM: "dumb",
    PYTHONUNBUFFERED: "1",
  });
});

it("hands on what the user named", () => {
  const { GH_TOKEN, MISSING } = createChildEnvironment({
    from: { GH_TOKEN: "t" },
    allowedKeys: ["GH_TOKEN", "MISSING"],
  });
  expect(GH_TOKEN).toBe("t");
  expect(MISSING).toBeUndefined();
});

it("has the PATH from before npm, without relative folders and with the user's own", () => {
  const from = {
    PATH: [
      "/app/node_modules/.bin",
      "/node_modules/.bin",
      "/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin",
      "/usr/bin",
      "",
      ".",
      "bin",
      "/bin",
    ].join(":"),
  };
  const { PATH } = createChildEnvironment({
    from,
    pathPrepend: "~/tools:/opt/first",
    pathAppend: "/opt/last:/bin",
  });
  expect(PATH).toBe(`${join(homedir(), "tools")}:/opt/first:/usr/bin:/bin:/opt/last`);
});

it("falls back to the usual folders when nothing usable is left", () => {
  const { PATH } = createChildEnvironment({ from: { PATH: "/app/node_modules/.bin" } });
  expect(PATH?.split(":")).toContain("/usr/bin");
});
