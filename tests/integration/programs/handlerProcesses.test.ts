/** One process that runs handlers for several projects: what the hooks of one leave behind reaches no other's. */
import { realpathSync } from "node:fs"
import { join } from "node:path"
import * as Micro from "effect/Micro"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { InvocationFact } from "../../../events/facts.ts"
import type { InvocationId } from "../../../events/ids.ts"
import { makeRemoteHandling } from "../../../src/programs/host/remoteHandling.ts"
import { startWorker } from "../../../src/programs/host/worker.ts"
import { makeWorkers, type Workers } from "../../../src/programs/host/workers.ts"
import { monotonic } from "../../../src/runtime/elapsed.ts"
import { bundleOf, type Manifest } from "../../../src/state/manifest.ts"
import { bash, type Station, station } from "../../support/entrypoint.ts"
import { dist } from "../../support/host.ts"

/** What the hooks of one project do, by name; whether another project's run in the same process after it. */
const acts: Readonly<Record<string, { readonly code: string; readonly shares: boolean }>> = {
  "does nothing": { code: "", shares: true },
  "goes elsewhere": { code: 'process.chdir("/")', shares: true },
  "changes its environment": {
    code: 'process.env["HOOKTAPE_TEST"] = "spoilt"; delete process.env["HOME"]',
    shares: true
  },
  "replaces a function of a module": { code: 'fs.readFileSync = () => "spoilt"', shares: false },
  "replaces a method of all arrays": { code: "Array.prototype.map = () => []", shares: false },
  "replaces a global function": { code: "globalThis.fetch = () => undefined", shares: false },
  "leaves a global variable": { code: 'globalThis.spoilt = "spoilt"', shares: false },
  "listens to its process": { code: 'process.on("warning", () => undefined)', shares: false },
  "changes the mask of new files": { code: "process.umask(0o777)", shares: false },
  "says something else of its process": {
    code: 'process.exitCode = 3; process.argv.push("spoilt"); process.execArgv = ["spoilt"]; process.title = "spoilt"',
    shares: true
  },
  "asks for what Node makes when it is asked for": {
    code: "new TextDecoder(); new Blob([]); btoa(''); new AbortController(); performance.now(); crypto.subtle",
    shares: true
  },
  "puts something else in the place of that": { code: "globalThis.TextDecoder = class {}", shares: false },
  "has something to do in the next turn": { code: "setImmediate(() => undefined)", shares: true },
  "has a timer that is over": {
    code: "clearTimeout(setTimeout(() => undefined, 60_000).unref())",
    shares: true
  },
  "leaves a timer that keeps nothing": {
    code: 'setInterval(() => { process.env["HOOKTAPE_TEST"] = "spoilt"; process.chdir("/") }, 1).unref()',
    shares: false
  },
  "leaves something that begins anew in each turn": {
    code: 'const again = () => { process.env["HOOKTAPE_TEST"] = "spoilt"; setImmediate(again) }; again()',
    shares: false
  },
  "leaves the same without keeping anything": {
    code: 'const again = () => { process.env["HOOKTAPE_TEST"] = "spoilt"; setImmediate(again).unref() }; again()',
    shares: false
  },
  "keeps much of its memory": { code: "kept.push(new Array(22_000_000).fill(1.5))", shares: false },
  "hears of all that begins": { code: "createHook({ init: () => undefined }).enable()", shares: false },
  "adds a method to all arrays": { code: "Array.prototype.spoilt = () => 1", shares: false },
  "adds a method to all functions": { code: "Function.prototype.spoilt = () => 1", shares: false },
  "adds a method to all expressions": { code: "RegExp.prototype.spoilt = () => 1", shares: false },
  "freezes what arrays have": { code: "Object.freeze(Array.prototype)", shares: false },
  "keeps objects from getting members": { code: "Object.preventExtensions(Object.prototype)", shares: false },
  "shortens the stacks of errors": { code: "Error.stackTraceLimit = 1", shares: false },
  "leaves a global symbol": { code: 'globalThis[Symbol.for("spoilt")] = 1', shares: false },
  "leaves a global variable with Effect's name": { code: 'globalThis["effect/spoilt"] = 1', shares: false },
  "replaces what emits events": { code: "EventEmitter.prototype.emit = () => true", shares: false },
  "replaces what asks a server": { code: "http.request = () => undefined", shares: false },
  "replaces what makes digests": { code: "nodeCrypto.createHash = () => undefined", shares: false },
  "replaces what finds modules": { code: "Module._resolveFilename = () => 'spoilt'", shares: false },
  "replaces a part of addresses": { code: "URL.prototype.toJSON = () => 'spoilt'", shares: false },
  "replaces what weak references give": { code: "WeakRef.prototype.deref = () => 'spoilt'", shares: false },
  "replaces how maps are grouped": { code: "Map.groupBy = () => 'spoilt'", shares: false },
  "replaces how dates are written": {
    code: "Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', { get: () => () => 'spoilt' })",
    shares: false
  }
}

