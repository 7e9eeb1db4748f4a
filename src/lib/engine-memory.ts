// Keeps what the JavaScript engine holds in reserve small. By itself it lets the space for new objects grow to 128 MB on a
// large machine, keeps it so, and lets the garbage grow to several times what is in use before it looks for it.
import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** Of the space for new objects. With 4 MB a thousand turns at once spend twice as long in the search for garbage. */
const mostNewBytes = 32 * 1024 * 1024;
/** How much the rest may grow from one search for garbage to the next, in percent of what was in use. */
const mostGarbage = 60;

/**
 * For a process in which turns run. Both settings are those that the engine reads whenever it decides; they are set after
 * each search for garbage, because the launcher takes them back for a moment (it keeps the compiled program, which the
 * engine accepts only under the settings that it starts with).
 */
export function keepEngineMemorySmall(): Disposable {
  const observer = new PerformanceObserver(limit);
  observer.observe({ entryTypes: ["gc"] });
  return { [Symbol.dispose]: () => observer.disconnect() };
}

/** It also shrinks in quiet times, and may grow again after them. */
function limit(): void {
  setFlagsFromString(`--heap-growing-percent=${mostGarbage}`);
  const size = getHeapSpaceStatistics().find((space) => space.space_name === "new_space")?.space_size ?? 0;
  setFlagsFromString(`--semi-space-growth-factor=${size >= mostNewBytes ? 1 : 2}`);
}
