/** The session monitor from the end of a session to its note: client, host, job, and a scripted model command on the path. */
import { type ChildProcess, spawn } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { afterEach, describe, expect, it } from "vitest"
import type { MemoryFact } from "../../../events/facts.ts"
import { type Job, jobsIn } from "../../../src/jobs/Job.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { shippedClient } from "../../../src/programs/cli/prepare.ts"
import { hostStatus } from "../../../src/runtime/host/askHost.ts"
import { buildHooks } from "../../../src/tools/build/build.ts"
import { type Fired, payloadOf, type Station, station } from "../../support/entrypoint.ts"
import { equip, type RunningHost, startHost } from "../../support/host.ts"

let hosts: RunningHost[] = []
let places: Station[] = []
afterEach(async () => {
  for (const host of hosts) await host.stop("SIGKILL")
  // One that a client started is no child of ours.
  for (const { state } of places) {
    const there = await Effect.runPromise(Effect.option(hostStatus(state)))
    if (Option.isSome(there)) process.kill(there.value.pid, "SIGKILL")
  }
  hosts = []
  places = []
})

const answer =
  '{"summary":"a line was broken","recommendations":[{"priority":"high","action":"look at it"}],"confidence":0.9}'

/** Notes what it was asked with, then says this. */
const claude = (place: Station, does: string): void => {
  const file = join(place.home, "bin", "claude")
  writeFileSync(
    file,
    `#!/bin/sh\necho "HOOKTAPE=$HOOKTAPE $*" >>"$HOME/asked"\ncat >>"$HOME/prompt"\n${does}\n`
  )
  chmodSync(file, 0o755)
}

const furnished = async (settings: object = {}) => {
  const place = await station()
  places.push(place)
  delete place.env["HOOKTAPE_DEFAULTS"]
  mkdirSync(join(place.home, "bin"))
  Object.assign(place.env, {
    PATH: `${join(place.home, "bin")}:/usr/bin:/bin`,
    HOOKTAPE_SESSION_MONITOR: "true"
  })
  place.put("package.json", "{}")
  place.putUser("config.json", JSON.stringify({ hooks: settings }))
  await Effect.runPromise(buildHooks({ state: place.state, userFolder: place.userFolder, defaults: true }))
  await equip(place)
  const errors = join(place.state, "spool", "errors")
  mkdirSync(errors, { recursive: true, mode: 0o700 })
  const rejected = { file: "a.ndjson", line: 3, reason: "is not JSON", text: "{" }
  writeFileSync(join(errors, "a.ndjson.3.json"), JSON.stringify(rejected))
  return place
}

const host = async (place: Station): Promise<void> => {
  hosts.push(await startHost(place))
}

const sessionEnd = (session = "s-1") => ({
  event: "SessionEnd",
  input: payloadOf("SessionEnd", { reason: "other", session_id: session })
})

/** Of a session's end hooks have one second. On a busy machine it may be over before they are done. */
const isLate = ({ stderr }: Pick<Fired, "stderr">): boolean =>
  /session-monitor (was skipped|did not finish within)/.test(stderr)

/** A session that ended in time, through a host; tried anew in a place of its own where it was late. */
const ended = async (
  does: string | undefined,
  settings: object = {},
  env: NodeJS.ProcessEnv = {}
): Promise<{ readonly place: Station; readonly fired: Fired }> => {
  const place = await furnished(settings)
  if (does !== undefined) claude(place, does)
  await host(place)
  const fired = await place.fire({ ...sessionEnd(), env })
  return isLate(fired) ? ended(does, settings, env) : { place, fired }
}

/** Waits on the log until it says so. */
const until = <A>(
  place: Station,
  streamPrefix: string,
  is: (recorded: readonly never[]) => A | undefined
): Promise<A> => {
  const recorded: unknown[] = []
  let found: A | undefined
  return Effect.flatMap(EventLog, (log) =>
    Stream.runForEachWhile(log.follow(0, { streamPrefix }), (fact) =>
      Effect.sync(() => {
        recorded.push(fact)
        found = is(recorded as never)
        return found === undefined
      })
    )
  ).pipe(
    Effect.map(() => found as A),
    Effect.provide(
      Layer.fresh(layerSqlite({ file: join(place.state, "log.sqlite"), source: "test", pollMs: 20 }))
    ),
    Effect.runPromise
  )
}

