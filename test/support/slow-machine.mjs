// SLOW=60 npm test: loaded before everything else, it lets work for the disk, for sockets and for the next tick take a random
// while, up to so many milliseconds. What only happens to come in time no longer does. See docs/testing.md.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import timers from "node:timers";

const mostMs = Number(process.env.SLOW);
const later = globalThis.setTimeout;

/** Mostly nothing, sometimes a little, now and then very long. */
function pick() {
  return Math.random() < 0.9 ? 0 : Math.random() ** 3 * mostMs;
}

function pause() {
  const ms = pick();
  return ms === 0 ? undefined : new Promise((resolve) => later(resolve, ms));
}

/** It may begin late, and be told late. */
function slowDown(holder, names) {
  for (const name of names.split(" ")) {
    const real = holder[name];
    holder[name] = async function (...args) {
      await pause();
      try {
        return await real.apply(this, args);
      } finally {
        await pause();
      }
    };
  }
}

async function slowDownFiles() {
  const file = await fs.promises.open("/dev/null");
  slowDown(
    Object.getPrototypeOf(file),
    "sync datasync write writeFile appendFile read readFile stat truncate",
  );
  await file.close();
  const reading = "readFile readdir stat lstat realpath access";
  slowDown(
    fs.promises,
    `${reading} writeFile appendFile copyFile rename link symlink unlink rm mkdir truncate`,
  );
}

/** In their order, as the system's own. */
function slowDownTicks() {
  const waiting = [];
  const runNext = () => {
    const { work, args } = waiting.shift();
    work?.(...args);
  };
  timers.setImmediate = globalThis.setImmediate = (work, ...args) => {
    const tick = { work, args };
    waiting.push(tick);
    return Object.assign(later(runNext, pick()), { tick });
  };
  timers.clearImmediate = globalThis.clearImmediate = (handle) => {
    if (handle?.tick !== undefined) handle.tick.work = undefined;
  };
}

function slowDownSockets() {
  for (const name of ["_write", "_writev"]) {
    const real = net.Socket.prototype[name];
    net.Socket.prototype[name] = function (...args) {
      // What goes to a terminal, or out of this process, is written when the call returns.
      if (this.isTTY || [0, 1, 2].includes(this._handle?.fd)) return real.apply(this, args);
      later(() => (this.destroyed ? args.at(-1)() : real.apply(this, args)), pick());
    };
  }
}

/** An old Node has none. */
function slowDownCommits(sqlite) {
  if (sqlite === undefined) return;
  const real = sqlite.DatabaseSync.prototype.exec;
  const cell = new Int32Array(new SharedArrayBuffer(4));
  sqlite.DatabaseSync.prototype.exec = function (sql) {
    if (sql === "COMMIT") Atomics.wait(cell, 0, 0, pick());
    return real.call(this, sql);
  };
}

await slowDownFiles();
slowDownTicks();
slowDownSockets();
slowDownCommits(process.getBuiltinModule?.("node:sqlite"));
syncBuiltinESMExports();
