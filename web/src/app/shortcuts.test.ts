import fc from "fast-check";
import { expect, test } from "vitest";
import { isLetter, isPressed, shortcuts } from "./shortcuts.tsx";

const plain = {
  key: "",
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  target: null,
};

test("nothing that is written sets off a shortcut, wherever the focus is", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
      fc.boolean(),
      (key, shiftKey) => {
        for (const keys of Object.values(shortcuts))
          expect(isPressed(keys, { ...plain, key, shiftKey })).toBe(false);
      },
    ),
  );
});

test("nor does the letter of a shortcut, written on its own or as a capital", () => {
  for (const keys of Object.values(shortcuts).filter((name) => name !== "Escape")) {
    const letter = keys.split("+").at(-1) ?? "";
    for (const other of Object.values(shortcuts))
      for (const key of [letter.toLowerCase(), letter.toUpperCase()])
        for (const shiftKey of [false, true])
          expect(isPressed(other, { ...plain, key, shiftKey }), `${other} by ${key}`).toBe(false);
  }
});

test("letters of all languages are to be written; keys, spaces and what has a modifier are not", () => {
  for (const key of ["s", "N", "/", "?", "é", "你", "😀", "Process"])
    expect(isLetter({ ...plain, key })).toBe(true);
  for (const key of [" ", "Enter", "Escape", "Tab", "ArrowUp", "F5", "Shift", "Dead"])
    expect(isLetter({ ...plain, key })).toBe(false);
  expect(isLetter({ ...plain, key: "c", ctrlKey: true })).toBe(false);
  expect(isLetter({ ...plain, key: "v", metaKey: true })).toBe(false);
});

test("Mod is Ctrl or Command; Shift counts with letters, and an input method keeps its keys", () => {
  expect(isPressed("Mod+K", { ...plain, key: "k", ctrlKey: true })).toBe(true);
  expect(isPressed("Mod+K", { ...plain, key: "K", ctrlKey: true, shiftKey: true })).toBe(false);
  expect(isPressed("Mod+Shift+O", { ...plain, key: "O", metaKey: true, shiftKey: true })).toBe(true);
  expect(isPressed("Mod+/", { ...plain, key: "/", ctrlKey: true, shiftKey: true })).toBe(true);
  expect(isPressed("Mod+K", { ...plain, key: "k", ctrlKey: true, isComposing: true })).toBe(false);
});
