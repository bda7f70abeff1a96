/**
 * Runs the tests of a file once as they are, and then with each mutant that they reach, until one fails. What is reached while modules are
 * loaded is tried with modules that are loaded again.
 */
import { closeSync, openSync, readFileSync, writeSync } from "node:fs"
import { relative } from "node:path"
import { getFn, startTests } from "@vitest/runner"
import type { RunnerTestCase, RunnerTestFile, RunnerTestSuite } from "vitest"
import { VitestTestRunner } from "vitest/runners"

/**
 * What is known so far, a line each: `reached ID`, `trying ID`, and how that ended: `killed ID`, `survived ID`, `spoilt ID FILE`, `endless ID`;
 * `done FILE` once all that a file reaches was tried; `failing FILE` where a test does not hold as it is.
 */
const record = process.env["HOOKTAPE_TEST_MUTANTS_RECORD"] ?? ""
const known = readFileSync(record, "utf8").split("\n")
const idsWith = (word: string) =>
  known.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1))
const over = new Set([...idsWith("killed"), ...idsWith("endless")])
const reached = new Set(idsWith("reached"))
const out = openSync(record, "a")
const say = (word: string, id: string): void => void writeSync(out, `${word} ${id}\n`)
/** Tests stand in for the clock. */
const clock = { begin: setTimeout, end: clearTimeout, now: performance.now.bind(performance) }

/** So many times as long as it is written a test may take with a mutant: a loop that a mutant made endless is ended by that. */
const times = 10
const leastSteps = 3_000_000
const leastMs = 4000
const mostMs = 50_000
/** What takes longer as it is written is not tried with mutants: a test, and all of a file. */
const longestTestMs = 5000
const longestFileMs = 20_000
/** So long the tests of one file are tried with a mutant that none of them has noticed so far. */
const mostOfFileMs = 10_000
const spentMs = new Map<string, number>()

/** How often each was asked for. */
type Seen = Map<string, number>
/** While modules were loaded, or between tests; and those that can be tried with modules that are loaded anew alone. */
const atLoad: Seen = new Map()
const now = { active: "", steps: 0, maxSteps: Number.POSITIVE_INFINITY, seen: atLoad }

const isMutant = (id: string): boolean => {
  if (now.active === "") now.seen.set(id, (now.seen.get(id) ?? 0) + 1)
  if (++now.steps > now.maxSteps) throw new Error("goes on for ever")
  return id === now.active
}
;(globalThis as { isMutant?: (id: string) => boolean }).isMutant = isMutant

const fails = async (run: () => unknown, waitMs: number): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<true>((resolve) => {
    timer = clock.begin(resolve, waitMs, true)
  })
  const ran = (async () => {
    await run()
    return false
  })()
  try {
    return await Promise.race([ran.catch(() => true), late])
  } finally {
    clock.end(timer)
  }
}

interface Measured {
  readonly failed: boolean
  readonly seen: Seen
  readonly steps: number
  readonly ms: number
}

/** As it is written. What it reaches counts for nothing: it is a test that was run before. */
const measured = async (run: () => unknown, longestMs: number): Promise<Measured> => {
  const seen: Seen = new Map()
  now.seen = seen
  now.steps = 0
  const began = clock.now()
  const failed = await fails(run, longestMs)
  now.seen = atLoad
  return { failed, seen, steps: now.steps, ms: clock.now() - began }
}

const end = (id: string, how: "killed" | "survived"): void => {
  say(how, id)
  if (how === "killed") over.add(id)
}

const isNoticed = async (id: string, run: () => unknown, plain: Measured): Promise<boolean> => {
  say("trying", id)
  now.active = id
  now.steps = 0
  now.maxSteps = Math.max(leastSteps, plain.steps * times)
  const began = clock.now()
  const failed = await fails(run, Math.min(mostMs, Math.max(leastMs, plain.ms * times)))
  spentMs.set(id, (spentMs.get(id) ?? 0) + clock.now() - began)
  now.active = ""
  now.maxSteps = Number.POSITIVE_INFINITY
  if (!failed) end(id, "survived")
  return failed
}

interface Inner {
  __vitest_executor: unknown
  readonly workerState: {
    readonly moduleCache: Map<string, unknown> & { invalidateModule: (module: unknown) => void }
  }
}

