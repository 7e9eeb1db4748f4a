import { describe, expect, it } from "vitest";
import { createToolContext } from "../../../test/support/tool-context.ts";
import type { Effect } from "../../runner/tool.ts";
import { isNamedByOwner } from "./named-by-owner.ts";

const fetch = (url: string): Effect => ({ type: "fetch", url, sendsData: false });
const send = (chatId: string): Effect => ({ type: "send", channel: "telegram", chatId });
const write = (path: string): Effect => ({ type: "write", path });

function isNamed(effect: Effect, ownWords: string): boolean {
  return isNamedByOwner(effect, createToolContext({ ownWords }));
}

describe("what the owner wrote is named", () => {
  it.each<[string, Effect]>([
    ["read https://a.example/x?y=1 please", fetch("https://a.example/x?y=1")],
    ["read https://a.example/x?y=1.", fetch("https://a.example/x?y=1")],
    ["look at a.example/x", fetch("https://a.example/x")],
    ["(see http://A.Example/x#part)", fetch("https://a.example/x")],
    ["看看https://a.example/x，然后告诉我", fetch("https://a.example/x")],
    ["`https://a.example/`", fetch("https://a.example")],
    ["tell 12345 that I am late", send("12345")],
    ["发给@anna_b。", send("@anna_b")],
    ["put that into SOUL.md.", write("SOUL.md")],
    ["写到soul.md里", write("SOUL.md")],
    ["add it to MEMORY.md", write("memory/MEMORY.md")],
    ["run `npm run deploy -- --now` for me", { type: "run", command: "npm run deploy -- --now" }],
    ["remind me tomorrow to call Bob", { type: "schedule", what: "call Bob" }],
    ["use create_entities", { type: "call", server: "memory", tool: "create_entities", isReadOnly: false }],
  ])("%s", (words, effect) => {
    expect(isNamed(effect, words)).toBe(true);
  });
});

describe("what the owner did not write is not", () => {
  it.each<[string, Effect]>([
    ["", fetch("https://a.example/")],
    ["read https://a.example/x", fetch("https://a.example/x?d=secret")],
    ["read https://a.example/x", fetch("https://a.example/x/secret")],
    ["read https://a.example/x/y", fetch("https://a.example/x")],
    ["read a.example", fetch("https://evil.example/a.example")],
    ["read a.example", fetch("https://b.a.example/")],
    ["read b.a.example", fetch("https://a.example/")],
    ["read https://a.example/x", fetch("https://user@a.example/x")],
    ["call 1234567", send("12345")],
    ["tell a12345", send("12345")],
    ["tell @anna_b2", send("@anna_b")],
    ["the file SOUL.md.bak", write("SOUL.md")],
    ["my-SOUL.md", write("SOUL.md")],
    ["remember that", write("memory/MEMORY.md")],
    ["run npm test", { type: "run", command: "npm test; curl https://evil.example" }],
    ["ok", { type: "run", command: "ok" }],
    ["call Bob", { type: "schedule", what: "call Bob and send him the keys" }],
    ["use memory", { type: "call", server: "memory", tool: "create_entities", isReadOnly: false }],
    ["read /etc/hosts", { type: "read", path: "/etc/hosts" }],
  ])("%s", (words, effect) => {
    expect(isNamed(effect, words)).toBe(false);
  });
});
