import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SessionCard } from "../../../../src/api/chat/wire.ts";
import { formatDuration } from "../../components/format.tsx";
import { newConversation, type Part } from "../../store/conversation.ts";
import { findWord } from "./composer/composer-field.tsx";
import { toRows } from "./messages/message-list.tsx";
import { toEditDiff, toHint } from "./messages/tool-card.tsx";
import { groupSessions, isReadOnly } from "./sessions/sessions.ts";

const day = 86_400_000;
const noon = new Date(2026, 5, 15, 12).getTime();

function card(key: string, patch: Partial<SessionCard> = {}): SessionCard {
  return {
    key,
    title: key,
    updatedAt: noon,
    isPinned: false,
    isArchived: false,
    isRunning: false,
    isAsking: false,
    isClosed: false,
    ...patch,
  };
}

describe("the list of conversations", () => {
  test("has pinned ones first, then by age, without empty groups", () => {
    const sessions = [
      card("old", { updatedAt: noon - 30 * day }),
      card("now"),
      card("pinned", { isPinned: true, updatedAt: noon - 90 * day }),
      card("before", { updatedAt: noon - day }),
    ];
    const keys = groupSessions(sessions, noon).map(([group, members]) => [
      group,
      members.map(({ key }) => key),
    ]);
    expect(keys).toEqual([
      ["pinned", ["pinned"]],
      ["today", ["now"]],
      ["week", ["before"]],
      ["older", ["old"]],
    ]);
    expect(groupSessions([], noon)).toEqual([]);
  });

  test("lets only be read what is closed, or another's", () => {
    const guest = { person: "ada", role: "guest" } as const;
    expect(isReadOnly(card("a"), guest)).toBe(false);
    expect(isReadOnly(card("a", { isClosed: true }), guest)).toBe(true);
    expect(isReadOnly(card("a", { guest: "ada" }), guest)).toBe(false);
    expect(isReadOnly(card("a", { guest: "ada" }), { person: "owner", role: "owner" })).toBe(true);
  });
});

describe("the rows of a conversation", () => {
  test("tell once that several were stopped", () => {
    const notice = (id: string, text: string): Part => ({
      kind: "aside",
      id,
      turn: id,
      at: noon,
      aside: { type: "aside", id, turnId: id, at: noon, kind: "notice", text },
    });
    const parts = [notice("a", "(stopped)"), notice("b", "(stopped)"), notice("c", "(else)")];
    const rows = toRows({ ...newConversation("s", "open"), parts });
    expect(rows.map(({ id }) => id)).toEqual(["day-a", "a", "c"]);
  });

  const user = (id: string, at = noon): Part => ({
    kind: "user",
    id,
    turn: id,
    at,
    text: id,
    isSystem: false,
    attachments: [],
    recalled: [],
  });
  const step = (id: string, at = noon): Part => ({
    kind: "step",
    id,
    turn: id.split(".")[0] ?? id,
    at,
    text: id,
    reasoning: "",
    calls: [],
    attachments: [],
    isStored: true,
  });
  const base = newConversation("k", "open");

  test("begin each day with its date, and end with what runs and what is on its way", () => {
    const rows = toRows({
      ...base,
      parts: [user("a", noon - day), step("a.1", noon - day), user("b"), step("b.1")],
      running: { turnId: "b", stepId: "b.1" },
      outgoing: [{ requestId: "r", at: noon, text: "x", files: [] }],
    });
    expect(rows.map(({ id }) => id)).toEqual(["day-a", "a", "a.1", "day-b", "b", "b.1", "running", "r"]);
    expect(rows.flatMap((row) => (row.kind === "step" ? [[row.isRunning, row.isActive]] : []))).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  test("show a question instead of the sign that it works, and an end that was not a good one", () => {
    const phrase = { code: "approval.schedule" as const, params: {} };
    const question = { kind: "choice" as const, phrase, detail: "", choices: [], person: "owner" };
    const asking = { ...base, running: { turnId: "a" }, asks: [{ askId: "q", turnId: "a", question }] };
    expect(toRows(asking).map(({ id }) => id)).toEqual(["ask-q"]);
    const ended = (stop: string) => toRows({ ...base, ending: { turnId: "a", stop } }).map(({ id }) => id);
    expect([ended("completed"), ended("error")]).toEqual([[], ["ending"]]);
  });

  test("have each their own name, whatever happens", () => {
    const parts = fc
      .array(fc.nat(30), { maxLength: 12 })
      .map((days) =>
        days.map((ago, index) =>
          index % 2 ? step(`t${index}.1`, noon - ago * day) : user(`t${index}`, noon - ago * day),
        ),
      );
    fc.assert(
      fc.property(parts, (all) => {
        const ids = toRows({ ...base, parts: all }).map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });
});

describe("the change of a call", () => {
  test("is a diff with a little around it", () => {
    const old_text = "a\nb\nc\nd\nold\ne\nf\ng\nh\n";
    const diff = toEditDiff({
      arguments: { path: "x.md", old_text, new_text: old_text.replace("old", "new") },
    });
    expect(diff?.split("\n")).toEqual([
      "--- x.md",
      "+++ x.md",
      " b",
      " c",
      " d",
      "-old",
      "+new",
      " e",
      " f",
      " g",
    ]);
    expect(toEditDiff({ arguments: { path: "x.md" } })).toBeUndefined();
  });

  test("takes out and puts in what differs, and nothing else", () => {
    const lines = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 8 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diff =
          toEditDiff({ arguments: { old_text: before.join("\n"), new_text: after.join("\n") } }) ?? "";
        const signs = (sign: string) => diff.split("\n").filter((line) => line.startsWith(sign)).length;
        const [old, fresh] = [before.join("\n"), after.join("\n")].map((text) =>
          text === "" ? [] : text.split("\n"),
        );
        expect(signs("+") - signs("-")).toBe((fresh?.length ?? 0) - (old?.length ?? 0));
      }),
    );
  });
});

test.each([
  ["/mo", 3, "/mo"],
  ["/model x", 8, undefined],
  ["say /mo", 7, undefined],
  ["use $wea", 8, "$wea"],
  ["$", 1, "$"],
  ["costs 5$", 8, undefined],
  ["/mo", 1, "/"],
])("in %j at %i the word to complete is %j", (text, caret, word) => {
  expect(findWord(text, caret)).toBe(word);
});

test("a call tells what matters of its arguments in one line", () => {
  const hint = (args: Record<string, unknown>) =>
    toHint({ id: "c", name: "x", arguments: args, progress: "" });
  expect(hint({ timeout: 5, command: "npm\n  test" })).toBe("npm test");
  expect(hint({ other: "first text" })).toBe("first text");
  expect(hint({ number: 1 })).toBe("");
});

test.each([
  [12, "12 ms"],
  [1_500, "1.5 s"],
  [125_000, "2 min 5 s"],
])("%i milliseconds are %j", (ms, text) => expect(formatDuration(ms)).toBe(text));
