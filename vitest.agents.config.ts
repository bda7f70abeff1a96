/** How the real agents are tested: three at a time, because they wait more than they compute; each has a port and a home of its own. */
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    environment: "node",
    include: ["tests/agents/**/*.test.ts"],
    exclude: ["node_modules/**", "dist/**"],
    globalSetup: ["tests/support/globalSetup.ts", "tests/support/agents/globalSetup.ts"],
    setupFiles: ["tests/support/isolate.ts"],
    pool: "forks",
    poolOptions: { forks: { minForks: 1, maxForks: 3 } },
    testTimeout: 180_000,
    hookTimeout: 300_000,
    allowOnly: false,
    passWithNoTests: false,
    unstubEnvs: true
  }
})
