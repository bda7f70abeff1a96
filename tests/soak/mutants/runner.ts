/**
 * Runs the tests of a file once as they are, and then with each mutant that they reach, until one fails. What is reached while modules are
 * loaded is tried with modules that are loaded again.
 */
import { closeSync, openSync, readFileSync, writeSync } from "node:fs"
import { getFn, startTests } from "@vitest/runner"
import type { RunnerTestCase, RunnerTestFile } from "vitest"
import { VitestTestRunner } from "vitest/runners"

/** What is known so far, a line each: `reached ID`, `trying ID`, `killed ID`, `endless ID`. */
const record = process.env["HOOKTAPE_TEST_MUTANTS_RECORD"] ?? ""
const known = readFileSync(record, "utf8").split("\n")
const idsWith = (word: string) =>
  known.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1))
const over = new Set([...idsWith("killed"), ...idsWith("endless")])
const reached = new Set(idsWith("reached"))
const out = openSync(record, "a")
const say = (word: string, id: string): void => void writeSync(out, `${word} ${id}\n`)

/** More steps than any test of these has; a loop that a mutant made endless is ended by it. */
const maxSteps = 3_000_000
const waitMs = 4000

const now = { active: "", steps: 0, maxSteps: Number.POSITIVE_INFINITY, seen: new Set<string>() }
const atLoad = new Set<string>()
now.seen = atLoad

const isMutant = (id: string): boolean => {
  if (now.active === "") now.seen.add(id)
  if (++now.steps > now.maxSteps) throw new Error("goes on for ever")
  return id === now.active
}
;(globalThis as { isMutant?: (id: string) => boolean }).isMutant = isMutant

const begin = (id: string): void => {
  say("trying", id)
  now.active = id
  now.steps = 0
  now.maxSteps = maxSteps
}

const end = (id: string, isKilled: boolean): void => {
  now.active = ""
  now.maxSteps = Number.POSITIVE_INFINITY
  now.seen = atLoad
  if (!isKilled) return
  over.add(id)
  say("killed", id)
}

const fails = async (run: () => unknown): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<true>((resolve) => {
    timer = setTimeout(resolve, waitMs, true)
  })
  const ran = (async () => {
    await run()
    return false
  })()
  try {
    return await Promise.race([ran.catch(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}

interface Inner {
  __vitest_executor: unknown
  readonly workerState: {
    readonly moduleCache: Map<string, unknown> & { invalidateModule: (module: unknown) => void }
  }
}

const stays = [/\/vitest\/dist\//, /\/vite-node\/dist\//, /@vitest\//, /mutants\/runner/, /^mock:/]

/** A run of which nobody hears: it ends with the first test that fails. */
class QuietRunner extends VitestTestRunner {
  isKilled = false
  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    if (this.isKilled) test.mode = "skip"
    return super.onBeforeRunTask(test)
  }
  override onAfterRunTask(test: RunnerTestCase): void {
    if (test.result?.state === "fail") this.isKilled = true
    super.onAfterRunTask(test)
  }
}

// biome-ignore lint/style/noDefaultExport: vitest takes a runner's default export.
export default class MutantRunner extends VitestTestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    const run = getFn(test)
    const seen = new Set<string>()
    now.seen = seen
    await run()
    now.seen = atLoad
    for (const id of seen) {
      if (!reached.has(id)) say("reached", id)
      reached.add(id)
    }
    const left = [...seen].filter((id) => !over.has(id))
    // A test that cannot be run again as it is would seem to notice everything.
    if (left.length === 0 || (await fails(run))) return
    for (const id of left) {
      begin(id)
      end(id, await fails(run))
    }
  }

  async onCollected(files: RunnerTestFile[]): Promise<void> {
    for (const id of atLoad) if (!reached.has(id)) say("reached", id)
    this.files = files.map(({ filepath }) => filepath)
  }
  private files: readonly string[] = []

  /** All tests of the file with modules that are loaded anew; whether one failed. */
  private async again(): Promise<boolean> {
    const inner = this as unknown as Inner
    const { moduleCache } = inner.workerState
    moduleCache.forEach((module, path) => {
      if (!stays.some((pattern) => pattern.test(path))) moduleCache.invalidateModule(module)
    })
    const quiet = new QuietRunner({ ...this.config, setupFiles: [] })
    ;(quiet as unknown as Inner).__vitest_executor = inner.__vitest_executor
    const files = await startTests([...this.files], quiet as never).catch(() => undefined)
    return quiet.isKilled || files === undefined || files.some(({ result }) => result?.state === "fail")
  }

  override async onAfterRunFiles(): Promise<void> {
    const left = [...atLoad].filter((id) => !over.has(id))
    // Where tests fail when they are run again as they are, they would seem to notice everything.
    if (left.length > 0 && !(await this.again()))
      for (const id of left) {
        begin(id)
        end(id, await this.again())
      }
    closeSync(out)
    super.onAfterRunFiles()
  }
}
