// The store and the connection for every component below.
import { createContext, type ReactNode, useContext, useRef, useSyncExternalStore } from "react";
import type { State } from "../store/state.ts";
import type { Store } from "../store/store.ts";
import type { Connection } from "./connection.ts";

export interface Wire {
  store: Store;
  connection: Connection;
}

const WireContext = createContext<Wire | undefined>(undefined);

export function WireProvider({ wire, children }: { wire: Wire; children: ReactNode }) {
  return <WireContext value={wire}>{children}</WireContext>;
}

export function useWire(): Wire {
  const wire = useContext(WireContext);
  if (wire === undefined) throw new Error("there is no WireProvider above");
  return wire;
}

/** A part of the state. What `select` makes anew each time has to be equal by `isEqual`, or it is drawn on every event. */
export function useStore<Selected>(
  select: (state: State) => Selected,
  isEqual: (a: Selected, b: Selected) => boolean = Object.is,
): Selected {
  const { store } = useWire();
  const last = useRef<{ value: Selected } | undefined>(undefined);
  const getSnapshot = () => {
    const value = select(store.get());
    if (last.current === undefined || !isEqual(last.current.value, value)) last.current = { value };
    return last.current.value;
  };
  return useSyncExternalStore(store.subscribe, getSnapshot);
}