const spoiler = `import { createHook } from "node:async_hooks"
import nodeCrypto from "node:crypto"
import { EventEmitter } from "node:events"
import fs from "node:fs"
import http from "node:http"
import Module from "node:module"
import { defineHook, userHint } from "hooktape"
const kept: unknown[] = []
const acts: any = { ${Object.entries(acts)
  .map(([name, { code }]) => `${JSON.stringify(name)}: () => { ${code} }`)
  .join(",\n")} }
export default defineHook({ name: "spoiler", on: "tool.before", run: ({ tool }) => { acts[tool.command](); return userHint(String(process.pid)) } })
`

const guard = `import fs from "node:fs"
import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({ name: "guard", on: "tool.before", onFailure: "block", run: ({ tool }) => {
  const about = [process.pid, process.cwd(), process.env["HOOKTAPE_TEST"], process.env["HOME"], (globalThis as any).spoilt, process.umask() === 0o777, [1].map(() => "mapped"), process.exitCode, [...process.argv, ...process.execArgv, process.title].includes("spoilt")]
  return fs.readFileSync(process.env["HOME"] + "/.config/hooktape/hooks/hook.ts", "utf8").includes("guard") && tool.command.startsWith("rm")
    ? blockingFeedback(JSON.stringify(about)) : undefined
} })
`

interface Place {
  readonly place: Station
  readonly manifest: Manifest
}

const built = async (hook: string): Promise<Place> => {
  const place = await station()
  place.putUser("hooks/hook.ts", hook)
  return { place, manifest: (await place.build()).manifest }
}

let workers: Workers
let heard: () => void = () => undefined
const givenBack = (): Promise<void> =>
  new Promise((resolve) => {
    heard = resolve
  })

beforeEach(async () => {
  const { state } = await station()
  const made = makeWorkers({
    most: 4,
    start: () => startWorker({ program: join(dist, "worker.cjs"), state, memoryMb: 256 })
  })
  workers = {
    ...made,
    give: (...one) => {
      made.give(...one)
      heard()
    }
  }
})
afterEach(() => workers.close())

/** What the one hook of a place says to a command. */
const said = async ({ manifest, place }: Place, command: string): Promise<string> => {
  const began = monotonic()
  const handling = makeRemoteHandling({
    workers,
    build: manifest.dir,
    elapsed: () => monotonic() - began,
    afterwards: () => undefined,
    lease: {
      invocation: "01900000-0000-7000-8000-000000000000" as InvocationId,
      bundle: bundleOf(manifest, "tool.before"),
      agent: "claude-code",
      agentEvent: "PreToolUse",
      transport: "command",
      cwd: place.project,
      project: place.project,
      timestamp: new Date(0).toISOString(),
      deadlineMs: 60_000,
      began,
      environment: { PATH: process.env["PATH"] ?? "", HOME: place.home },
      warnings: [],
      hints: []
    }
  })
  const ask = (command: Parameters<typeof handling.interpret>[0]): Promise<readonly InvocationFact[]> =>
    Micro.runPromise(handling.interpret(command))
  handling.take({ text: bash(command) })
  const [plan] = await ask({ type: "PLAN" } as never)
  const [planned] = plan?.type === "HANDLERS_PLANNED" ? plan.handlers : []
  const facts = await ask({ type: "RUN_HANDLER", planned, attempt: 1, metadata: {} } as never)
  const back = givenBack()
  await handling.end()
  await back
  const [intent] = facts.flatMap((fact) => (fact.type === "HANDLER_SUCCEEDED" ? fact.intents : []))
  return intent?.type === "USER_HINT"
    ? intent.text
    : intent?.type === "BLOCKING_FEEDBACK"
      ? intent.reason
      : ""
}

describe("a process in which the hooks of a project", () => {
  // How much memory a process may take is said of the baseline: others count theirs otherwise.
  const isBaseline = process.versions.node.startsWith("20.")
  const here = Object.entries(acts).filter(([act]) => isBaseline || act !== "keeps much of its memory")

  it.each(here)("%s", async (act, { shares }) => {
    const [one, other] = await Promise.all([built(spoiler), built(guard)])
    const pid = Number(await said(one, act))
    const [its, ...about] = JSON.parse(await said(other, "rm -rf /")) as readonly unknown[]
    expect(about).toEqual([
      realpathSync(other.place.project),
      null,
      other.place.home,
      null,
      false,
      ["mapped"],
      null,
      false
    ])
    expect(its === pid).toBe(shares)
    expect(pid).toBeGreaterThan(0)
  })
})
