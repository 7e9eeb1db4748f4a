import { expect, it } from "vitest";
import { findImageLimits, usualImageLimits } from "./host.ts";
import { createCustomHost, findHost, knownHosts } from "./hosts.ts";

it("takes the strictest of a host and those that stand in for it", () => {
  const [anthropic, groq] = [findHost("anthropic"), findHost("groq")];
  if (anthropic === undefined || groq === undefined) throw new Error("a row is missing");
  expect(findImageLimits([createCustomHost("mine")])).toEqual(usualImageLimits);
  expect(findImageLimits([anthropic])).toEqual({ bytes: 3_900_000, side: 2000 });
  expect(findImageLimits([groq, anthropic, createCustomHost("mine")])).toEqual({
    bytes: 2_000_000,
    side: 2000,
  });
});

it("lets no image through that is over 5 MB as base64", () => {
  for (const host of knownHosts) {
    expect(Math.ceil(findImageLimits([host]).bytes / 3) * 4).toBeLessThanOrEqual(5 * 1024 * 1024);
  }
});
