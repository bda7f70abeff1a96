/** How the test suite runs: everything but the real agents, in processes that files share, away from the real home. */
import { defineConfig } from "vitest/config"
import { SlowFirst } from "./tests/support/slowFirst.ts"

export default defineConfig({
  test: {
    environment: "node",
    include: ["tests/**/*.test.ts"],
    exclude: [
      "tests/agents/**",
      "tests/inspector/**",
      "tests/postgres/**",
      "tests/support/planted/**",
      "node_modules/**",
      "dist/**"
    ],
    globalSetup: ["tests/support/globalSetup.ts"],
    sequence: { sequencer: SlowFirst },
    setupFiles: ["tests/support/isolate.ts"],
    // better-sqlite3 and process.env changes do not mix with worker threads.
    pool: "forks",
    // Files share the two processes: loading Effect anew for each took a fifth of the time of those that start none.
    poolOptions: { forks: { maxForks: 2, minForks: 1, isolate: false } },
    // Ends what hangs; no test waits for it, and a busy machine does not reach it.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 10_000,
    allowOnly: false,
    passWithNoTests: false,
    unstubEnvs: true,
    restoreMocks: true
  }
})
