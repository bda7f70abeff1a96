/** Limits of hooks: what they say to the runs there were, and that all processes go by the same runs. */
import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { beforeEach, describe, expect, it } from "vitest"
import type { FactId, InvocationId } from "../../../events/ids.ts"
import { forgetSessions } from "../../../src/history/ledger.ts"
import { makePast } from "../../../src/history/makePast.ts"
import type { Asking } from "../../../src/history/Past.ts"
import { makeRecall } from "../../../src/history/recall.ts"
import { defineHook, type HookDefinition } from "../../../src/hooks/defineHook.ts"
import { limitProblems } from "../../../src/hooks/limitProblems.ts"
import { limitsOf, refusal } from "../../../src/hooks/limits.ts"
import { openSpool } from "../../../src/log/spool/spoolWriter.ts"
import { redactDraft } from "../../../src/redact/redact.ts"
import { collect, startProgram } from "../../support/child.ts"

type Limited = Pick<HookDefinition, "once" | "cooldown" | "rateLimit">

const said = (limited: Limited, runs: readonly number[], now: number) =>
  limitsOf(limited).map((limit) => refusal(limit, runs, now))[0]

describe("a limit", () => {
  it("of once lets the first run by, ever", () => {
    expect(said({ once: "session" }, [], 0)).toBeUndefined()
    expect(said({ once: "session" }, [0], 1e12)).toBe("once: it has run in this session already")
    expect(said({ once: "project" }, [5], 6)).toBe("once: it has run in this project already")
  })

  it("of a cooldown lets a run by once its time has passed", () => {
    const cooldown = "10 seconds"
    expect(said({ cooldown }, [], 0)).toBeUndefined()
    expect(said({ cooldown }, [1000], 10_999)).toBe("cooldown: it runs again in this session in 1 ms")
    expect(said({ cooldown }, [1000], 11_000)).toBeUndefined()
    expect(said({ cooldown: { for: "2 hours", scope: "project" } }, [0], 60_000)).toBe(
      "cooldown: it runs again in this project in 2 hours"
    )
  })

  it("of a rate counts the runs within its time, and says when the next may be", () => {
    const rateLimit = { limit: 2, per: "1 minute" } as const
    expect(said({ rateLimit }, [0], 1000)).toBeUndefined()
    expect(said({ rateLimit }, [0, 30_000], 40_000)).toBe(
      "rateLimit: 2 in 1 minute in this session is the most; the next in 20 seconds"
    )
    expect(said({ rateLimit }, [0, 30_000], 60_000)).toBeUndefined()
  })

  it("does not keep a hook out for longer where the clock was set back", () => {
    expect(said({ cooldown: 1000 }, [50_000], 10_000)).toBeUndefined()
    expect(said({ cooldown: 1000 }, [10_500], 10_000)).toBe(
      "cooldown: it runs again in this session in 1 second"
    )
  })

  it.each([
    [{ once: "day" }, 'once must be "session" or "project"'],
    [{ cooldown: "soon" }, /^cooldown must be a number of milliseconds, or a text such as/],
    [{ cooldown: { for: "1 hour", scope: "user" } }, /^cooldown has a `scope` that must be/],
    [{ cooldown: { per: "1 hour" } }, /^cooldown has no `per`/],
    [{ rateLimit: 3 }, /^rateLimit must be an object/],
    [{ rateLimit: { limit: 0, per: 1 } }, /^rateLimit needs a `limit`/],
    [{ rateLimit: { limit: 1 } }, /^rateLimit needs a `per`/],
    [{ retry: 11 }, /^retry must be a whole number of attempts from 1 to 10/],
    [{ retry: { attempts: 2, delay: "1 hour" } }, /^retry has a `delay` that must be/],
    [{ retry: { attempts: 2, wait: 1 } }, /^retry has no `wait`/]
  ])("that is written wrong is told: %j", (fields, problem) => {
    expect(limitProblems(fields).map((one) => one.join(" "))).toEqual([
      typeof problem === "string" ? problem : expect.stringMatching(problem)
    ])
  })
})

let state: string
beforeEach(() => {
  state = mkdtempSync(join(homedir(), "limits-"))
})

let calls = 0
const asking = (more: Partial<Asking> = {}): Asking => ({
  invocation: `018f3b5e-7c1a-7d3e-9b2a-${String(++calls).padStart(12, "0")}`,
  agent: "claude-code",
  session: "s",
  project: "/p",
  ...more
})

const hook = (more: Limited) => defineHook({ name: "limited", on: "tool.before", run: () => {}, ...more })

/** As each hook call does: in a process that knows nothing of those before. */
const admit = (more: Limited, at: number, who: Partial<Asking> = {}) =>
  makePast({ recall: () => makeRecall, state, now: () => at }).admit(hook(more), "tool.before", asking(who))

