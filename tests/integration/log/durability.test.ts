/** What was written stays: entrypoints killed at any moment, many at once, and a state directory that cannot be written. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { describeInvocation } from "../../../src/features/timeline/describe.ts"
import { bash, dataOf, inTurns, outcomeOf, type Station, station } from "../../support/entrypoint.ts"

/** Several handlers that each write, wait and answer: many facts, and time to be killed between any two. */
const hooks = `import { blockingFeedback, defineHook, modelContext } from "hooktape"
const step = (name: string) => defineHook({
  name, on: "tool.before", async run() {
    console.log("noise of " + name)
    await new Promise((resolve) => setTimeout(resolve, 4))
    return modelContext(name)
  }
})
export const one = step("one")
export const two = step("two")
export const three = step("three")
export const guard = defineHook({ name: "guard", on: "tool.before", when: { command: /forbidden/ }, run: () => blockingFeedback("REASON") })
`

let place: Station

beforeAll(async () => {
  place = await station()
  place.putUser("config.json", JSON.stringify({ deadlineMs: 60_000 }))
  place.putUser("hooks/steps.ts", hooks)
  await place.build()
  // The code cache, so that a kill falls into the work and not into the first compilation.
  await place.fire({ input: bash("true") })
}, 60_000)

/** Numbers that look random and are the same in every run. */
const mulberry = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

/** The spool as it is on disk: whole lines by the process that writes them. */
const makeWatch = (spool: string) => {
  const known = new Map<string, number>()
  const linesOf = (name: string): readonly string[] => {
    const text = readFileSync(join(spool, name), "utf8")
    return text.split("\n").slice(0, -1)
  }
  const look = () => {
    for (const name of readdirSync(spool)) {
      const id = name.replace(/\.open$/, "")
      if (known.has(id) || !/\.ndjson/.test(name)) continue
      try {
        const [first] = linesOf(name)
        if (first !== undefined) known.set(id, JSON.parse(first).data.pid)
      } catch {
        // Closed or taken in between listing and reading.
      }
    }
  }
  return (pid: number): readonly string[] => {
    look()
    const id = [...known].find(([, of]) => of === pid)?.[0]
    if (id === undefined) return []
    for (const name of [`${id}.open`, id]) {
      try {
        return linesOf(name)
      } catch {
        // Under its other name.
      }
    }
    return []
  }
}

const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 1))
const kills = 200

