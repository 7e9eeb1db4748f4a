import fc from "fast-check";
import { expect, test } from "vitest";
import { parsePlace, toPath } from "./router.tsx";

test("an address names the page, its parts and its query", () => {
  const { page, rest, query } = parsePlace("#/chat/web%3Aowner%3A1?at=t1.2");
  expect([page, rest, query.get("at")]).toEqual(["chat", ["web:owner:1"], "t1.2"]);
});

test("no address is the first page, and a broken one is taken as it is", () => {
  expect(parsePlace("")).toMatchObject({ page: "", rest: [] });
  expect(parsePlace("#/chat/%zz")).toMatchObject({ page: "chat", rest: ["%zz"] });
});

test("whatever a conversation is called, its address leads to it", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (key) => {
      expect(parsePlace(toPath("chat", key)).rest).toEqual([key]);
    }),
  );
});
