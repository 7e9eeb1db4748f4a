// Holds the state. Actions apply at once; listeners are called once per frame.
import { type Action, initialState, reduce, type State } from "./reduce.ts";

export interface Store {
  get(): State;
  dispatch(action: Action): void;
  subscribe(listener: () => void): () => void;
}

/** `later` runs something before the next frame. */
export function createStore(later: (run: () => void) => void = onNextFrame): Store {
  const listeners = new Set<() => void>();
  let state = initialState;
  let isDue = false;
  const notify = () => {
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
      later(notify);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A page in the background has no frames. */
function onNextFrame(run: () => void): void {
  if (document.hidden) setTimeout(run, 100);
  else requestAnimationFrame(run);
}
