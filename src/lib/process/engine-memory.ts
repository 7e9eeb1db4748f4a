// Keeps the memory that the JavaScript engine holds in reserve small. Left alone, it lets the space for new objects
// grow to 128 MB on a large machine, keeps it so, and lets garbage grow to several times what is in use before it
// collects it. Loads what it needs when it is called: the launcher holds on to it in every command.

/**
 * `newBytes`: of the space for new objects. With 4 MB a thousand turns at once spend twice as long in the search for garbage.
 * `garbage`: how much the rest may grow from one search for garbage to the next, in percent of what was in use.
 * `freely`: so many searches happen first: a short turn has six, and is over before a limit is of use.
 */
const limits = {
  "one-turn": { newBytes: 8 * 1024 * 1024, garbage: 20, freely: 8 },
  "many-turns": { newBytes: 16 * 1024 * 1024, garbage: 40, freely: 0 },
};

/**
 * From here on the engine decides: each search for garbage costs in proportion to what is in use, and with thousands of turns
 * at once a tight limit cost a third more processor time per turn.
 */
const largeHeapBytes = 96 * 1024 * 1024;
const engineDecides = 0;

/**
 * For a gateway that is started to stay. glibc reads them when a process starts. By itself it has a heap for each of a dozen
 * threads, and what is free in one of them is of no use to the others; and after the first large buffer it takes all others
 * from its heap, which then has holes that are never given back.
 */
const largeBuffer = String(128 * 1024);
export const allocatorSettings = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: largeBuffer,
  MALLOC_TRIM_THRESHOLD_: largeBuffer,
};

let limit: { newBytes: number; garbage: number; freely: number } | undefined;
let searches = 0;

/** For a process in which turns run. Both settings are those that the engine reads whenever it decides. */
export function keepEngineMemorySmall(load: keyof typeof limits): Disposable {
  const { PerformanceObserver } = process.getBuiltinModule("node:perf_hooks");
  limit = limits[load];
  const observer = new PerformanceObserver((list) => {
    searches += list.getEntries().length;
    limitEngine();
  });
  observer.observe({ entryTypes: ["gc"] });
  limitEngine();
  return {
    [Symbol.dispose]() {
      observer.disconnect();
      limit = undefined;
    },
  };
}

/**
 * After each search for garbage, because the space also shrinks in quiet times and may grow again after them; and by the
 * launcher, which takes the settings back for a moment: it keeps the compiled program, which the engine accepts only under
 * the settings that it starts with.
 */
export function limitEngine(): void {
  if (limit === undefined || searches < limit.freely) return;
  const { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } =
    process.getBuiltinModule("node:v8");
  const isSmall = getHeapStatistics().used_heap_size < largeHeapBytes;
  setFlagsFromString(`--heap-growing-percent=${isSmall ? limit.garbage : engineDecides}`);
  const size = getHeapSpaceStatistics().find((space) => space.space_name === "new_space")?.space_size ?? 0;
  setFlagsFromString(`--semi-space-growth-factor=${size >= limit.newBytes ? 1 : 2}`);
}