describe("200 entrypoints killed at random moments", () => {
  it("lose nothing they wrote, break nothing, and are marked lost", async () => {
    const random = mulberry(20261120)
    const linesWritten = makeWatch(join(place.state, "spool"))
    const moments = Array.from({ length: kills }, (_, at) =>
      // Half by what is seen to be written, half by the clock: the ways a process can be caught are not only between lines.
      at % 2 === 0 ? { lines: Math.floor(random() * 12) } : { ms: random() * 160 }
    )
    const killed = await inTurns(moments, 4, async ({ lines, ms }) => {
      const child = place.start({ input: bash("true") })
      const pid = child.pid ?? 0
      child.stdin?.on("error", () => undefined)
      child.stdin?.end(bash("true"))
      const ended = outcomeOf(child)
      let over = false
      ended.finally(() => {
        over = true
      })
      const began = performance.now()
      while (
        !over &&
        (ms === undefined ? linesWritten(pid).length < (lines ?? 0) : performance.now() - began < ms)
      )
        await turn()
      child.kill("SIGKILL")
      const { signal } = await ended
      // Nobody takes the spool in before the end: what is there now is what was written before the kill.
      const drafts = linesWritten(pid).map((line): { id: string; stream: string } => JSON.parse(line))
      const file = `${drafts[0]?.stream.slice("invocation/".length)}.ndjson`
      return { pid, signal, file, ids: drafts.map(({ id }) => id) }
    })

    const dead = killed.filter(({ signal }) => signal === "SIGKILL")
    expect(dead.length, "were still running").toBeGreaterThan(kills / 4)
    const depths = new Set(dead.map(({ ids }) => ids.length))
    expect(depths.size, "different moments").toBeGreaterThan(6)

    const facts = await place.facts()
    const there = new Set(facts.map(({ id }) => id as string))
    const missing = killed.flatMap(({ ids }) => ids).filter((id) => !there.has(id))
    expect(missing).toEqual([])
    // Only a line that was cut off by the kill may have been set aside.
    const whole = new Map(killed.map(({ file, ids }) => [file, ids.length]))
    const rejected = facts
      .filter(({ type }) => type === "SPOOL_REJECTED")
      .map(({ data }) => data as { readonly file: string; readonly line: number })
    expect(rejected.filter(({ file, line }) => line <= (whole.get(file) ?? 0))).toEqual([])
    // A file whose process died before its first fact tells of nobody: it goes when it is old.
    for (const name of readdirSync(join(place.state, "spool")).filter((name) => name !== "errors"))
      expect(readFileSync(join(place.state, "spool", name), "utf8")).not.toContain("\n")

    const runs = await place.runsByPid()
    for (const { pid, ids } of killed) {
      const run = runs.get(pid)
      expect(run?.facts.map(({ id }) => id) ?? []).toEqual(ids)
      if (run === undefined) continue
      expect(describeInvocation(run.facts).lost, run.types.join()).toBe(!run.types.includes("EXITED"))
    }
    expect(
      [...runs.values()].filter(({ types }) => !types.includes("EXITED")).length,
      "lost"
    ).toBeGreaterThan(20)

    const after = await place.fire({ input: bash("true") })
    expect(after.code).toBe(0)
    expect((await place.runOf(after)).types.at(-1)).toBe("EXITED")
  }, 60_000)
})

describe("64 entrypoints at once", () => {
  it("are 64 complete invocations", async () => {
    const before = (await place.runs()).length
    const all = await inTurns(Array.from({ length: 64 }), 64, (_, at) =>
      place.fire({ input: bash(`echo ${at}`) })
    )
    for (const { code, stderr } of all) expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    const runs = await place.runsByPid()
    expect((await place.runs()).length - before).toBe(64)
    const complete = all.map(({ pid }) => runs.get(pid))
    const [first] = complete
    for (const run of complete) expect(run?.types).toEqual(first?.types)
    const commands = complete.map((run) => run && dataOf(run, "PAYLOAD_BUFFERED")[0]?.tool?.command)
    expect(commands).toEqual(all.map((_, at) => `echo ${at}`))
    expect(complete[0]?.types.at(-1)).toBe("EXITED")
  }, 60_000)
})

