/** A core whose entrypoint only tells what it was given: builds can be looked at without an agent's payload. */
import { mkdtempSync, realpathSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { type Core, findCore } from "../../../src/tools/build/core.ts"

/** Prints the options as JSON, with what each hook answers. */
const main = `
const flat = (hook) => ({ ...hook, run: undefined, when: undefined })
export const main = async ({ adapters, registry, runEffect, ...rest }) => {
  const said = []
  for (const { hook, source, withheld } of registry) {
    let thrown
    let result
    try {
      result = withheld === undefined ? await hook.run({}) : undefined
    } catch (error) {
      thrown = String(error)
    }
    const answer = runEffect !== undefined && result?.pipe ? await runEffect(result, new AbortController().signal) : result
    said.push({ ...flat(hook), source, withheld, thrown, answer: answer?.pipe ? "an Effect" : answer })
  }
  require("node:fs").writeSync(1, JSON.stringify({ ...rest, adapters: Object.keys(adapters), effects: runEffect !== undefined, registry: said }))
}
`

const runEffect = `
import * as Effect from "effect/Effect"
export const runEffect = (effect, signal) => Effect.runPromise(effect, { signal })
`

const adapter = `
export const raw = { agent: "raw", events: { "tool.before": { event: "tool.before" }, PreToolUse: { event: "tool.before" } } }
`

const makeFakeCore = (): Core => {
  const folder = realpathSync(mkdtempSync(join(homedir(), "core-")))
  const file = (name: string, text: string): string => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  const real = findCore()
  return {
    ...real,
    main: file("main.mjs", main),
    runEffect: file("runEffect.mjs", runEffect),
    handlerServices: file("handlerServices.mjs", "export const makeHandlerServices = undefined"),
    retain: file("retain.mjs", "export const retainGuards = undefined"),
    recall: file("recall.mjs", "export const makeRecall = undefined"),
    adapters: [{ agent: "raw", module: file("raw.mjs", adapter), name: "raw" }]
  }
}

let made: Core | undefined

/** One for all files of a process: what bundles share is compiled once for a core, and takes a second or two. */
export const fakeCore = (): Core => (made ??= makeFakeCore())