/** The jobs of the analysis, once so many are over. */
const analysed = (place: Station, count = 1): Promise<readonly Job[]> =>
  until(place, "job/", (recorded) => {
    const over = jobsIn(recorded).filter(
      ({ handler, state }) => handler === "session-monitor-analysis" && (state === "done" || state === "dead")
    )
    return over.length >= count ? over : undefined
  })

type NoteRecorded = Extract<MemoryFact, { type: "NOTE_RECORDED" }>

const note = (place: Station): Promise<NoteRecorded> =>
  until(place, "note/", (recorded) =>
    (recorded as readonly { readonly data: NoteRecorded }[])
      .map(({ data }) => data)
      .find(({ kind }) => kind === "session")
  )

const intentsOf = ({ result }: Job): readonly { readonly message?: string }[] =>
  (result as { readonly intents?: readonly { readonly message?: string }[] } | null)?.intents ?? []

/**
 * What came of the analysis. On a busy machine an end may be answered by the host and in process too; the job of the one that found the
 * cooldown running has nothing to analyse and tells nothing.
 */
const outcome = async (place: Station): Promise<object> => {
  const job = await until(place, "job/", (recorded) =>
    jobsIn(recorded).find(
      (one) =>
        one.handler === "session-monitor-analysis" && (one.state === "dead" || intentsOf(one).length > 0)
    )
  )
  const [told] = intentsOf(job)
  if (told?.message === undefined) throw new Error(`the analysis came to nothing: ${JSON.stringify(job)}`)
  return JSON.parse(told.message)
}

const inHome = (place: Station, name: string): string =>
  existsSync(join(place.home, name)) ? readFileSync(join(place.home, name), "utf8") : ""
const logged = (place: Station): string => {
  const file = join(place.state, "logs", "session-monitor.log")
  return existsSync(file) ? readFileSync(file, "utf8") : ""
}
const waiting = (place: Station) => readdirSync(join(place.state, "run", "session-monitor"))

/** An agent that lives on after its session's end, and what it was told of that. No host runs yet. */
const leaving = async (): Promise<{
  readonly agent: ChildProcess
  readonly place: Station
  readonly told: string
}> => {
  const place = await furnished()
  claude(place, `while ! test -e "$HOME/go"; do sleep 0.1; done\necho '${answer}'`)
  const agent = spawn(
    "/bin/sh",
    ["-c", '"$0" claude-code SessionEnd; exec sleep 1000', join(place.state, "bin", "hook")],
    { cwd: place.project, env: place.env, detached: true, stdio: ["pipe", "ignore", "pipe"] }
  )
  agent.stdin?.end(sessionEnd().input)
  const told = await new Promise<string>((resolve) => {
    let text = ""
    agent.stderr?.on("data", (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes("health report") || isLate({ stderr: text })) resolve(text)
    })
  })
  if (!isLate({ stderr: told })) return { agent, place, told }
  process.kill(-(agent.pid as number), "SIGKILL")
  return leaving()
}

