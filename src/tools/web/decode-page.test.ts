import { describe, expect, it } from "vitest";
import { decodePage } from "./web-content.ts";

const gbk = Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0xca, 0xc0, 0xbd, 0xe7]);
const big5 = Buffer.from([0xa7, 0x41, 0xa6, 0x6e]);
const shiftJis = Buffer.from([0x82, 0xb1, 0x82, 0xf1, 0x82, 0xc9, 0x82, 0xbf, 0x82, 0xcd]);
const eucKr = Buffer.from([0xc7, 0xd1, 0xb1, 0xb9]);
const latin = Buffer.from("caf\xe9", "latin1");

function join(...parts: Array<string | Uint8Array | number[]>): Buffer {
  return Buffer.concat(parts.map((part) => Buffer.from(part as string)));
}

describe("a page's text", () => {
  it.each([
    ["the server says GBK", gbk, "text/html; charset=GBK", "你好世界"],
    ["the server says gb2312 in quotes", gbk, 'text/html;charset="gb2312"', "你好世界"],
    ["the server says Big5", big5, "text/html; charset=big5", "你好"],
    ["the server says Shift_JIS", shiftJis, "text/html; charset=Shift_JIS", "こんにちは"],
    ["the server says EUC-KR", eucKr, "text/html; charset=euc-kr", "한국"],
    ["the server says Latin 1", latin, "text/plain; charset=ISO-8859-1", "café"],
    ["nobody says anything, and it is UTF-8", join("你好"), "", "你好"],
    ["nobody says anything, and it looks like GBK", gbk, "text/html", "你好世界"],
    ["nobody says anything, and it looks Western", latin, "text/html", "café"],
    ["the server says something unknown", gbk, "text/html; charset=x-klingon", "你好世界"],
    ["the server says UTF-8, which is not true", gbk, "text/html; charset=utf-8", "你好世界"],
    ["it begins with the mark of UTF-8", join("\ufeff你好"), "text/html; charset=gbk", "你好"],
    ["it begins with the mark of UTF-16", join([0xff, 0xfe], Buffer.from("你好", "utf16le")), "", "你好"],
    ["it begins with that of the other UTF-16", join([0xfe, 0xff, 0x4f, 0x60, 0x59, 0x7d]), "", "你好"],
  ])("is right when %s", (_, bytes, type, text) => {
    expect(decodePage(bytes, type)).toBe(text);
  });

  it.each([
    ['<meta charset="gbk">', gbk, "你好世界"],
    ["<META http-equiv=Content-Type content='text/html; charset=gb2312'>", gbk, "你好世界"],
    ['<html><head><title>x</title><meta charset = "big5" />', big5, "你好"],
    ['<?xml version="1.0" encoding="Shift_JIS"?>', shiftJis, "こんにちは"],
    ['<meta charset="utf-16">', join("你好"), "你好"],
  ])("is told by the page itself: %s", (head, bytes, text) => {
    expect(decodePage(join(head, bytes), "text/html")).toBe(head + text);
  });

  it("is what the server says, where the page says otherwise", () => {
    const head = '<meta charset="utf-8">';
    expect(decodePage(join(head, big5), "text/html; charset=big5")).toBe(`${head}你好`);
  });

  it("is none where there are only bytes", () => {
    expect(decodePage(Buffer.from([0, 1, 2, 3, 0, 255]), "application/octet-stream")).toBeUndefined();
  });
});
