// Lists to choose from in the place of the editor: conversations, models, and the answers to a question.

import type { Component, SelectItem, SelectListTheme } from "@earendil-works/pi-tui";
import type { SessionCard } from "../../api/chat/wire.ts";
import { noChoice } from "../../bus/ask.ts";
import { parseSessionKey } from "../../bus/session-key.ts";
import type { ShownChoice } from "../../i18n/describe-ask.ts";
import type { Words } from "../../i18n/words.ts";
import { toLocalIso } from "../../lib/clock.ts";
import { toOneLine } from "../../lib/text.ts";
import { revealLine } from "../../lib/visible-text.ts";
import type { TuiLibrary } from "../draw/markdown.ts";
import type { Style } from "../draw/style.ts";

export interface PickerOptions {
  library: TuiLibrary;
  title: string;
  /** Found by their labels and values. */
  items: SelectItem[];
  words: Words;
  style: Style;
  onPick(value: string): void;
  onCancel(): void;
}

const mostShown = 10;
const longestTitle = 60;

export function toSessionItems(rows: SessionCard[], words: Words): SelectItem[] {
  return rows.map(({ key, title, updatedAt, isRunning }) => ({
    value: key,
    label: revealLine(toOneLine(title, longestTitle)) || words.terminal.chatOf(formatTime(updatedAt)),
    description: `${formatTime(updatedAt)} ${isRunning ? words.terminal.running : revealLine(channelOf(key))}`,
  }));
}

export function createPicker(options: PickerOptions): Component {
  const { library, title, items, words, style, onPick, onCancel } = options;
  const { SelectList, matchesKey } = library;
  let filter = "";
  let list = createList();

  function createList() {
    const wanted = filter.toLowerCase();
    const found = items.filter(({ label, value }) => `${label} ${value}`.toLowerCase().includes(wanted));
    const made = new SelectList(found, mostShown, toListTheme(style, words), {
      maxPrimaryColumnWidth: longestTitle,
    });
    made.onSelect = ({ value }) => onPick(value);
    made.onCancel = onCancel;
    return made;
  }

  return {
    render: (width) => [style.bold(`${title}${filter === "" ? "" : `: ${filter}`}`), ...list.render(width)],
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

export interface AskMenuOptions extends Pick<PickerOptions, "library" | "words" | "style"> {
  choices: ShownChoice[];
  /** The id of a choice. */
  onChoice(id: string): void;
  /** Something else is being typed. */
  onText(text: string): void;
}

/** Choices that hold for longer than this once are only marked by their key: Enter takes them. */
const lasting = ["session", "always"];

/** A question as a menu: a key for each choice, or arrows and Enter. Refusing is chosen first. */
export function createAskMenu(options: AskMenuOptions): Component {
  const { library, choices, words, style, onChoice, onText } = options;
  const items = choices.map(({ id, label }) => ({ value: id, label }));
  const list = new library.SelectList(items, items.length, toListTheme(style, words));
  const positionOf = (id: string) =>
    Math.max(
      0,
      choices.findIndex((choice) => choice.id === id),
    );
  list.setSelectedIndex(positionOf(noChoice));
  list.onSelect = ({ value }) => onChoice(value);
  list.onCancel = () => onChoice(noChoice);
  /** A letter that marked a choice, in case it was the first one of a sentence. */
  let letter = "";
  return {
    render: (width) => list.render(width),
    handleInput(keys) {
      const chosen = choices.find(({ key }) => key.toLowerCase() === keys.toLowerCase());
      if (/\p{Cc}/u.test(keys)) {
        letter = "";
        list.handleInput(keys);
      } else if (letter !== "" || chosen === undefined) onText(letter + keys);
      else if (lasting.includes(chosen.id)) {
        letter = keys;
        list.setSelectedIndex(positionOf(chosen.id));
      } else onChoice(chosen.id);
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
