import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "scripts/**/*.test.ts"],
    setupFiles: ["test/support/clean-environment.ts"],
    globalSetup: ["test/support/build-once.ts"],
    reporters: ["default", "./test/support/closing-line-reporter.ts"],
    // A limit for a hang, never a measure of speed.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: "forks",
    restoreMocks: true,
    unstubEnvs: true,
  },
});
