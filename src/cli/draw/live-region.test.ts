import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { TinyTerminal } from "../../../test/support/tiny-terminal.ts";
import { LiveRegion } from "./live-region.ts";
import { loadTuiLibrary, type TuiLibrary } from "./markdown.ts";

let library: TuiLibrary;
beforeAll(async () => {
  library = await loadTuiLibrary();
});

describe("LiveRegion", () => {
  const word = fc.stringMatching(/^[a-z]{1,9}$/);
  const lines = fc.array(word, { maxLength: 6 });

  it("keeps every finished line once and in order, with only the last frame below them", () => {
    const step = fc.record({ finished: lines, frame: lines });
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 7, max: 12 }),
        (steps, rows) => {
          const terminal = new TinyTerminal(10, rows);
          const region = new LiveRegion(terminal, library);
          for (const { finished, frame } of steps) region.draw({ lines: frame }, finished);
          const kept = steps.flatMap(({ finished }) => finished);
          expect(terminal.shown).toEqual([...kept, ...(steps.at(-1)?.frame ?? [])]);
          region.clear();
          expect(terminal.shown).toEqual(kept);
        },
      ),
    );
  });

  it("leaves the cursor where the user types, whatever was drawn", () => {
    const step = fc.record({
      finished: lines,
      frame: fc.array(word, { minLength: 1, maxLength: 6 }),
      at: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
        const terminal = new TinyTerminal(10, 9);
        const region = new LiveRegion(terminal, library);
        let printed = 0;
        for (const { finished, frame, at } of steps) {
          const cursor = { row: at % frame.length, column: at % 10 };
          region.draw({ lines: frame, cursor }, finished);
          printed += finished.length;
          expect(terminal.cursor).toEqual({ row: printed + cursor.row, column: cursor.column });
        }
      }),
    );
  });

  it("shows the lower part of what is higher than the screen, and cuts what is wider", () => {
    const terminal = new TinyTerminal(10, 5);
    const region = new LiveRegion(terminal, library);
    region.draw({ lines: ["1", "2", "3", "4", "5", "a line of many words"] });
    expect(terminal.shown).toEqual(["3", "4", "5", "a line of…"]);
    region.draw({ lines: ["end"] }, ["kept-and-longer-than-the-screen"]);
    expect(terminal.shown.join("")).toBe("kept-and-longer-than-the-screenend");
  });

  it("writes nothing when nothing has changed", () => {
    const written: string[] = [];
    const output = { columns: 10, rows: 5, write: (text: string) => written.push(text) };
    const region = new LiveRegion(output, library);
    region.draw({ lines: ["same"] });
    region.draw({ lines: ["same"] });
    expect(written).toHaveLength(1);
  });
});
