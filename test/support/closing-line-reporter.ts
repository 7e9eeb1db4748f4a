// Prints the line that CI reads: `N passed, N failed`. A file that could not be loaded, or a suite that could not be
// set up, counts as one failure.
import type { Reporter, TestModule } from "vitest/node";

export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<unknown>): void {
    let passed = 0;
    let failed = unhandled.length;
    let skipped = 0;
    for (const module of modules) {
      for (const suite of [module, ...module.children.allSuites()])
        if (suite.errors().length > 0) failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed += 1;
        else if (state === "failed") failed += 1;
        else skipped += 1;
      }
    }
    if (skipped > 0) process.stdout.write(`${skipped} skipped\n`);
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
  }
}
