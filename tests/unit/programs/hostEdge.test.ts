/** Effects of the host run in one place, where its process begins: whatever else starts one lets go of it with its scope. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const host = fileURLToPath(new URL("../../../src/programs/host/", import.meta.url))
const textOf = (file: string): string => readFileSync(join(host, file), "utf8")
const runs = (text: string): boolean =>
  /\b(?:Effect|Runtime)\.run\w+|from "effect\/ManagedRuntime"|\bimport\s*\{[^}]*\brun[A-Z]\w*[^}]*\}\s*from "effect/.test(
    text
  )

it("are run by main, and by nobody else", () => {
  const files = readdirSync(host)
  expect(files.length).toBeGreaterThan(50)
  expect(files.filter((file) => runs(textOf(file)))).toEqual(["main.ts"])
})

it("are found wherever one is run", () => {
  expect(runs("void Effect.runFork(work)")).toBe(true)
  expect(runs("Runtime.runPromise(runtime)(work)")).toBe(true)
  expect(runs('import { runSync } from "effect/Effect"')).toBe(true)
  expect(runs('import * as ManagedRuntime from "effect/ManagedRuntime"')).toBe(true)
  expect(runs("Micro.runPromise(work)")).toBe(false)
})

it("begin in a main that a reader takes in at a glance", () => {
  expect(textOf("main.ts").split("\n").length).toBeLessThanOrEqual(60)
})
