// Holds the state. What comes is taken at once; who listens is told once a frame, however much came.
import { reduce } from "./reduce.ts";
import { type Action, initialState, type State } from "./state.ts";

export interface Store {
  get(): State;
  dispatch(action: Action): void;
  subscribe(listener: () => void): () => void;
}

/** `later` runs something before the next picture is drawn. */
export function createStore(later: (run: () => void) => void = onNextFrame): Store {
  const listeners = new Set<() => void>();
  let state = initialState;
  let isDue = false;
  const tell = () => {
    isDue = false;
    for (const listener of listeners) listener();
  };
  return {
    get: () => state,
    dispatch(action) {
      const next = reduce(state, action);
      if (next === state) return;
      state = next;
      if (isDue) return;
      isDue = true;
      later(tell);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A page in the background draws no frames, and still has to know. */
function onNextFrame(run: () => void): void {
  if (document.hidden) setTimeout(run, 100);
  else requestAnimationFrame(run);
}
