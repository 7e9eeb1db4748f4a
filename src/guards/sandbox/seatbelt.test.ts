import { describe, expect, it } from "vitest";
import { createSeatbelt, toProfile } from "./seatbelt.ts";

const places = [
  { path: "/Users/me/ws", access: "write" as const, isFolder: true },
  { path: "/Users/me/ws/prompts", access: "read" as const, isFolder: true },
  { path: "/Users/me/ws/.ssh", access: "none" as const, isFolder: true },
  { path: '/Users/me/a "quoted" \\ name', access: "read" as const, isFolder: false },
];

describe("the profile for macOS", () => {
  it("denies what it does not allow, and hides the folders of people", () => {
    const lines = toProfile([], false).split("\n");
    expect(lines.slice(0, 2)).toEqual(["(version 1)", "(deny default)"]);
    const hidden = lines.findIndex((line) => line.startsWith("(deny file-read*"));
    expect(lines[hidden]).toContain('(subpath "/Users")');
    expect(lines[hidden]).toContain('(subpath "/Library/Keychains")');
    expect(hidden).toBeGreaterThan(lines.indexOf("(allow file-read*)"));
  });

  it("gives each place its access, the particular after the general", () => {
    const lines = toProfile(places, false).split("\n");
    const [workspace = -1, prompts = -1, keys = -1] = places.map(({ path }) =>
      lines.findIndex((line) => line.includes(`"${path}"`)),
    );
    expect(lines[workspace]).toBe(
      '(allow file-read* (subpath "/Users/me/ws")) (allow file-write* (subpath "/Users/me/ws"))',
    );
    expect(lines[prompts]).toBe(
      '(allow file-read* (subpath "/Users/me/ws/prompts")) (deny file-write* (subpath "/Users/me/ws/prompts"))',
    );
    expect(lines[keys]).toBe('(deny file-read* file-write* (subpath "/Users/me/ws/.ssh"))');
    expect([workspace, prompts, keys]).toEqual([workspace, prompts, keys].toSorted((a, b) => a - b));
  });

  it("lets no name out of its quotes", () => {
    expect(toProfile(places, false)).toContain('(literal "/Users/me/a \\"quoted\\" \\\\ name")');
  });

  it("has a network only when it was granted", () => {
    expect(toProfile(places, false)).toContain("(deny network*)");
    expect(toProfile(places, false)).not.toContain("dnssd");
    expect(toProfile(places, true)).toContain("(allow network* system-socket)");
  });

  it("has balanced brackets", () => {
    const profile = toProfile(places, true).replaceAll(/"(?:\\.|[^"\\])*"/g, "");
    expect(profile.split("(").length).toBe(profile.split(")").length);
  });

  it("starts the command in its folder, with a temporary folder of its own", () => {
    const launch = createSeatbelt("/private/tmp/x").wrap({
      words: ["/bin/bash", "-c", "ls"],
      folder: "/Users/me/ws/sub",
      places,
      userFolder: "/Users/me",
      network: "none",
    });
    expect(launch).toMatchObject({ file: "/usr/bin/sandbox-exec", cwd: "/Users/me/ws/sub" });
    expect(launch.env).toEqual({ TMPDIR: "/private/tmp/x" });
    expect(launch.args[0]).toBe("-p");
    expect(launch.args[1]).toContain('(allow file-write* (subpath "/private/tmp/x"))');
    expect(launch.args.slice(2)).toEqual(["/bin/bash", "-c", "ls"]);
  });
});
