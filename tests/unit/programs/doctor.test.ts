/** What `doctor` makes of what it finds. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import type { InvocationFact, JobFact } from "../../../events/facts.ts"
import type { FactId } from "../../../events/ids.ts"
import { noMarks, type Recorded } from "../../../events/Recorded.ts"
import type { Job } from "../../../src/jobs/Job.ts"
import { countUnreachable } from "../../../src/log/spool/unreachable.ts"
import { checkActivity } from "../../../src/programs/cli/doctor/activity.ts"
import { checkRegistration } from "../../../src/programs/cli/doctor/agents.ts"
import { checkHost } from "../../../src/programs/cli/doctor/host.ts"
import { checkQueue } from "../../../src/programs/cli/doctor/queue.ts"
import {
  checkHook,
  checkKey,
  checkLauncher,
  checkReach,
  checkRuntime,
  checkSpool,
  checkState
} from "../../../src/programs/cli/doctor/setup.ts"
import { neededVariable } from "../../../src/programs/cli/neededVariable.ts"
import { launcherText } from "../../../src/programs/cli/prepare.ts"
import { defaultEvents } from "../../../src/tools/install/events.ts"
import * as fact from "../../support/facts.ts"

const makeState = (): string => {
  const state = join(
    realpathSync(mkdtempSync(join(process.env["HOOKTAPE_TEST_ROOT"] ?? tmpdir(), "doctor-"))),
    "state"
  )
  mkdirSync(join(state, "bin"), { recursive: true, mode: 0o700 })
  return state
}

describe("the set-up", () => {
  it("needs Node 20.19", () => {
    expect(["v20.18.9", "v18.20.0"].map((one) => checkRuntime(one).status)).toEqual(["fail", "fail"])
    expect(["v20.19.0", "v22.0.0", "v24.1.0"].map((one) => checkRuntime(one).status)).toEqual([
      "ok",
      "ok",
      "ok"
    ])
  })

  it("needs a private state directory of our own", () => {
    const state = makeState()
    expect(checkState(state).status).toBe("ok")
    chmodSync(state, 0o750)
    expect(checkState(state)).toMatchObject({ status: "fail", fix: `Run: chmod 700 '${state}'` })
    symlinkSync(state, `${state}-link`)
    expect(checkState(`${state}-link`).status).toBe("fail")
    expect(checkState(`${state}-none`).status).toBe("fail")
  })

  it("is without a host only where one could start", async () => {
    const state = makeState()
    const lock = join(state, "run", "host.lock")
    const host = () => Effect.runPromise(checkHost(state, {}))
    expect(await host()).toMatchObject([{ status: "ok", message: "none is running; a hook starts one" }])
    mkdirSync(lock, { recursive: true, mode: 0o700 })
    expect(await host()).toMatchObject([
      { status: "fail", message: `none can start: ${lock} is not a file: move it away` }
    ])
  })

  it("needs a launcher that can start, of a Node that is there", () => {
    const state = makeState()
    const file = join(state, "bin", "entry")
    expect(checkLauncher(state).message).toContain("is missing")
    writeFileSync(file, launcherText(state), { mode: 0o600 })
    expect(checkLauncher(state).message).toContain("is not executable")
    chmodSync(file, 0o700)
    expect(checkLauncher(state).status).toBe("ok")
    writeFileSync(file, launcherText(state).replaceAll(process.execPath, "/gone/node"))
    expect(checkLauncher(state)).toMatchObject({
      status: "fail",
      message: "it starts /gone/node, which is gone"
    })
  })

  it("needs what agents start to be there, and says what it is", () => {
    const state = makeState()
    const file = join(state, "bin", "hook")
    const client = join(state, "shipped")
    const hook = () => checkHook(state, client)
    expect(hook().message).toContain("is missing")
    writeFileSync(file, launcherText(state), { mode: 0o600 })
    expect(hook().message).toContain("is not executable")
    chmodSync(file, 0o700)
    expect(hook()).toMatchObject({
      status: "ok",
      message: expect.stringMatching(/^the launcher: .* no native/)
    })
    writeFileSync(client, "\x7fELF of today")
    expect(hook()).toMatchObject({
      status: "warn",
      message: expect.stringMatching(/though there is a native/)
    })
    writeFileSync(file, "\x7fELF of yesterday")
    expect(hook()).toMatchObject({ status: "warn", message: expect.stringMatching(/of another version/) })
    writeFileSync(file, "\x7fELF of today")
    expect(hook()).toMatchObject({ status: "ok", message: expect.stringMatching(/^the native client/) })
    writeFileSync(file, "#!/bin/sh\nexec something else\n")
    expect(hook()).toMatchObject({
      status: "warn",
      fix: expect.stringMatching(/^Run "hooktape install --agent [a-z-]+"/)
    })
  })

  it("hears that hook calls were handled nowhere, how many and why", () => {
    const state = makeState()
    mkdirSync(join(state, "run"), { mode: 0o700 })
    const reach = (threshold?: string) =>
      checkReach(state, threshold === undefined ? {} : { HOOKTAPE_FAIL_LOUD_THRESHOLD: threshold })
    expect(reach().status).toBe("ok")
    countUnreachable(state, "1700000000.1", "no-entrypoint", 3)
    countUnreachable(state, "1700000000.2", "no-record", 3)
    expect(reach()).toMatchObject({
      status: "warn",
      message:
        "2 hook calls in a row could be handled nowhere, the last because the call could not be recorded",
      fix: expect.stringContaining(join(state, "spool"))
    })
    expect(reach("2").status).toBe("fail")
  })

  it("sees a key that others can read, and lines that could not be taken in", () => {
    const state = makeState()
    expect(checkKey(state).status).toBe("warn")
    writeFileSync(join(state, "key"), Buffer.alloc(32), { mode: 0o644 })
    expect(checkKey(state).status).toBe("fail")
    mkdirSync(join(state, "spool", "errors"), { recursive: true })
    expect(checkSpool(state).status).toBe("ok")
    writeFileSync(join(state, "spool", "errors", "one.json"), "")
    expect(checkSpool(state)).toMatchObject({
      status: "warn",
      message: "1 file with lines that could not be read"
    })
  })
})

describe("a shipped hook that a variable has to ask for", () => {
  it("waits for it, and others wait for nothing", () => {
    expect(neededVariable("session-monitor", {})).toBe("HOOKTAPE_SESSION_MONITOR")
    expect(neededVariable("session-monitor-analysis", { HOOKTAPE_SESSION_MONITOR: "no" })).toBe(
      "HOOKTAPE_SESSION_MONITOR"
    )
    expect(neededVariable("session-monitor", { HOOKTAPE_SESSION_MONITOR: "True" })).toBe(undefined)
    expect(neededVariable("learn", {})).toBe(undefined)
  })
})

describe("an agent's settings", () => {
  const all = defaultEvents("claude-code")
  const look = (events: readonly string[]) =>
    checkRegistration({
      agent: "claude-code",
      scope: "user",
      file: "/home/dev/.claude/settings.json",
      exists: true,
      missing: all.filter((event) => !events.includes(event)),
      registered: events.map((event) => ({ event, bin: process.execPath, current: true })),
      concerns: []
    })

  it("that leave out an event at which a guard would stand are told, as after an upgrade", () => {
    expect(look(all)).toEqual([expect.objectContaining({ status: "ok" })])
    expect(look(all.filter((event) => event !== "PreSkillShellCommand"))).toEqual([
      {
        name: "claude-code",
        status: "warn",
        message:
          "/home/dev/.claude/settings.json leaves out PreSkillShellCommand: no guard sees what Claude Code does there",
        fix: 'Run "hooktape install --agent claude-code --scope user" again.'
      }
    ])
  })

  it("that name some events go on with those", () => {
    expect(look(["PreToolUse", "Stop"])).toEqual([
      expect.objectContaining({
        status: "warn",
        fix: 'Run "hooktape install --agent claude-code --scope user --events PreToolUse,Stop,PreSkillShellCommand".'
      })
    ])
  })

  it("may leave out all that comes before a tool, and whatever else", () => {
    expect(look(["SessionStart", "Stop"])).toEqual([expect.objectContaining({ status: "ok" })])
    expect(look(all.filter((event) => event !== "Notification"))).toEqual([
      expect.objectContaining({ status: "ok" })
    ])
  })
})

describe("the last day", () => {
  const minute = 60_000
  const recorded = (stream: string, at: number, data: InvocationFact | JobFact): Recorded => ({
    ...noMarks,
    id: `${stream}-${data.type}` as FactId,
    stream,
    type: data.type,
    schemaVersion: 1,
    at,
    cause: null,
    position: 1,
    version: 1,
    source: "test",
    recordedAt: at,
    known: true,
    data
  })
  const hook = fact.plannedHandler("guard", 0)

  it("is well when every invocation ended", () => {
    const facts = [recorded("invocation/a", 0, fact.opened()), recorded("invocation/a", 0, fact.exited())]
    expect(checkActivity(facts, 10 * minute)).toMatchObject([{ status: "ok" }])
  })

  it("counts the calls that their clients answered alone", () => {
    const facts = ["a", "b", "c"].flatMap((one, at) => [
      recorded(`invocation/${one}`, 0, fact.opened(at === 0 ? {} : { route: "client" })),
      recorded(`invocation/${one}`, 0, fact.exited())
    ])
    expect(checkActivity(facts, 10 * minute)[0]?.message).toBe(
      "3 invocations in 24 h, 2 answered by the client alone, none failed, none lost"
    )
  })

  it("names hooks that fail with how often and why, and invocations that were lost", () => {
    const facts = [
      recorded("invocation/aaaaaaaa", 0, fact.opened()),
      recorded("invocation/bbbbbbbb", 0, fact.opened()),
      recorded("invocation/bbbbbbbb", 0, fact.failed(hook, "boom")),
      recorded("invocation/bbbbbbbb", 0, fact.timedOut(hook)),
      recorded("invocation/bbbbbbbb", 0, fact.exited()),
      recorded("invocation/cccccccc", 10 * minute - 1, fact.opened())
    ]
    expect(checkActivity(facts, 10 * minute).map(({ message, fix }) => [message, fix])).toEqual([
      ['the hook "guard" failed 2 times in 24 h: not done within 1000 ms', "Look: hooktape show bbbbbbbb"],
      ["1 invocation in 24 h never ended", "Look: hooktape show aaaaaaaa"]
    ])
  })

  it("counts the failures of a hook that somebody has removed, and asks for nothing", () => {
    const facts = [
      recorded("invocation/a", 0, fact.opened()),
      recorded("invocation/a", 0, fact.failed(hook, "boom")),
      recorded("invocation/a", 0, fact.exited())
    ]
    expect(checkActivity(facts, 10 * minute, () => false)).toEqual([
      {
        name: "activity",
        status: "ok",
        message: "1 invocation in 24 h, 1 failed by hooks that are gone, none lost"
      }
    ])
  })

  it("counts the payloads that could not be read, since no hook ran for them", () => {
    const facts = ["aaaaaaaa", "bbbbbbbb"].flatMap((one) => [
      recorded(`invocation/${one}`, 0, fact.opened()),
      recorded(`invocation/${one}`, 0, {
        type: "PAYLOAD_REJECTED",
        reason: "malformed",
        detail: `no JSON in ${one}`,
        bytes: 3,
        digest: ""
      }),
      recorded(`invocation/${one}`, 0, fact.exited())
    ])
    expect(checkActivity(facts, 10 * minute).map(({ message, fix }) => [message, fix])).toEqual([
      [
        "2 payloads in 24 h could not be read, so no hook ran: no JSON in bbbbbbbb",
        "Look: hooktape show bbbbbbbb"
      ]
    ])
  })

  it("says that jobs failed for good, and no more of those that were taken up again", () => {
    const died = (stream: string, message: string) =>
      recorded(stream, 0, { type: "JOB_DIED", attempts: 5, error: { name: "Error", message } })
    const facts = [died("job/a", "no network"), died("job/b", "no disk"), died("job/c", "no luck")]
    const retried = recorded("job/c", 1, { type: "JOB_RETRIED", by: "operator" })
    expect(checkActivity([...facts, retried], minute)).toMatchObject([
      {
        name: "jobs",
        status: "warn",
        message: "2 jobs in 24 h failed for good: no disk",
        fix: expect.stringContaining("hooktape jobs list --state dead")
      }
    ])
  })

  it("says which project a hook is of, and nothing of hooks that are gone", () => {
    const of = (project: string, stream: string, name: string): Recorded => ({
      ...recorded(stream, 0, fact.failed(fact.plannedHandler(name, 0), "boom")),
      project
    })
    const facts = [
      of("/home/me/site", "invocation/aaaaaaaa", "guard"),
      of("/home/me/shop", "invocation/bbbbbbbb", "guard"),
      of("/home/me/shop", "invocation/cccccccc", "gone")
    ]
    const checks = checkActivity(facts, minute, (hook) => hook !== "gone")
    expect(checks.map(({ message }) => message)).toEqual([
      'the hook "guard" of site failed once in 24 h: boom',
      'the hook "guard" of shop failed once in 24 h: boom'
    ])
  })
})

describe("the queue of jobs", () => {
  const waiting = (count: number, more: Partial<Job> = {}): readonly Job[] =>
    Array.from(
      { length: count },
      () => ({ kind: "hook", state: "queued", handler: "learn", project: "/work/shop", ...more }) as Job
    )
  const bounds = { perHook: 10, inAll: 20 }

  it("is spoken of before jobs are dropped", () => {
    expect(checkQueue(waiting(6), bounds)).toEqual([])
    expect(checkQueue(waiting(7), bounds)).toMatchObject([
      { status: "warn", message: '7 jobs of "learn" of shop wait; from 10 on some are dropped' }
    ])
    expect(checkQueue(waiting(30, { state: "done" }), bounds)).toEqual([])
  })

  it("counts what waits for another attempt, each hook and project for itself, and all together", () => {
    const jobs = [
      ...waiting(6),
      ...waiting(4, { project: null, state: "waiting" }),
      ...waiting(3, { kind: "note" })
    ]
    expect(checkQueue(jobs, bounds)).toEqual([])
    expect(checkQueue([...jobs, ...waiting(1, { kind: "note" })], bounds)).toMatchObject([
      { message: "14 jobs wait in all; from 20 on some are dropped" }
    ])
  })
})
