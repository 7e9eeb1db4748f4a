import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { expandTilde, resolveHome } from "./home.ts";

describe("the home", () => {
  test("is .nanobot in the user's folder", () => {
    expect(resolveHome({ env: { HOME: "/home/me" } })).toMatchObject({
      home: join("/home/me", ".nanobot"),
      config: join("/home/me", ".nanobot", "config.json"),
      lastGood: join("/home/me", ".nanobot", "config.last-good.json"),
      workspace: join("/home/me", ".nanobot", "workspace"),
      sessions: join("/home/me", ".nanobot", "sessions"),
    });
    expect(resolveHome({ env: {} }).home).toBe(join(homedir(), ".nanobot"));
  });

  test("is what NANOBOT_HOME says", () => {
    expect(resolveHome({ env: { HOME: "/home/me", NANOBOT_HOME: "~/bot" } }).home).toBe(
      join("/home/me", "bot"),
    );
    expect(resolveHome({ env: { NANOBOT_HOME: "bot" } }).home).toBe(resolve("bot"));
    expect(resolveHome({ env: { HOME: "/home/me", NANOBOT_HOME: "" } }).home).toBe(
      join("/home/me", ".nanobot"),
    );
  });

  test("is the folder of the config that was named, above all", () => {
    const paths = resolveHome({ env: { NANOBOT_HOME: "/elsewhere" }, configPath: "/srv/work.json" });
    expect(paths).toMatchObject({
      home: "/srv",
      config: "/srv/work.json",
      lastGood: join("/srv", "work.last-good.json"),
      workspace: join("/srv", "workspace"),
    });
  });

  test("two configs in one folder share no copy and no mark", () => {
    const [a, b] = ["/srv/a.json", "/srv/b.json"].map((configPath) => resolveHome({ env: {}, configPath }));
    expect(a?.lastGood).not.toBe(b?.lastGood);
    expect(a?.movedIn).not.toBe(b?.movedIn);
  });

  test.each([
    ["~", "/home/me"],
    ["~/x", join("/home/me", "x")],
    ["~other/x", "~other/x"],
    ["/x/~", "/x/~"],
    ["x", "x"],
  ])("a tilde is expanded as the shell does: %s", (path, expected) => {
    expect(expandTilde(path, { HOME: "/home/me" })).toBe(expected);
  });
});
