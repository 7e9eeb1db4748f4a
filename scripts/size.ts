// How large things may become: files, imports, rooms and the whole. (Functions and parameters are biome's rules.)
import { caps, heart, rooms, totals } from "./rooms.ts";
import { countLines, type Source } from "./sources.ts";

export function findSizeProblems(sources: Source[]): string[] {
  return [...sources.flatMap(fileProblems), ...roomProblems(sources), ...totalProblems(sources)];
}

/** AGENTS.md is read before every piece of work: it has to stay short. */
export function findGuideProblems(text: string): string[] {
  const lines = countLines(text);
  return lines > caps.guideLines ? [`AGENTS.md: ${lines} lines, at most ${caps.guideLines}`] : [];
}

export function countTotals(sources: Source[]): Record<keyof typeof totals, number> {
  return {
    heart: sumLines(sources, (room) => heart.includes(room)),
    rim: sumLines(sources, (room) => room !== "web" && !heart.includes(room)),
    web: sumLines(sources, (room) => room === "web"),
  };
}

/** `lines: heart 8120 of 15000, ...`, and what is not limited as a whole. */
export function describeTotals(sources: Source[]): string {
  const parts = Object.entries(countTotals(sources)).map(
    ([part, lines]) => `${part} ${lines} of ${totals[part as keyof typeof totals]}`,
  );
  const rest = sources.filter((source) => source.isTest).reduce((sum, source) => sum + source.lines, 0);
  return `lines: ${parts.join(", ")}; tests, scripts and benchmarks ${rest}`;
}

function fileProblems(source: Source): string[] {
  const problems: string[] = [];
  const cap = source.isTest ? caps.testLines : caps.sourceLines;
  if (source.lines > cap)
    problems.push(`${source.path}: ${source.lines} lines, at most ${cap}; find the missing noun`);
  const isList = source.room === "app" || source.path.endsWith("/index.ts");
  if (!source.isTest && !isList && source.imports.length > caps.imports) {
    problems.push(`${source.path}: ${source.imports.length} imports, at most ${caps.imports}`);
  }
  return problems;
}

function roomProblems(sources: Source[]): string[] {
  return rooms.flatMap(({ name, budget }) => {
    const lines = sumLines(sources, (room) => room === name);
    return lines > budget ? [`src/${name}: ${lines} lines, its budget is ${budget} (scripts/rooms.ts)`] : [];
  });
}

function totalProblems(sources: Source[]): string[] {
  return Object.entries(countTotals(sources)).flatMap(([part, lines]) => {
    const most = totals[part as keyof typeof totals];
    return lines > most ? [`${part}: ${lines} lines, at most ${most}`] : [];
  });
}

function sumLines(sources: Source[], belongs: (room: string) => boolean): number {
  const counted = sources.filter((source) => !source.isTest && belongs(source.room));
  return counted.reduce((sum, source) => sum + source.lines, 0);
}
