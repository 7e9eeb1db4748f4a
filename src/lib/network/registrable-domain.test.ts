import { expect, it } from "vitest";
import { toSite } from "./registrable-domain.ts";

it.each([
  ["docs.python.org", "python.org"],
  ["example.com", "example.com"],
  ["a.b.example.co.uk", "example.co.uk"],
  ["x.example.com.cn", "example.com.cn"],
  ["someone.github.io", "someone.github.io"],
  ["a.someone.pages.dev", "someone.pages.dev"],
  ["Example.COM.", "example.com"],
  ["127.0.0.1", "127.0.0.1"],
  ["[::1]", "::1"],
  ["localhost", "localhost"],
])("%s belongs to %s", (host, site) => {
  expect(toSite(host)).toBe(site);
});
