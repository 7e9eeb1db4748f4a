// The list of conversations, to go on with another one. Letters that are typed narrow it down.

import type { Component, SelectListTheme } from "@earendil-works/pi-tui";
import type { SessionCard } from "../../api/chat/wire.ts";
import { parseSessionKey } from "../../bus/session-key.ts";
import type { Words } from "../../i18n/words.ts";
import { toLocalIso } from "../../lib/clock.ts";
import { toOneLine } from "../../lib/text.ts";
import { revealLine } from "../../lib/visible-text.ts";
import type { TuiLibrary } from "../draw/markdown.ts";
import type { Style } from "../draw/style.ts";

export interface PickerOptions {
  library: TuiLibrary;
  rows: SessionCard[];
  words: Words;
  style: Style;
  onPick(key: string): void;
  onCancel(): void;
}

const mostShown = 10;
const longestTitle = 60;

export function createSessionPicker(options: PickerOptions): Component {
  const { library, rows, words, style, onPick, onCancel } = options;
  const { SelectList, matchesKey } = library;
  let filter = "";
  let list = createList();

  function createList() {
    const wanted = filter.toLowerCase();
    const items = rows
      .filter(({ title, key }) => `${title} ${key}`.toLowerCase().includes(wanted))
      .map(({ key, title, updatedAt, isRunning }) => ({
        value: key,
        label: revealLine(toOneLine(title, longestTitle)) || words.terminal.chatOf(formatTime(updatedAt)),
        description: `${formatTime(updatedAt)} ${isRunning ? words.terminal.running : revealLine(channelOf(key))}`,
      }));
    const made = new SelectList(items, mostShown, toListTheme(style, words), {
      maxPrimaryColumnWidth: longestTitle,
    });
    made.onSelect = ({ value }) => onPick(value);
    made.onCancel = onCancel;
    return made;
  }

  return {
    render: (width) => [
      style.bold(`${words.terminal.sessions}${filter === "" ? "" : `: ${filter}`}`),
      ...list.render(width),
    ],
    handleInput(keys) {
      const isText = !/\p{Cc}/u.test(keys);
      const isErased = matchesKey(keys, "backspace") && filter !== "";
      if (!isText && !isErased) return list.handleInput(keys);
      filter = isText ? filter + keys : filter.slice(0, -1);
      list = createList();
    },
    invalidate: () => list.invalidate(),
  };
}

function formatTime(at: number): string {
  return toLocalIso(at).slice(0, 16).replace("T", " ");
}

function channelOf(key: string): string {
  return parseSessionKey(key).channel;
}

export function toListTheme(style: Style, words: Words): SelectListTheme {
  return {
    selectedPrefix: style.prompt,
    selectedText: style.bold,
    description: style.quiet,
    scrollInfo: style.quiet,
    noMatch: () => style.quiet(`  ${words.terminal.noSessions}`),
  };
}
