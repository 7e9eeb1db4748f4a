import { describe, expect, it } from "vitest";
import { type GenuineRules, isGenuine } from "./is-genuine.ts";
import type { Letter } from "./letter.ts";

const both: GenuineRules = { verifyDkim: true, verifySpf: true, authenticationServer: "" };

function letter(...results: string[]): Letter {
  const headers = results.map((value) => ({ name: "authentication-results", value }));
  return {
    from: "ann@example.org",
    name: "",
    subject: "",
    text: "",
    references: [],
    attachments: [],
    headers,
  };
}

const good = "mx.example.net; dkim=pass header.d=example.org; spf=pass smtp.mailfrom=ann@example.org";

describe("a letter is genuine", () => {
  it.each([
    good,
    "mx.google.com; dkim=pass (ok (really)) header.i=@mail.example.org header.s=x; spf=pass (designates) smtp.mailfrom=bounce@sender.net",
    "spf=pass smtp.mailfrom=example.org; dkim=pass header.d=example.org",
    "mx; dkim=fail header.d=list.net; dkim=pass header.d=example.org; spf=pass",
  ])("when our server says so: %s", (results) => {
    expect(isGenuine(letter(results), both)).toBe(true);
  });

  it("by those checks that are wanted", () => {
    const signed = letter("mx; dkim=pass header.d=example.org; spf=softfail");
    expect(isGenuine(signed, both)).toBe(false);
    expect(isGenuine(signed, { ...both, verifySpf: false })).toBe(true);
    expect(isGenuine(letter(), { ...both, verifySpf: false, verifyDkim: false })).toBe(true);
  });
});

describe("a letter is not genuine", () => {
  it.each([
    "mx; dkim=none; spf=pass smtp.mailfrom=ann@example.org",
    "mx; dkim=pass header.d=evil.net; spf=pass smtp.mailfrom=evil.net",
    "mx; dkim=pass header.d=notexample.org; spf=pass smtp.mailfrom=x@org",
    "mx; (dkim=pass header.d=example.org; spf=pass smtp.mailfrom=example.org)",
    "mx; x-dkim=pass header.d=example.org; x-spf=pass",
    "",
  ])("when our server does not say so: %s", (results) => {
    expect(isGenuine(letter(results), both)).toBe(false);
  });

  it("by what stands further down, or under another name than our server's", () => {
    expect(isGenuine(letter("mx.example.net; dkim=none; spf=none", good), both)).toBe(false);
    expect(isGenuine(letter(), both)).toBe(false);
    const named = { ...both, authenticationServer: "mx.example.net" };
    expect(isGenuine(letter("mx.evil.net; dkim=pass header.d=example.org; spf=pass"), named)).toBe(false);
    expect(isGenuine(letter("mx.other.net; none", good), named)).toBe(true);
  });
});