describe("what a hook call knows of those before it", () => {
  it("is the same in every process", () => {
    expect(admit({ once: "session" }, 1)).toBeUndefined()
    expect(admit({ once: "session" }, 2)).toMatch(/^once/)
    expect(admit({ once: "session" }, 3, { session: "another" })).toBeUndefined()
    expect(admit({ cooldown: 100 }, 50)).toMatch(/^cooldown/)
    expect(admit({ cooldown: 100 }, 101)).toBeUndefined()
  })

  it("counts a project's runs over its sessions, and apart from those of other projects", () => {
    expect(admit({ once: "project" }, 1)).toBeUndefined()
    expect(admit({ once: "project" }, 2, { session: "another" })).toMatch(/^once/)
    expect(admit({ once: "project" }, 3, { project: "/other" })).toBeUndefined()
  })

  it("takes the project for the session where there is none", () => {
    expect(admit({ once: "session" }, 1, { session: null })).toBeUndefined()
    expect(admit({ once: "session" }, 2, { session: null })).toMatch(/^once/)
    expect(admit({ once: "session" }, 3)).toBeUndefined()
  })

  it("does not count a run that another limit kept out", () => {
    const both = { rateLimit: { limit: 2, per: 1000 }, cooldown: { for: 500, scope: "project" } } as const
    expect(admit(both, 0)).toBeUndefined()
    for (const at of [1, 2, 3]) expect(admit(both, at)).toMatch(/^cooldown/)
    expect(admit(both, 600)).toBeUndefined()
    expect(admit(both, 999)).toMatch(/^rateLimit|^cooldown/)
    expect(admit(both, 1100)).toBeUndefined()
  })

  it.skipIf(process.platform === "win32")("waits for no pipe that stands in a file's place", () => {
    expect(admit({ once: "session" }, 1)).toBeUndefined()
    const [file = ""] = readdirSync(join(state, "limits"))
    rmSync(join(state, "limits", file))
    spawnSync("mkfifo", [join(state, "limits", file)])
    const past = makePast({ recall: () => makeRecall, state, now: () => 2 })
    expect(past.admit(hook({ once: "session" }), "tool.before", asking())).toBeUndefined()
    expect(past.complaints()).toEqual([expect.stringContaining("is not a file")])
  })

  it("is told where what was switched is damaged, and every hook runs as it says itself", () => {
    for (const entry of [
      null,
      1,
      "x",
      { hook: "a", scope: "user", enabled: "no" },
      { hook: "a", scope: "x", enabled: true }
    ]) {
      writeFileSync(join(state, "switches.json"), JSON.stringify({ version: 1, switches: [entry] }))
      const past = makePast({ recall: () => makeRecall, state })
      expect(past.switched("a", asking())).toBeUndefined()
      expect(past.complaints()).toEqual([expect.stringContaining("switches.json is damaged")])
    }
  })

  it("takes a call that is planned again, because its host died, for the same call", () => {
    const call = "018f3b5e-7c1a-7d3e-9b2a-aaaaaaaaaaaa"
    const twice = { rateLimit: { limit: 2, per: 1000 } } as const
    for (let planned = 0; planned < 3; planned++) {
      const past = makePast({ recall: () => makeRecall, state, now: () => planned })
      const asked = () => past.admit(hook(twice), "tool.before", asking({ invocation: call }))
      expect([asked(), asked(), asked()]).toEqual([undefined, undefined, expect.stringMatching(/^rateLimit/)])
    }
    expect(admit(twice, 5)).toMatch(/^rateLimit/)
  })

  /** One run of the hook that is limited, as a call records it. */
  const spoolStarted = (at: number): void => {
    const id = "018f3b5e-7c1a-7d3e-9b2a-1c2d3e4f5a6c" as InvocationId
    const spool = openSpool(state, id)
    const fact = {
      id: "018f3b5e-7c1a-7d3e-9b2a-00000000000a" as FactId,
      stream: `invocation/${id}`,
      type: "HANDLER_STARTED" as const,
      schemaVersion: 1,
      at,
      cause: null,
      agent: "raw",
      agentEvent: "tool.before",
      event: "tool.before",
      session: "s",
      project: "/p",
      toolUseId: null,
      data: {
        type: "HANDLER_STARTED",
        handler: "limited",
        event: "tool.before",
        index: 0,
        attempt: 1
      } as const
    }
    spool.append(redactDraft(fact) as never)
    spool.close()
  }

  it("comes from the log where nothing else is left", () => {
    const id = "018f3b5e-7c1a-7d3e-9b2a-1c2d3e4f5a6b" as InvocationId
    const started = (at: number, handler: string, attempt: number, n: number) => ({
      id: `018f3b5e-7c1a-7d3e-9b2a-00000000000${n}` as FactId,
      stream: `invocation/${id}`,
      type: "HANDLER_STARTED" as const,
      schemaVersion: 1,
      at,
      cause: null,
      agent: "raw",
      agentEvent: "tool.before",
      event: "tool.before",
      session: "s",
      project: "/p",
      toolUseId: null,
      data: { type: "HANDLER_STARTED", handler, event: "tool.before", index: 0, attempt } as const
    })
    const spool = openSpool(state, id)
    for (const [n, [at, name, attempt]] of (
      [
        [100, "limited", 1],
        [150, "limited", 2],
        [200, "other", 1]
      ] as const
    ).entries())
      spool.append(redactDraft(started(at, name, attempt, n)) as never)
    spool.close()
    expect(admit({ cooldown: 100 }, 199)).toMatch(/^cooldown/)
    expect(admit({ cooldown: 100 }, 200)).toBeUndefined()
    rmSync(join(state, "limits"), { recursive: true })
    expect(admit({ once: "project" }, 300)).toMatch(/^once/)
    expect(admit({ once: "session" }, 300, { session: "t" })).toBeUndefined()
  })

  it.each([
    ["emptied", () => ""],
    ["filled with something else", () => "no record at all\n".repeat(40)],
    ["cut in its first record", (text: string) => text.slice(0, 20)],
    ["torn in the middle", (text: string) => text.slice(0, 100) + text.slice(128) + text.slice(128)],
    ["overwritten with zeros", (text: string) => "\0".repeat(text.length)]
  ])("comes from the log where its file was %s", (_, damage) => {
    spoolStarted(100)
    expect(admit({ once: "session" }, 150)).toMatch(/^once/)
    const [file = ""] = readdirSync(join(state, "limits"))
    const path = join(state, "limits", file)
    writeFileSync(path, damage(readFileSync(path, "utf8")))
    expect(admit({ once: "session" }, 160)).toMatch(/^once/)
    expect(admit({ cooldown: 100 }, 199)).toMatch(/^cooldown/)
  })

  it("is said to be missing where it cannot be kept, and the hook runs", () => {
    writeFileSync(join(state, "limits"), "in the way")
    const past = makePast({ recall: () => makeRecall, state })
    expect(past.admit(hook({ once: "session" }), "tool.before", asking())).toBeUndefined()
    expect(past.complaints()).toEqual([expect.stringMatching(/^the limits of hook limited are not kept: /)])
    expect(past.complaints()).toEqual([])
  })

  it("is cleared away for sessions that are long over, and then told by the log", () => {
    admit({ once: "session" }, 1)
    admit({ once: "project" }, 1)
    forgetSessions(state, 0)
    expect(readdirSync(join(state, "limits"))).toHaveLength(2)
    forgetSessions(state, Date.now() + 60_000)
    expect(readdirSync(join(state, "limits"))).toEqual([expect.stringMatching(/^project-/)])
  })

  it("leaves nothing behind for hooks without limits", () => {
    expect(admit({}, 1)).toBeUndefined()
    expect(readdirSync(state)).toEqual([])
  })

  it.each([
    [{ once: "session" }, 1],
    [{ rateLimit: { limit: 5, per: "1 hour" } }, 5],
    [{ cooldown: "1 hour", rateLimit: { limit: 9, per: "1 day", scope: "project" } }, 1]
  ])("holds for processes that ask at the same moment: %j", async (options, most) => {
    mkdirSync(state, { recursive: true })
    const children = Array.from({ length: 6 }, () =>
      startProgram("admit", [state, "4", JSON.stringify(options)], { stdio: "pipe" })
    )
    const heard = children.map((child) => ({
      out: collect(child.stdout as NodeJS.ReadableStream),
      err: collect(child.stderr as NodeJS.ReadableStream)
    }))
    await Promise.all(children.map((child) => once(child.stdout as NodeJS.ReadableStream, "readable")))
    for (const child of children) child.stdin?.end("go")
    const counts = (await Promise.all(heard.map(({ out }) => out))).map((text) => Number(text.split("\n")[1]))
    expect(await Promise.all(heard.map(({ err }) => err))).toEqual(children.map(() => ""))
    expect(counts.reduce((sum, one) => sum + one, 0)).toBe(most)
  })
})

