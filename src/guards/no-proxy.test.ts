import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLoopbackHost } from "../lib/network/ip-address.ts";
import { parseNoProxy } from "./proxy-fetch.ts";

describe("NO_PROXY", () => {
  it.each([
    ["example.com", "https://example.com/", true],
    ["example.com", "https://api.example.com/", true],
    [".example.com", "https://api.example.com/", true],
    ["*.example.com", "https://api.example.com/", true],
    ["example.com", "https://notexample.com/", false],
    ["example.com", "https://example.com.evil.net/", false],
    ["EXAMPLE.com", "https://Example.COM./", true],
    ["a.test, b.test", "http://b.test/", true],
    ["a.test b.test", "http://b.test/", true],
    ["example.com:8080", "http://example.com:8080/", true],
    ["example.com:8080", "http://example.com/", false],
    ["example.com:443", "https://example.com/", true],
    ["example.com:80", "http://example.com/", true],
    ["*", "https://anything.at.all/", true],
    ["10.0.0.0/8", "http://10.200.3.4/", true],
    ["10.0.0.0/8", "http://11.0.0.1/", false],
    ["192.168.1.5", "http://192.168.1.5:99/", true],
    ["192.168.*", "http://192.168.7.7/", true],
    ["192.168.*", "http://193.168.7.7/", false],
    ["fd00::/8", "http://[fd12::1]/", true],
    ["[fd12::1]:8080", "http://[fd12:0:0::1]:8080/", true],
    ["fd12::1", "http://[fd12::2]/", false],
    ["10.0.0.0/8", "http://ten.test/", false],
    ["例子.中国", "https://api.例子.中国/", true],
    ["", "https://example.com/", false],
    [",, ,", "https://example.com/", false],
    ["10.0.0.0/99,10.0.0.0/,http://x", "http://10.0.0.1/", false],
  ])("with %j takes %s out: %s", (value, url, expected) => {
    expect(parseNoProxy(value)(new URL(url))).toBe(expected);
  });

  const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
  const domain = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join("."));
  const port = fc.integer({ min: 1, max: 65_535 });

  it("covers a name and all below it, on its port if it has one", () => {
    fc.assert(
      fc.property(domain, label, port, fc.constantFrom("", ".", "*."), (name, below, number, prefix) => {
        const bare = parseNoProxy(`other.invalid,${prefix}${name}`);
        expect(bare(new URL(`http://${name}:${number}/`))).toBe(true);
        expect(bare(new URL(`https://${below}.${name}/`))).toBe(true);
        expect(bare(new URL(`https://${below}${name}/`))).toBe(false);
        const withPort = parseNoProxy(`${prefix}${name}:${number}`);
        expect(withPort(new URL(`http://${name}:${number}/`))).toBe(true);
        expect(withPort(new URL(`http://${name}:${number === 1 ? 2 : number - 1}/`))).toBe(false);
      }),
    );
  });

  it("covers exactly the addresses of a range", () => {
    fc.assert(
      fc.property(fc.nat(0xffffffff), fc.nat(0xffffffff), fc.integer({ min: 0, max: 32 }), (a, b, length) => {
        const isInside = length === 0 || a >>> (32 - length) === b >>> (32 - length);
        const noProxy = parseNoProxy(`${toAddress(a)}/${length}`);
        expect(noProxy(new URL(`http://${toAddress(b)}/`))).toBe(isInside);
      }),
    );
  });

  it("survives any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        const isExcepted = parseNoProxy(value)(new URL("https://model.test/"));
        if (!/[*mt]/i.test(value.normalize("NFKC"))) expect(isExcepted).toBe(false);
      }),
    );
  });
});

function toAddress(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join(".");
}

describe("loopback", () => {
  it.each(["localhost", "LOCALHOST.", "api.localhost", "127.0.0.1", "127.9.9.9", "[::1]", "0.0.0.0", "[::]"])(
    "is %s",
    (host) => expect(isLoopbackHost(host)).toBe(true),
  );

  it("is an IPv4 loopback address in IPv6 clothes", () => {
    expect(isLoopbackHost(new URL("http://[::ffff:127.0.0.1]/").hostname)).toBe(true);
  });

  it.each(["localhost.evil.test", "notlocalhost", "128.0.0.1", "127.0.0.1.evil.test", "[::2]", "10.0.0.1"])(
    "is not %s",
    (host) => expect(isLoopbackHost(host)).toBe(false),
  );
});
