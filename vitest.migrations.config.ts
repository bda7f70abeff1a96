/** The tests of the migrations with their coverage measured: what they claim to cover is what ran. */
import { defineConfig, mergeConfig } from "vitest/config"
import base from "./vitest.config.ts"

export default mergeConfig(
  base,
  defineConfig({
    test: {
      coverage: {
        enabled: true,
        provider: "v8",
        include: ["src/tools/migrations/**"],
        reporter: ["text"],
        thresholds: { lines: 95, functions: 95, branches: 80 }
      }
    }
  })
)
