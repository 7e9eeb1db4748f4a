// A row of the host tables: what follows from the name, or is the same nearly everywhere, need not be written.
import type { Host, Quirks } from "./host.ts";

export type HostRow = Pick<Host, "name" | "label"> & Partial<Host>;

export function toHost(row: HostRow): Host {
  const { name, kind = "vendor" } = row;
  const isCloud = kind === "vendor" || kind === "gateway";
  return {
    protocol: "openai-chat",
    kind,
    keyVariables: isCloud ? [`${name.toUpperCase()}_API_KEY`] : [],
    keywords: kind === "direct" ? [] : [name],
    stripsPrefix: kind === "vendor",
    quirks: {},
    ...row,
  };
}

const reasoners = /(?:^|\/)(?:gpt-[5-9]|o[1-9])/;

/** OpenAI's own models, wherever they are passed on unchanged. */
export const openaiQuirks: Quirks = {
  maxCompletionTokens: reasoners,
  rejectsTemperature: reasoners,
  noEffortWithTools: /(?:^|\/)gpt-(?:5\.[4-9]|[6-9])/,
};
