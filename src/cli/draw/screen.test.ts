import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "../../lib/clock.ts";
import { Screen } from "./screen.ts";

class FakeTerminal {
  text = "";
  isTTY: boolean;
  columns = 60;

  constructor(isTTY: boolean) {
    this.isTTY = isTTY;
  }

  write(text: string): void {
    this.text += text;
  }
}

function open({ isTTY = true, isShared = true } = {}) {
  const stderr = new FakeTerminal(isTTY);
  const stdout = isShared ? stderr : new FakeTerminal(false);
  const screen = new Screen({ stdout, stderr, clock: systemClock, spinnerHint: "Ctrl-C stops" });
  return { screen, stdout, stderr };
}

describe("Screen", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("puts a line below an answer that has not ended", () => {
    const { screen, stdout } = open();
    screen.answer("half an ans");
    screen.line("a notice");
    screen.answer("wer\n");
    screen.line("another");
    expect(stdout.text).toBe("half an ans\na notice\nwer\nanother\n");
  });

  it("keeps a redirected answer free of everything else", () => {
    const { screen, stdout, stderr } = open({ isShared: false });
    screen.busy("thinking");
    screen.answer("half an ans");
    screen.line("a notice");
    screen.answer("wer");
    screen.idle();
    expect(stdout.text).toBe("half an answer");
    expect(stderr.text).toContain("a notice\n");
  });

  it("shows a spinner with the time, and takes it away before anything else is drawn", () => {
    const { screen, stderr } = open();
    screen.busy("thinking");
    vi.advanceTimersByTime(2100);
    expect(stderr.text.endsWith(" thinking 2s · Ctrl-C stops\u001b[K")).toBe(true);
    screen.line("done");
    expect(stderr.text.endsWith("\r\u001b[Kdone\n")).toBe(true);
    screen.idle();
    const before = stderr.text;
    vi.advanceTimersByTime(1000);
    expect(stderr.text).toBe(before);
  });

  it("never draws a spinner over half a line of an answer, nor where there is no terminal", () => {
    const { screen, stderr } = open();
    screen.busy("thinking");
    screen.answer("half");
    const before = stderr.text;
    vi.advanceTimersByTime(1000);
    expect(stderr.text).toBe(before);
    screen.idle();

    const plain = open({ isTTY: false });
    plain.screen.busy("thinking");
    vi.advanceTimersByTime(1000);
    expect(plain.stderr.text).toBe("");
  });

  it("keeps the spinner within one line of the terminal", () => {
    const { screen, stderr } = open();
    screen.busy("读取".repeat(100));
    expect(stderr.text.length).toBeLessThan(60);
    screen.idle();
  });

  it("holds everything back while a person types, and then draws it in order", () => {
    const { screen, stdout } = open();
    screen.answer("half");
    screen.hold();
    screen.answer(" an answer\n");
    screen.line("a notice");
    expect(stdout.text).toBe("half\n");
    screen.release();
    expect(stdout.text).toBe("half\n an answer\na notice\n");
  });
});
