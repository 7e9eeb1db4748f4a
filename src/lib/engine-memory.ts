// Keeps what the JavaScript engine holds in reserve small. By itself it lets the space for new objects grow to 128 MB on a
// large machine, keeps it so, and lets the garbage grow to several times what is in use before it looks for it.
import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** Of the space for new objects, which may have doubled once more by then: more makes hardly any turn faster. */
const mostNewBytes = 4 * 1024 * 1024;
/** How much the rest may grow from one search for garbage to the next, in percent of what was in use. */
const mostGarbage = 30;

/** Later than the launcher keeps the compiled program: the engine refuses code that was kept under other settings. */
const usualDelayMs = 5_000;

/** For a process in which turns run; both settings are those that the engine reads whenever it decides. */
export function keepEngineMemorySmall(delayMs = usualDelayMs): Disposable {
  const observer = new PerformanceObserver(limitNewSpace);
  const begin = setTimeout(() => {
    setFlagsFromString(`--heap-growing-percent=${mostGarbage}`);
    observer.observe({ entryTypes: ["gc"] });
  }, delayMs).unref();
  return {
    [Symbol.dispose]() {
      clearTimeout(begin);
      observer.disconnect();
    },
  };
}

/** It also shrinks in quiet times, and may grow again after them. */
function limitNewSpace(): void {
  const size = getHeapSpaceStatistics().find((space) => space.space_name === "new_space")?.space_size ?? 0;
  setFlagsFromString(`--semi-space-growth-factor=${size >= mostNewBytes ? 1 : 2}`);
}
