// A row of the host tables: what most hosts have in common need not be written.
import type { Host } from "./host.ts";

export type HostRow = Pick<Host, "name" | "label"> & Partial<Host>;

export function toHost(row: HostRow): Host {
  return {
    protocol: "openai-chat",
    kind: "vendor",
    keyVariables: [],
    keywords: [],
    quirks: {},
    ...row,
  };
}
