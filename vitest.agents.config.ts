/** How the real agents are tested: one at a time, because each takes a port, a home and both cores. */
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    environment: "node",
    include: ["tests/agents/**/*.test.ts"],
    exclude: ["node_modules/**", "dist/**"],
    globalSetup: ["tests/support/globalSetup.ts", "tests/support/agents/globalSetup.ts"],
    setupFiles: ["tests/support/isolate.ts"],
    pool: "forks",
    poolOptions: { forks: { singleFork: true } },
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 300_000,
    allowOnly: false,
    passWithNoTests: false,
    unstubEnvs: true
  }
})
