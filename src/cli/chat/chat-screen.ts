// The library's screen, except for how it draws: what is finished is printed once above the lines that live. The
// library itself would clear the terminal's history whenever the window changes.
import type { Component, Container, TUI } from "@earendil-works/pi-tui";
import { LiveRegion } from "../draw/live-region.ts";
import type { TuiLibrary } from "../draw/tui-library.ts";

export interface ChatScreen {
  tui: TUI;
  /** Where a person types: what is in it can be exchanged. */
  slot: Container;
  /** Prints lines that stay. */
  print(lines: string[]): void;
}

export function createChatScreen(
  library: TuiLibrary,
  parts: { above: Component["render"]; below: Component["render"] },
): ChatScreen {
  const { TuiMainScreen, ProcessTerminal, Container, CURSOR_MARKER, visibleWidth } = library;
  const terminal = new ProcessTerminal();
  const region = new LiveRegion(terminal, library);
  let finished: string[] = [];

  class Screen extends TuiMainScreen {
    protected override doRender(): void {
      if (this.stopped) return;
      const lines = this.render(terminal.columns).map(showRealCursor);
      const row = lines.findIndex((line) => line.includes(CURSOR_MARKER));
      const column = visibleWidth(lines[row]?.split(CURSOR_MARKER)[0] ?? "");
      const shown = lines.map((line) => line.replace(CURSOR_MARKER, "").trimEnd());
      region.draw({ lines: shown, ...(row >= 0 && { cursor: { row, column } }) }, finished);
      finished = [];
    }

    protected override beforeTerminalStop(): void {
      if (finished.length > 0) region.draw({ lines: [] }, finished);
      finished = [];
      region.clear();
    }
  }

  /** The library paints a cursor of its own; the terminal's is where input methods show what is being typed. */
  function showRealCursor(line: string): string {
    const [before, painted] = line.split(`${CURSOR_MARKER}${invert}`);
    if (painted === undefined) return line;
    return `${before}${CURSOR_MARKER}${painted.replace("\u001b[0m", "").replace("\u001b[27m", "")}`;
  }

  const tui = new Screen(terminal, true);
  const slot = new Container();
  const toComponent = (render: Component["render"]): Component => ({ render, invalidate() {} });
  for (const part of [toComponent(parts.above), slot, toComponent(parts.below)]) tui.addChild(part);
  return {
    tui,
    slot,
    print(lines) {
      finished.push(...lines);
      tui.requestRender();
    },
  };
}

const invert = "\u001b[7m";
