// A row of the host tables: what follows from the name, or is the same nearly everywhere, need not be written.
import type { Host, Quirks } from "./host.ts";

export type HostRow = Pick<Host, "name" | "label"> & Partial<Host>;

export function toRow(name: string, label: string, baseUrl: string, more: Partial<Host> = {}): HostRow {
  return { name, label, baseUrl, ...more };
}

/** One vendor on both sides of the Chinese border; a key under the first row's name is tried at the second too. */
export function toTwins(first: HostRow, second: HostRow, both: Partial<Host>): HostRow[] {
  const keyVariables = [toKeyVariable(second.name), toKeyVariable(first.name)];
  return [
    { ...both, ...first, twin: second.name },
    { ...both, keyVariables, ...second, twin: first.name },
  ];
}

export function toHost(row: HostRow): Host {
  const { name, kind = "vendor" } = row;
  const isCloud = kind === "vendor" || kind === "gateway";
  return {
    protocol: "openai-chat",
    kind,
    keyVariables: isCloud ? [toKeyVariable(name)] : [],
    keywords: kind === "direct" ? [] : [name],
    stripsPrefix: kind === "vendor",
    quirks: {},
    ...row,
  };
}

function toKeyVariable(name: string): string {
  return `${name.toUpperCase()}_API_KEY`;
}

const reasoners = /(?:^|\/)(?:gpt-[5-9]|o[1-9])/;

/** OpenAI's own models, wherever they are passed on unchanged. */
export const openaiQuirks: Quirks = {
  maxCompletionTokens: reasoners,
  rejectsTemperature: reasoners,
  noEffortWithTools: /(?:^|\/)gpt-(?:5\.[4-9]|[6-9])/,
};
