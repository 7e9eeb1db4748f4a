// Preloaded into npm: what it passes on of a signal is sent when the program has met its own, and not before, where the
// system would take two that wait for one. It says when that is done.
import { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";

const { kill } = ChildProcess.prototype;

function isWaiting(pid, signal) {
  const [, waiting = "0"] = /^ShdPnd:\s*(\w+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return ((BigInt(`0x${waiting}`) >> BigInt(constants.signals[signal] - 1)) & 1n) === 1n;
}

ChildProcess.prototype.kill = function (signal) {
  while (isWaiting(this.pid, signal));
  const isPassed = kill.call(this, signal);
  process.stderr.write(`npm has passed on ${signal}\n`);
  return isPassed;
};
