import { describe, expect, it } from "vitest";
import { toUpdate } from "./irc.ts";
import { readLine, toLines } from "./line.ts";

const options = { nick: "nano", accountsOnly: false };

function update(line: string, more: Partial<typeof options> = {}) {
  const read = readLine(line);
  return read === undefined ? undefined : toUpdate(read, { ...options, ...more });
}

describe("a line of IRC", () => {
  it("is known by its account where the network tells it, and labelled where it does not", () => {
    const known = update("@account=ann;msgid=m\\:1 :ann!~a@h PRIVMSG nano :hi there");
    expect(known).toMatchObject({ platformId: "m;1", sender: { id: "ann", name: "ann" }, text: "hi there" });
    expect(known).not.toHaveProperty("labels");
    const line = ":ann!~a@h PRIVMSG nano :hi";
    expect(update(line)).toMatchObject({ sender: { id: "ann!~a@h" }, labels: ["irc:ann"] });
    expect(update(line, { accountsOnly: true })).toBeUndefined();
  });

  it("of a room is for us when our name is in it", () => {
    const chat = { id: "#team", isGroup: true };
    expect(update(":ann!a@h PRIVMSG #Team :nano: hello")).toMatchObject({
      chat,
      text: "hello",
      isAddressed: true,
    });
    expect(update(":ann!a@h PRIVMSG #Team :nanometres")).toMatchObject({ chat, isAddressed: false });
  });

  it("is passed over when a server, a program or we ourselves say it", () => {
    expect(update(":irc.test PRIVMSG nano :notice")).toBeUndefined();
    expect(update(":ann!a@h PRIVMSG nano :\u0001VERSION\u0001")).toBeUndefined();
    expect(update(":Nano!a@h PRIVMSG #team :mine")).toBeUndefined();
    expect(update(":ann!a@h PRIVMSG nano :\u0002bold\u000f \u000304,12red")).toMatchObject({
      text: "bold red",
    });
    expect(readLine("")).toBeUndefined();
  });

  it("has as many bytes as a server takes, in whole characters", () => {
    const lines = toLines(`${"长".repeat(300)}\n\nshort words`, 380);
    expect(lines.every((line) => Buffer.byteLength(line) <= 380)).toBe(true);
    expect(lines.join("")).toBe(`${"长".repeat(300)}short words`);
    expect(toLines("one two three", 8)).toEqual(["one two", "three"]);
  });
});
