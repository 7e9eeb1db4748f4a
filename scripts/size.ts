// How large files may become, and how large the whole is. (Functions and parameters are biome's rules.)
import { caps } from "./modules.ts";
import { countLines, type Source } from "./sources.ts";

export function findSizeProblems(sources: Source[]): string[] {
  return [...sources.flatMap(fileProblems), ...folderProblems(sources)];
}

/** A folder that shows too many files hides what it is about. */
function folderProblems(sources: Source[]): string[] {
  const folders = Map.groupBy(
    sources.filter(({ isTest }) => !isTest),
    ({ path }) => path.slice(0, path.lastIndexOf("/")),
  );
  return [...folders]
    .filter(([, files]) => files.length > caps.folderFiles)
    .map(
      ([folder, { length }]) => `${folder}: ${length} files, at most ${caps.folderFiles}; group them by noun`,
    );
}

/** AGENTS.md is read before every piece of work: it has to stay short. */
export function findGuideProblems(text: string): string[] {
  const lines = countLines(text);
  return lines > caps.guideLines ? [`AGENTS.md: ${lines} lines, at most ${caps.guideLines}`] : [];
}

/** All of src and web/src without tests is the one number that is watched; it is printed, not limited. */
export function describeTotals(sources: Source[]): string {
  const count = (isTest: boolean) =>
    sources.filter((source) => source.isTest === isTest).reduce((sum, source) => sum + source.lines, 0);
  return `lines: source ${count(false)}; tests, scripts and benchmarks ${count(true)}`;
}

function fileProblems(source: Source): string[] {
  const problems: string[] = [];
  const cap = source.isTest ? caps.testLines : caps.sourceLines;
  if (source.lines > cap)
    problems.push(`${source.path}: ${source.lines} lines, at most ${cap}; split it by noun`);
  const isList = source.module === "app" || source.path.endsWith("/index.ts");
  if (!source.isTest && !isList && countValueImports(source) > caps.imports) {
    problems.push(`${source.path}: ${countValueImports(source)} imports, at most ${caps.imports}`);
  }
  return problems;
}

/** Types couple nothing at run time. */
function countValueImports({ imports }: Source): number {
  return imports.filter(({ clause }) => !/^(import|export) type\b/.test(clause)).length;
}
