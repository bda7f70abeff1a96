/** How the inspector's page is tested: in a real browser, Debian's Chromium, on a page that was built. */
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    environment: "node",
    include: ["tests/inspector/**/*.test.ts"],
    globalSetup: ["tests/support/globalSetup.ts"],
    setupFiles: ["tests/support/isolate.ts"],
    pool: "forks",
    poolOptions: { forks: { maxForks: 1, minForks: 1 } },
    testTimeout: 300_000,
    hookTimeout: 120_000,
    allowOnly: false,
    passWithNoTests: false,
    restoreMocks: true
  }
})
