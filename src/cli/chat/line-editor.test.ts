import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { createWords } from "../../words/words.ts";
import { CollapsedText } from "./collapsed-text.ts";
import { LineEditor } from "./line-editor.ts";

/** Streams with what the editor needs of a terminal; tests with a real one are in chat.test.ts. */
class FakeKeyboard extends PassThrough {
  isRaw = false;
  setRawMode(isRaw: boolean): this {
    this.isRaw = isRaw;
    return this;
  }
}

class FakeDisplay extends PassThrough {
  columns = 80;
  text = "";
  constructor() {
    super();
    this.on("data", (chunk) => (this.text += chunk));
  }
}

const editors: LineEditor[] = [];
afterEach(() => {
  for (const editor of editors.splice(0)) editor.close();
});

function open(history: string[] = []) {
  const keyboard = new FakeKeyboard();
  const display = new FakeDisplay();
  const log: string[] = [];
  const editor = new LineEditor({
    input: keyboard as unknown as NodeJS.ReadStream,
    output: display as unknown as NodeJS.WriteStream,
    history,
    collapsed: new CollapsedText(createWords("english")),
    events: {
      onSubmit: (text) => log.push(`submit ${JSON.stringify(text)}`),
      onInterrupt: (hadText) => log.push(`interrupt ${hadText}`),
      onEnd: () => log.push("end"),
      onWake: () => {
        log.push("wake");
        editor.show("> ");
      },
      onEmpty: () => log.push("empty"),
    },
  });
  editors.push(editor);
  editor.start();
  /** The stream hands its data over in a later tick. */
  const type = async (keys: string) => {
    keyboard.write(keys);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { editor, keyboard, display, log, type };
}

describe("LineEditor", () => {
  it("hands over a line when Enter is pressed, and is hidden then", async () => {
    const { editor, log, type } = open();
    editor.show("> ");
    await type("hello 你好\r");
    expect(log).toEqual(['submit "hello 你好"']);
    expect(editor.isShown).toBe(false);
  });

  it("hands over every line of a burst in order, also while it is hidden, and shows what is left", async () => {
    const { editor, log, type } = open();
    editor.show("> ");
    await type("one\rtwo\r\rthree\\\rfour\rfi");
    const lines = ['submit "one"', 'submit "two"', 'submit "three\\nfour"'];
    expect(log).toEqual([...lines, "wake"]);
    expect(editor.isShown).toBe(true);
    await type("ve\rsix\r");
    expect(log.slice(4)).toEqual(['submit "five"', 'submit "six"']);
  });

  it("goes on after a backslash at the end of a line, but not after two", async () => {
    const { editor, log, type } = open();
    editor.show("> ");
    await type("one\\\r");
    await type("two\\\\\r");
    expect(log).toEqual(['submit "one\\ntwo\\\\\\\\"']);
  });

  it("shows a paste of many lines in short and submits it in full, only on Enter", async () => {
    const { editor, display, log, type } = open();
    editor.show("> ");
    await type("explain ");
    await type("\u001b[200~def f():\r  return 1\r\u001b[201~");
    expect(log).toEqual([]);
    expect(stripVTControlCharacters(display.text)).toContain("explain def f(): [+1 line #1]");
    await type(" please\r");
    expect(log).toEqual(['submit "explain def f():\\n  return 1 please"']);
  });

  it("keeps what was typed when it is hidden, and draws nothing then", async () => {
    const { editor, display, type } = open();
    editor.show("> ");
    await type("half a message");
    expect(editor.hide()).toBe("half a message");
    const drawn = display.text;
    display.emit("resize");
    expect(display.text).toBe(drawn);
    editor.show("> ", "half a message");
    expect(stripVTControlCharacters(display.text.slice(drawn.length))).toContain("> half a message");
  });

  it("wakes on a key while hidden, and says when the line is empty again", async () => {
    const { log, type } = open();
    await type("\r");
    await type("x");
    await type("\u007f");
    expect(log).toEqual(["wake", "empty"]);
  });

  it("tells an interrupt with text, which is then gone, from one without", async () => {
    const { editor, log, type } = open();
    editor.show("> ");
    await type("oops");
    await type("\u0003");
    await type("\u0003");
    await type("fine\r");
    expect(log.filter((entry) => entry !== "empty")).toEqual([
      "interrupt true",
      "interrupt false",
      'submit "fine"',
    ]);
  });

  it("recalls earlier entries, those of many lines in short and whole", async () => {
    const { editor, log, type } = open(["one\ntwo", "older"]);
    editor.show("> ");
    await type("\u001b[A");
    await type("\r");
    editor.show("> ");
    await type("\u001b[A\u001b[A");
    await type("\r");
    expect(log).toEqual(['submit "one\\ntwo"', 'submit "older"']);
  });

  it("keeps answers to questions out of the history", async () => {
    const { editor, log, type } = open();
    editor.show("> ");
    await type("first\r");
    editor.show("? ", "", false);
    await type("yes\r");
    editor.show("> ");
    await type("\u001b[A\r");
    expect(log).toEqual(['submit "first"', 'submit "yes"', 'submit "first"']);
  });

  it("ends on Ctrl-D, gives the terminal back, and ends only once", async () => {
    const { editor, keyboard, display, log, type } = open();
    editor.show("> ");
    expect(keyboard.isRaw).toBe(true);
    await type("\u0004");
    keyboard.end();
    await new Promise((resolve) => setImmediate(resolve));
    expect(log).toEqual(["end"]);
    expect(keyboard.isRaw).toBe(false);
    expect(display.text.endsWith("\u001b[?2004l")).toBe(true);
  });
});