describe("a stop that is the first by its payload", () => {
  const blockedAt = (agent: string) => {
    const recall = () => ({ blocked: () => 2, admit: () => undefined, close: () => {} })
    const past = makePast({ recall: () => recall, state: "/nowhere" })
    return past.stops(
      { event: "turn.stop", data: { stopHookActive: false } },
      { invocation: "i", agent, session: "s", project: "/p" }
    ).blocked
  }

  it("is not looked up, unless the agent says so of every stop", () => {
    expect([blockedAt("claude-code"), blockedAt("qwen-code"), blockedAt("raw")]).toEqual([0, 2, 2])
  })
})

describe("stops of one moment", () => {
  const event = { event: "turn.stop", data: { stopHookActive: true } } as never
  const stops = (at: number, more: Partial<Asking> = {}) =>
    makePast({ recall: () => makeRecall, state, now: () => at }).stops(event, asking(more)).blocked

  it("each count those before them that have no answer yet", () => {
    expect([1, 1, 1, 2].map((at) => stops(at))).toEqual([0, 1, 2, 3])
    expect(stops(3, { session: "another" })).toBe(0)
  })

  it("do not count one whose process was ended long ago", () => {
    expect(stops(1)).toBe(0)
    expect(stops(120_001)).toBe(0)
  })

  it("are not counted twice where a call is planned again", () => {
    const invocation = "018f3b5e-7c1a-7d3e-9b2a-bbbbbbbbbbbb"
    expect([stops(1, { invocation }), stops(2, { invocation })]).toEqual([0, 0])
  })
})
