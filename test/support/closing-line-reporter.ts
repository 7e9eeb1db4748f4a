// Prints the lines that CI reads: `failed: <name>` for each failure, and at the very end `N passed, N failed`. A file that
// could not be loaded, or a suite that could not be set up, counts as one failure.
import type { Reporter, TestModule } from "vitest/node";

export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<unknown>): void {
    let passed = 0;
    let skipped = 0;
    const failed: string[] = unhandled.map((error) => `outside every test: ${describe(error)}`);
    for (const module of modules) {
      const file = module.relativeModuleId;
      if (module.errors().length > 0) failed.push(file);
      for (const suite of module.children.allSuites())
        if (suite.errors().length > 0) failed.push(`${file} > ${suite.fullName}`);
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed += 1;
        else if (state === "failed") failed.push(`${file} > ${test.fullName}`);
        else skipped += 1;
      }
    }
    // What comes before the files has failed, or nothing was found.
    if (modules.length === 0) failed.push("the run itself: no test file was run");
    if (skipped > 0) process.stdout.write(`${skipped} skipped\n`);
    for (const name of failed) process.stdout.write(`failed: ${name.replaceAll(/\s+/g, " ")}\n`);
    process.stdout.write(`${passed} passed, ${failed.length} failed\n`);
  }
}

function describe(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error
    ? String(error.message)
    : String(error);
}
