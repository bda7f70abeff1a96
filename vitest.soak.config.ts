/** How `npm run soak` runs: what takes too long for every change, one at a time, each with what it counted. */
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    environment: "node",
    include: ["tests/soak/**/*.soak.ts"],
    globalSetup: ["tests/support/globalSetup.ts"],
    setupFiles: ["tests/support/isolate.ts"],
    pool: "forks",
    fileParallelism: false,
    testTimeout: 6 * 3_600_000,
    disableConsoleIntercept: true,
    allowOnly: false,
    passWithNoTests: false,
    unstubEnvs: true
  }
})
