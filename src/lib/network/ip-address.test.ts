import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressCorpus, answerCorpus } from "../../../test/fixtures/address-corpus.ts";
import { BlockedAddressError, createGuardedFetch, FetchError } from "./guarded-fetch.ts";
import { classifyAddress, createAddressSet, unwrapAddress } from "./ip-address.ts";

const classes = Object.entries(addressCorpus);
const forms = classes.flatMap(([name, { kind, urls }]) => urls.map((url) => ({ name, kind, url })));
const signal = new AbortController().signal;

/** Nothing leaves this machine: what is let through ends in the hand of a proxy that answers on its own. */
async function judge(url: string, kind: string): Promise<string> {
  const proxied = async () => new Response("");
  // Refused before it is known which way a request would go.
  const guardedFetch = createGuardedFetch(kind === "refused" ? {} : { proxyFor: () => proxied });
  return guardedFetch(url, { signal }).then(
    () => "public",
    (error: Error) => {
      if (!(error instanceof FetchError)) throw error;
      if (error.message.includes("could not be fetched")) return "sent";
      return /is not public \(([^)]+)\)/.exec(error.message)?.[1] ?? "refused";
    },
  );
}

describe("the corpus of addresses", () => {
  it("has at least 200 forms of at least 25 classes, no two of them the same", () => {
    expect(forms.length).toBeGreaterThanOrEqual(200);
    expect(classes.length).toBeGreaterThanOrEqual(25);
    expect(new Set(forms.map(({ url }) => url)).size).toBe(forms.length);
  });

  it.each(forms)("$name: $url is $kind", async ({ url, kind }) => {
    expect(await judge(url, kind)).toBe(kind);
  });

  it.each(Object.entries(answerCorpus))("the name %s is judged by what it resolves to", async (name, row) => {
    const resolve = async () =>
      row.answers.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    const guardedFetch = createGuardedFetch({ resolve });
    const outcome = guardedFetch(`http://${name}/`, { signal });
    await expect(outcome).rejects.toBeInstanceOf(BlockedAddressError);
    await expect(outcome).rejects.toThrow(`is not public (${row.kind})`);
  });
});

/** The ranges as plain numbers, written down a second time. */
const closed: Array<[from: number, bits: number]> = [
  [0x00000000, 8],
  [0x0a000000, 8],
  [0x64400000, 10],
  [0x7f000000, 8],
  [0xa83f8110, 32],
  [0xa9fe0000, 16],
  [0xac100000, 12],
  [0xc0000000, 24],
  [0xc0000200, 24],
  [0xc0586300, 24],
  [0xc0a80000, 16],
  [0xc6120000, 15],
  [0xc6336400, 24],
  [0xcb007100, 24],
  [0xe0000000, 3],
];

function isClosed(number: number): boolean {
  return closed.some(([from, bits]) => Math.floor(number / 2 ** (32 - bits)) === from / 2 ** (32 - bits));
}

function toDotted(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join(".");
}

/** Somewhere in the closed ranges, at their edges, or anywhere. */
const anyNumber = fc.oneof(
  fc.integer({ min: 0, max: 0xffffffff }),
  fc
    .tuple(fc.constantFrom(...closed), fc.integer({ min: -3, max: 3 }), fc.boolean())
    .map(([[from, bits], step, isEnd]) => from + (isEnd ? 2 ** (32 - bits) : 0) + step)
    .filter((number) => number >= 0 && number <= 0xffffffff),
);

const anyBase = fc.constantFrom(
  (part: number) => String(part),
  (part: number) => `0x${part.toString(16)}`,
  (part: number) => `0X${part.toString(16).toUpperCase()}`,
  (part: number) => `0${part.toString(8)}`,
  (part: number) => `000${part.toString(8)}`,
);

/** One to four parts, each in its own base, with or without the dot of the root. */
const anySpelling = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.array(anyBase, { minLength: 4, maxLength: 4 }), fc.boolean())
  .map(([count, bases, hasDot]) => (number: number) => {
    const parts = Array.from({ length: count - 1 }, (_, index) => (number >>> (24 - 8 * index)) & 255);
    parts.push(number % 2 ** (8 * (5 - count)));
    return parts.map((part, index) => bases[index]?.(part)).join(".") + (hasDot ? "." : "");
  });

/** Ways to carry an IPv4 address in an IPv6 one that mean the very same place. */
const anyWrapping = fc.constantFrom(
  (high: string, low: string) => `::ffff:${high}:${low}`,
  (high: string, low: string) => `0:0:0:0:0:FFFF:${high.toUpperCase()}:${low}`,
  (high: string, low: string) => `64:ff9b::${high}:${low}`,
  (high: string, low: string) => `0064:ff9b:0000:0:0:0:${high.padStart(4, "0")}:${low.padStart(4, "0")}`,
  (high: string, low: string) => `::ffff:${toDotted(Number.parseInt(high + low.padStart(4, "0"), 16))}`,
);

describe("any IPv4 address", () => {
  it("is public exactly outside of the closed ranges", () => {
    fc.assert(
      fc.property(anyNumber, (number) => {
        expect(classifyAddress(toDotted(number)) === "public").toBe(!isClosed(number));
      }),
    );
  });

  it("is judged alike in every spelling that a URL may have", () => {
    fc.assert(
      fc.property(anyNumber, anySpelling, (number, spell) => {
        expect(new URL(`http://${spell(number)}/`).hostname).toBe(toDotted(number));
      }),
    );
  });

  it("is judged alike inside of an IPv6 address", () => {
    fc.assert(
      fc.property(anyNumber, anyWrapping, (number, wrap) => {
        const wrapped = wrap((number >>> 16).toString(16), (number & 0xffff).toString(16));
        expect(unwrapAddress(wrapped)).toBe(toDotted(number));
        expect(classifyAddress(wrapped)).toBe(classifyAddress(toDotted(number)));
      }),
    );
  });
});

describe("a set of networks", () => {
  it("holds what is in one of them, also as a mapped address", () => {
    const contains = createAddressSet(["10.1.0.0/16", "192.168.1.7", "fd00:1::/32"]);
    const inside = ["10.1.2.3", "::ffff:10.1.2.3", "192.168.1.7", "fd00:1::9"];
    const outside = ["10.2.0.1", "192.168.1.8", "fd00:2::1", "::1", "no address", ""];
    expect(inside.filter((address) => !contains(address))).toEqual([]);
    expect(outside.filter(contains)).toEqual([]);
  });

  it.each(["ten", "10.0.0.0/33", "10.0.0.0/x", "::/129", "/8", ""])("does not take %j for one", (network) => {
    expect(() => createAddressSet([network])).toThrow();
  });
});
