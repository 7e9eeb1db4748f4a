// Preloaded into a program under test: at each SIGUSR2 five seconds have passed, for everything that waits by timers. It
// says how often that was.
const leapMs = 5_000;
const { setTimeout: setReal, clearTimeout: clearReal } = globalThis;
const elapsed = performance.now.bind(performance);
const waiting = new Map();
let leapt = 0;

performance.now = () => elapsed() + leapt;

globalThis.setTimeout = Object.assign((callback, ms = 0, ...given) => {
  const wake = () => {
    waiting.delete(timer);
    callback(...given);
  };
  const timer = setReal(wake, ms);
  waiting.set(timer, { due: performance.now() + ms, wake });
  return timer;
}, setReal);

globalThis.clearTimeout = (timer) => {
  waiting.delete(timer);
  clearReal(timer);
};

process.on("SIGUSR2", () => {
  leapt += leapMs;
  for (const [timer, { due, wake }] of [...waiting]) {
    if (due > performance.now() || !waiting.has(timer)) continue;
    clearReal(timer);
    wake();
  }
  process.stderr.write(`leap ${leapt / leapMs}.\n`);
});
