// Preloaded into a program under test: its time of day is that of the machine plus what a file says in milliseconds, also
// when that changes while it runs.
import { readFileSync } from "node:fs";

const RealDate = Date;
const path = process.env.DATE_SHIFT_FILE ?? "";
const staleMs = 20;
let shift = 0;
let lookedAt = Number.NEGATIVE_INFINITY;

function now() {
  if (performance.now() - lookedAt > staleMs) {
    lookedAt = performance.now();
    shift = Number(readFileSync(path, "utf8"));
  }
  return RealDate.now() + shift;
}

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(now());
    else super(...given);
  }

  static now() {
    return now();
  }
};