describe.skipIf(!existsSync(shippedClient()))("the session monitor", () => {
  it.each([
    ["well", `echo '${answer}'`],
    ["with a fenced block", `printf 'Here it is:\\n\`\`\`json\\n%s\\n\`\`\`\\n' '${answer}'`]
  ])(
    "reports on standard error, and has the findings analysed by a model that answers %s",
    async (_, does) => {
      const { place, fired } = await ended(does)
      const { code, stderr, stdout } = fired
      expect({ code, stdout }).toEqual({ code: 0, stdout: "" })
      expect(stderr).toContain("[session-monitor] hooktape health report")
      expect(stderr).toContain("SPOOL ERROR (1):")
      expect(await outcome(place)).toMatchObject({
        stored: true,
        confidence: 0.9,
        warningCount: 1,
        namespace: "project:project"
      })
      expect(inHome(place, "asked")).toBe("HOOKTAPE=0 -p\n")
      expect(inHome(place, "prompt")).toContain("a.ndjson:3")
      expect(await note(place)).toMatchObject({
        source: "session-monitor",
        importance: 0.5,
        confidence: 0.9,
        tags: ["session-monitor", "issues-1", "critical-0", "warnings-1"],
        text: expect.stringContaining("- [high] look at it")
      })
      expect(waiting(place)).toEqual([])
    }
  )

  it.each([
    ["answers garbage", "echo I would rather not.", {}, "BadAnswer"],
    ["fails", "exit 3", {}, "exit code 3"],
    ["hangs", "sleep 1000", { timeout: "500 millis" }, "timed-out"]
  ])("stores nothing where the model %s, and says so in its log", async (_, does, settings, reason) => {
    const { place } = await ended(does, { "session-monitor-analysis": { settings } })
    expect(await outcome(place)).toMatchObject({ stored: false, reason: "no result" })
    expect(logged(place)).toContain(reason)
    expect((await place.facts()).filter(({ type }) => type === "NOTE_RECORDED")).toEqual([])
    expect(waiting(place)).toEqual([])
  })

  it("analyses alone where there is no model command, and says that it did", async () => {
    const { place } = await ended(undefined)
    expect(await outcome(place)).toMatchObject({ stored: true, by: "deterministic" })
    expect((await note(place)).text).toContain("Made without a model")
    expect(logged(place)).toContain("job: PATH = ")
  })

  it("does nothing unless it is asked for, and does not ask a model with deep analysis off", async () => {
    const place = await furnished()
    claude(place, `echo '${answer}'`)
    await host(place)
    const silent = await place.fire({ ...sessionEnd(), env: { HOOKTAPE_SESSION_MONITOR: undefined } })
    expect(silent).toMatchObject({ code: 0, stdout: "", stderr: "" })
    expect(existsSync(join(place.state, "logs", "session-monitor.log"))).toBe(false)
    const shallow = await ended(`echo '${answer}'`, {}, { HOOKTAPE_SESSION_MONITOR_DEEP: "False" })
    expect(shallow.fired.stderr).toContain("Found 1 issues")
    const jobs = (await shallow.place.facts()).filter(({ type }) => type === "JOB_ENQUEUED")
    expect(jobs.filter(({ data }) => JSON.stringify(data).includes("session-monitor"))).toEqual([])
    expect(waiting(shallow.place)).toEqual([])
  })

  it("runs once for two sessions that end within the cooldown", async () => {
    const { place, fired } = await ended(`echo '${answer}'`)
    expect(fired.stderr).toContain("health report")
    // Late or not: it has nothing to report, and may say so more than once.
    let times = 1
    do {
      expect((await place.fire(sessionEnd(`later-${times++}`))).stderr).not.toContain("health report")
    } while (!logged(place).includes("cooldown active, skipping"))
    await analysed(place, times)
    expect(inHome(place, "asked")).toBe("HOOKTAPE=0 -p\n")
  })

  it.each([
    ["through a host", {}],
    ["each in a process of its own", { HOOKTAPE_HOST: "off" }]
  ])("runs once for sessions that end at the same moment, %s", async (_, env) => {
    const place = await furnished()
    claude(place, `echo '${answer}'`)
    await host(place)
    const handedOver = () => logged(place).split("handed over to deep analysis").length - 1
    const fired: Fired[] = []
    // A session's end leaves hooks one second: on a busy machine the second may be over for all of them.
    do {
      const sessions = Array.from({ length: 4 }, (_, at) => `s-${fired.length + at}`)
      fired.push(
        ...(await Promise.all(sessions.map((session) => place.fire({ ...sessionEnd(session), env }))))
      )
    } while (handedOver() === 0)
    expect(handedOver()).toBe(1)
    expect(fired.filter(({ stderr }) => stderr.includes("health report")).length).toBeLessThanOrEqual(1)
    expect(fired.every(({ code, stdout }) => code === 0 && stdout === "")).toBe(true)
    await analysed(place, fired.length)
    expect(inHome(place, "asked")).toBe("HOOKTAPE=0 -p\n")
  })

  it("goes on when the agent and all that it started is killed right after the session's end", async () => {
    const { agent, place, told } = await leaving()
    expect(told).toContain("SPOOL ERROR")
    process.kill(-(agent.pid as number), "SIGKILL")
    writeFileSync(join(place.home, "go"), "")
    expect(await outcome(place)).toMatchObject({ stored: true })
    expect((await note(place)).text).toContain("look at it")
  })

  it("is taken up by the next host when the first is killed while the model thinks", async () => {
    const { place } = await ended(`while ! test -e "$HOME/go"; do sleep 0.1; done\necho '${answer}'`)
    await until(place, "job/", (recorded) =>
      jobsIn(recorded).some(
        ({ handler, state }) => handler === "session-monitor-analysis" && state === "running"
      )
        ? true
        : undefined
    )
    await hosts.at(-1)?.stop("SIGKILL")
    writeFileSync(join(place.home, "go"), "")
    await host(place)
    expect(await outcome(place)).toMatchObject({ stored: true })
    rmSync(join(place.home, "go"))
  })
})
