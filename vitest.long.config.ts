// npm run test:long: the slow campaigns, each file in a process of its own. See docs/testing.md.
import { defineConfig } from "vitest/config";
import usual from "./vitest.config.ts";

export default defineConfig({
  test: {
    ...usual.test,
    include: ["test/long/**/*.test.ts"],
    exclude: ["**/node_modules/**"],
    isolate: true,
    // A limit for a hang: the full form of a campaign takes its time.
    testTimeout: 3_600_000,
  },
});
