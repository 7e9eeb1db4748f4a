import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "scripts/**/*.test.ts", "web/src/**/*.test.{ts,tsx}"],
    // The slow campaigns: npm run test:long.
    exclude: [...configDefaults.exclude, "test/long/**"],
    setupFiles: ["test/support/each-file.ts"],
    globalSetup: ["test/support/build-once.ts"],
    reporters: ["default", "./test/support/closing-line-reporter.ts"],
    // A limit for a hang, never a measure of speed.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000, interval: 20 } },
    pool: "forks",
    isolate: false,
    // Many tests wait for processes and disks: twice as many as the cores keeps them busy.
    maxWorkers: 2 * availableParallelism(),
    restoreMocks: true,
    unstubEnvs: true,
  },
});