describe("a state directory that cannot be written", () => {
  const spool = () => join(place.state, "spool")
  const context = /"additionalContext":"one\\n\\ntwo\\n\\nthree"/

  /** Puts something else where the spool is, and the spool back afterwards. */
  const instead = async (put: () => void, act: () => Promise<void>) => {
    const aside = join(place.home, "spool-aside")
    renameSync(spool(), aside)
    put()
    try {
      await act()
    } finally {
      rmSync(spool(), { recursive: true, force: true })
      renameSync(aside, spool())
      // What could not be recorded was counted; tests/integration/programs/failLoud.test.ts looks at that.
      rmSync(join(place.state, "run", "unreachable"), { force: true })
    }
  }

  it.each([
    ["a file", (at: string) => writeFileSync(at, ""), /is not a directory/],
    [
      "a symbolic link",
      (at: string) => {
        mkdirSync(join(place.home, "elsewhere"))
        symlinkSync(join(place.home, "elsewhere"), at)
      },
      /is a symbolic link/
    ]
  ])(
    "has %s for a spool: hooks answer, guards block, the operator is told, nothing is written elsewhere",
    async (_, put, why) => {
      const before = await place.facts()
      await instead(
        () => put(spool()),
        async () => {
          const passed = await place.fire({ input: bash("true") })
          expect(passed.code).toBe(0)
          expect(passed.stdout).toMatch(context)
          expect(passed.stderr).toMatch(/^hooktape error: this hook call is not recorded: .*\n$/)
          expect(passed.stderr).toMatch(why)
          const blocked = await place.fire({ input: bash("forbidden") })
          expect(blocked.code).toBe(0)
          expect(JSON.parse(blocked.stdout).hookSpecificOutput).toMatchObject({
            permissionDecision: "deny",
            permissionDecisionReason: "REASON"
          })
          expect(blocked.stderr).not.toContain("at ")
        }
      )
      if (existsSync(join(place.home, "elsewhere")))
        expect(readdirSync(join(place.home, "elsewhere"))).toEqual([])
      // Of the calls themselves there is nothing but their count.
      const [gap, ...rest] = (await place.facts()).slice(before.length)
      expect(gap?.data).toMatchObject({ type: "CALLS_UNRECORDED", calls: 2 })
      expect(rest).toEqual([])
    }
  )

  it("has no place for noise: handlers' output stays off standard output all the same", async () => {
    const run = join(place.state, "run")
    const aside = join(place.home, "run-aside")
    renameSync(run, aside)
    try {
      const one = await place.fire({ input: bash("true") })
      expect(one).toMatchObject({ code: 0, stderr: "" })
      expect(one.stdout).toMatch(context)
      expect(one.stdout).not.toContain("noise")
      const types = (await place.runOf(one)).types
      expect(types.filter((type) => type === "NOISE_CAPTURED")).toHaveLength(3)
    } finally {
      renameSync(aside, run)
    }
  })

  it("leaves no noise files behind", () => {
    const left = readdirSync(join(place.state, "run"))
    // Those of killed launchers, whose process could not take them away.
    for (const name of left) unlinkSync(join(place.state, "run", name))
    expect(left.length).toBeLessThan(kills * 2)
  })
})

describe("the off switch and what is missing", () => {
  it("HOOKTAPE=0 reads all of its input, says nothing and records nothing", async () => {
    const before = await place.facts()
    const child = place.start({ env: { HOOKTAPE: "0" } })
    const drained = new Promise<void>((resolve, reject) => {
      child.stdin?.once("error", reject)
      child.stdin?.end("x".repeat(5_000_000), () => resolve())
    })
    expect(await outcomeOf(child)).toMatchObject({ code: 0, stdout: "", stderr: "" })
    await drained
    expect(await place.facts()).toEqual(before)
  })

  const without = async (file: string, act: () => Promise<void>) => {
    const aside = `${file}.aside`
    renameSync(file, aside)
    try {
      await act()
    } finally {
      renameSync(aside, file)
    }
  }

  it.each([
    ["the loader", () => join(place.state, "bin", "load.cjs"), "install"],
    // What becomes of calls whose bundles are gone: lostBuild.test.ts.
    ["the list of builds", () => join(place.state, "projects"), "build"]
  ])("without %s: exit 1 and one line that says what to do", async (_, file, remedy) => {
    await without(file(), async () => {
      const { code, stdout, stderr } = await place.fire({ input: bash("true") })
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
      expect(stderr).toMatch(new RegExp(`^hooktape: [^\\n]+ Run "hooktape ${remedy}"[^\\n]*\\.\\n$`))
    })
  })

  it("without Node: exit 1 and one line that says what to do", async () => {
    const hook = join(place.state, "bin", "hook")
    const text = readFileSync(hook, "utf8")
    writeFileSync(hook, text.replaceAll(process.execPath, "/nowhere/node"))
    try {
      const { code, stdout, stderr } = await place.fire({ input: bash("true") })
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
      expect(stderr).toBe('hooktape: /nowhere/node is gone. Run "hooktape install" again.\n')
    } finally {
      writeFileSync(hook, text)
    }
  })

  it("for an agent nobody knows: exit 1 and one line", async () => {
    const { code, stdout, stderr } = await place.fire({ agent: "nobody", input: bash("true") })
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
    expect(stderr).toMatch(/^hooktape: no agent is called nobody\. [^\n]+\n$/)
  })
})
