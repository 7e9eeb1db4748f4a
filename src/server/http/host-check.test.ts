import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isToken, readBearer } from "../../lib/network/token.ts";
import { createVisitorCheck, isLocalAddress, type VisitorRules } from "./host-check.ts";

const local: VisitorRules = { host: "127.0.0.1" };
const behindProxy: VisitorRules = { host: "127.0.0.1", publicUrl: "https://bot.example.com" };
const everywhere: VisitorRules = { host: "0.0.0.0" };
const inNetwork: VisitorRules = { host: "192.168.1.5" };

function isAnswered(rules: VisitorRules, headers: Record<string, string>): boolean {
  return createVisitorCheck(rules)((name) => headers[name]) === undefined;
}

describe("by the name that a request asks for", () => {
  test.each<[string, VisitorRules, string, boolean]>([
    ["loopback by address", local, "127.0.0.1:18790", true],
    ["loopback by name", local, "localhost:18790", true],
    ["loopback in capitals, with the root's dot", local, "LOCALHOST.:18790", true],
    ["loopback of IPv6", local, "[::1]:18790", true],
    ["a name that leads to us for the moment", local, "evil.example:18790", false],
    ["a name that only looks like ours", local, "localhost.evil.example", false],
    ["no name", local, "", false],
    ["no name at all, but a port", local, ":18790", false],
    ["two names", local, "localhost, evil.example", false],
    ["an address of the network, where nobody listens", local, "192.168.1.5:18790", false],
    ["the public name", behindProxy, "bot.example.com", true],
    ["another name than the public one", behindProxy, "evil.example.com", false],
    ["the address of the network where we listen", inNetwork, "192.168.1.5:18790", true],
    ["another address of the network", inNetwork, "192.168.1.6:18790", false],
    ["any address where we listen everywhere", everywhere, "203.0.113.5:18790", true],
    ["any name, by a program, where we listen everywhere", everywhere, "nanobot:18790", true],
  ])("%s", (_name, rules, host, isExpected) => {
    expect(isAnswered(rules, { host })).toBe(isExpected);
  });

  test("a browser is not led here by a name that anyone could have made", () => {
    const host = "evil.example:18790";
    expect(isAnswered(everywhere, { host, origin: "http://evil.example:18790" })).toBe(false);
    expect(isAnswered(everywhere, { host, "sec-fetch-site": "same-origin" })).toBe(false);
    const named = { ...everywhere, publicUrl: "http://nas.local:18790" };
    expect(isAnswered(named, { host: "nas.local:18790", "sec-fetch-site": "none" })).toBe(true);
  });
});

describe("by the page that a request comes from", () => {
  const host = "127.0.0.1:18790";

  test("another site's page, although it names no origin, unless a person follows its link", () => {
    const site = { host, "sec-fetch-site": "cross-site" };
    expect(isAnswered(local, site)).toBe(false);
    expect(isAnswered(local, { ...site, "sec-fetch-mode": "cors" })).toBe(false);
    expect(isAnswered(local, { ...site, "sec-fetch-mode": "navigate" })).toBe(true);
  });

  test.each<[string, VisitorRules, string, boolean]>([
    ["our own page", local, "http://127.0.0.1:18790", true],
    ["another port of this machine", local, "http://127.0.0.1:3000", false],
    ["another site", local, "https://evil.example", false],
    ["a page without an address", local, "null", false],
    ["an extension", local, "chrome-extension://abcdefgh", false],
    ["nonsense", local, "://", false],
    ["the public page", behindProxy, "https://bot.example.com", true],
    ["the public name without encryption", behindProxy, "http://bot.example.com", false],
  ])("%s", (_name, rules, origin, isExpected) => {
    expect(isAnswered(rules, { host, origin })).toBe(isExpected);
  });

  test("no other page is let in, however its address is written", () => {
    const address = fc.oneof(
      fc.webUrl(),
      fc.string(),
      fc.domain().map((name) => `http://${name}:18790`),
    );
    fc.assert(
      fc.property(address, (origin) => {
        const isOurs = URL.canParse(origin) && new URL(origin).host === host;
        expect(isAnswered(local, { host, origin })).toBe(isOurs);
      }),
    );
  });
});

test("only loopback is local; everywhere is not", () => {
  const addresses = [
    "127.0.0.1",
    "::1",
    "localhost",
    "127.9.9.9",
    "0.0.0.0",
    "::",
    "192.168.1.5",
    "nas.local",
  ];
  expect(addresses.filter(isLocalAddress)).toEqual(["127.0.0.1", "::1", "localhost", "127.9.9.9"]);
});

describe("a token", () => {
  test("is the right one or not, whatever its length", () => {
    expect(isToken("secret", "secret")).toBe(true);
    for (const given of ["secre", "secrets", "", undefined, "SECRET"])
      expect(isToken(given, "secret")).toBe(false);
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => isToken(a, b) === (a === b && b !== "")));
  });

  test("that is empty admits nobody", () => {
    expect(isToken("", "")).toBe(false);
    expect(isToken(undefined, "")).toBe(false);
  });

  test("is behind the word Bearer", () => {
    expect(readBearer("Bearer abc")).toBe("abc");
    expect(readBearer("bearer  abc ")).toBe("abc");
    for (const header of ["abc", "Basic abc", "Bearer", "Bearer a b", "", undefined])
      expect(readBearer(header)).toBeUndefined();
  });
});