const stays = [/\/vitest\/dist\//, /\/vite-node\/dist\//, /@vitest\//, /mutants\/runner/, /^mock:/]

const nameOf = ({ name, suite }: RunnerTestCase | RunnerTestSuite): string =>
  suite === undefined ? name : `${nameOf(suite)} > ${name}`

/** A run of which nobody hears: it ends with the first test that fails. */
class QuietRunner extends VitestTestRunner {
  isKilled = false
  wants: (name: string) => boolean = () => true
  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    if (this.isKilled || !this.wants(nameOf(test))) test.mode = "skip"
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
    const seen: Seen = new Map()
    now.seen = seen
    const began = clock.now()
    try {
      await run()
    } catch (error) {
      say("failing", this.file)
      throw error
    } finally {
      now.seen = atLoad
    }
    if (clock.now() - began > longestTestMs) this.slow.add(nameOf(test))
    for (const id of seen.keys()) {
      if (!reached.has(id)) say("reached", id)
      reached.add(id)
    }
    if (!this.slow.has(nameOf(test))) await this.tryEach(nameOf(test), seen, run)
  }

  private readonly slow = new Set<string>()
  /** Those that a test reaches that cannot be run again by itself. */
  private readonly reachedIn = new Map<string, Set<string>>()

  /** A mutant left something behind, by which tests fail without it as well. */
  private isSpoilt = false

  private async tryEach(name: string, seen: Seen, run: () => unknown): Promise<void> {
    // Each has its turn as the first, where nothing can have been left behind before it.
    const [first, ...before] = this.spoilt.toReversed()
    const left = [...seen.keys()].filter(
      (id) => !over.has(id) && !before.includes(id) && (spentMs.get(id) ?? 0) < mostOfFileMs
    )
    if (left.length === 0 || this.isSpoilt) return
    const plain = await measured(run, longestTestMs)
    if (plain.failed || (this.spoilt.length > 0 && (await measured(run, longestTestMs)).failed)) {
      // It may with what its file does before and after each.
      for (const id of left) this.reachedIn.set(id, (this.reachedIn.get(id) ?? new Set()).add(name))
      return
    }
    // What is asked for less often the second time is remembered by a module.
    for (const id of left) if ((plain.seen.get(id) ?? 0) < (seen.get(id) ?? 0)) atLoad.set(id, 0)
    for (const id of left.sort((a, b) => Number(b === first) - Number(a === first))) {
      if (!(await isNoticed(id, run, plain))) continue
      this.isSpoilt = (await measured(run, longestTestMs)).failed
      if (!this.isSpoilt || id === first) end(id, "killed")
      else say("spoilt", `${id} ${this.file}`)
      if (this.isSpoilt) return
    }
  }

  async onCollected(files: RunnerTestFile[]): Promise<void> {
    for (const id of atLoad.keys()) if (!reached.has(id)) say("reached", id)
    this.files = files.map(({ filepath }) => filepath)
    this.file = relative(process.cwd(), this.files[0] ?? "")
    this.spoilt = idsWith("spoilt").flatMap((line) => {
      const [id = "", file] = line.split(" ")
      return file === this.file ? [id] : []
    })
  }
  private files: readonly string[] = []
  private file = ""
  /** With these a test of this file failed, and went on failing without them. */
  private spoilt: readonly string[] = []

  /** The tests of the file with modules that are loaded anew; whether one failed. */
  private async again(wants: (name: string) => boolean): Promise<boolean> {
    const inner = this as unknown as Inner
    const { moduleCache } = inner.workerState
    moduleCache.forEach((module, path) => {
      if (!stays.some((pattern) => pattern.test(path))) moduleCache.invalidateModule(module)
    })
    const quiet = new QuietRunner({ ...this.config, setupFiles: [] })
    ;(quiet as unknown as Inner).__vitest_executor = inner.__vitest_executor
    quiet.wants = (name) => !this.slow.has(name) && wants(name)
    const files = await startTests([...this.files], quiet as never).catch(() => undefined)
    return quiet.isKilled || files === undefined || files.some(({ result }) => result?.state === "fail")
  }

  override async onAfterRunFiles(): Promise<void> {
    const again =
      (wants: (name: string) => boolean = () => true) =>
      async () => {
        if (await this.again(wants)) throw new Error("a test failed")
      }
    const some = [...this.reachedIn].map(([id, names]) => [id, again((name) => names.has(name))] as const)
    const all = [...atLoad.keys()].map((id) => [id, again()] as const)
    const left = this.isSpoilt ? [] : [...new Map([...some, ...all])].filter(([id]) => !over.has(id))
    // Where tests fail when they are run again as they are, they would seem to notice everything.
    const plain = left.length === 0 ? undefined : await measured(again(), longestFileMs)
    if (plain?.failed === false)
      for (const [id, run] of left) if (await isNoticed(id, run, plain)) end(id, "killed")
    if (!this.isSpoilt) say("done", this.file)
    closeSync(out)
    super.onAfterRunFiles()
  }
}
