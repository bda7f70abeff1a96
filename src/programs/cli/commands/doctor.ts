/** `hooktape doctor`: looks at everything a hook call depends on, and says what to do. */
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { bytes, count } from "../../../features/timeline/words.ts"
import { findTranscripts } from "../../../features/transcripts/findFiles.ts"
import { deniedBy } from "../../../log/denied.ts"
import { pendingFacts } from "../../../log/spool/pendingFacts.ts"
import { isBusy } from "../../../log/sqlite/sqliteErrors.ts"
import { probeSession } from "../../../runtime/probe.ts"
import { layoutHint } from "../../../state/layout.ts"
import { messageOf } from "../../../state/messageOf.ts"
import { findCore } from "../../../tools/build/core.ts"
import { readSinks } from "../../../tools/shipping/Sink.ts"
import { appendOperatorFact } from "../appendOperatorFact.ts"
import { activityTypes, checkActivity } from "../doctor/activity.ts"
import { checkRegistrations, probeAgent, withProbeSecret } from "../doctor/agents.ts"
import { checkBuilds, currentHooks } from "../doctor/builds.ts"
import { type Check, fail, ok, warn } from "../doctor/Check.ts"
import { checkEnvironment } from "../doctor/environment.ts"
import { checkGuard } from "../doctor/guard.ts"
import { checkHost } from "../doctor/host.ts"
import { checkEarlierHooks, checkMigrations } from "../doctor/migrations.ts"
import { checkMissed, missedTypes, missedWithinMs } from "../doctor/missed.ts"
import { checkQueue } from "../doctor/queue.ts"
import { checkSeals } from "../doctor/seals.ts"
import {
  checkHook,
  checkKey,
  checkLauncher,
  checkLoader,
  checkReach,
  checkRoom,
  checkRuntime,
  checkSpool,
  checkState,
  checkSwitch,
  logRemedy
} from "../doctor/setup.ts"
import { checkShipping } from "../doctor/shipping.ts"
import { checkSqlite } from "../doctor/sqlite.ts"
import { checkSwitches } from "../doctor/switches.ts"
import { checkTranscripts, cleanupDays, endangered } from "../doctor/transcripts.ts"
import { Logbook, openLogbook } from "../logbook.ts"
import { findPlaces, type Places } from "../places.ts"
import { drawChecks } from "../render/checks.ts"
import { Screen } from "../Screen.ts"
import { defineCommand } from "../syntax/Command.ts"
import { json as jsonOption } from "../syntax/shared.ts"

const dayMs = 86_400_000

const keptBusy = "another process is writing it all the while, and what was spooled waits"
/** Facts are safe in the spool; whoever writes for that long mostly was forgotten by somebody. */
const busyRemedy =
  "Nothing is lost. Wait for it to be done; if it does not end, find out who has log.sqlite open, and end that."

/** Opening it sets and reads back the pragmas and asserts the SQLite version; a log that opens has passed them. */
const checkLog = Effect.fn("doctor.log")(function* () {
  const logbook = yield* Logbook
  const { facts, bytes: size, last } = yield* logbook.stats
  const there = `${count(facts, "fact")}, ${bytes(size)}, newest at position ${last}`
  return logbook.waiting === undefined ? ok("log", there) : warn("log", `${there}; ${keptBusy}`, busyRemedy)
})

/** What the client left for a host is there as soon as one has come up. */
const patience = Schedule.spaced("50 millis").pipe(Schedule.upTo("8 seconds"))

/** The agents whose probe has not arrived on the log. */
const missingProbes = Effect.fn("doctor.missingProbes")(function* (
  state: string,
  probed: readonly string[],
  began: number
) {
  const { read, waiting } = yield* Logbook
  const ended = { session: probeSession, since: began, types: ["EXITED"] }
  const look = read(ended).pipe(
    Stream.runCollect,
    Effect.map((arrived) => {
      const pending = waiting === undefined ? [] : pendingFacts(state, ended).facts
      const agents = new Set([...arrived, ...pending].map(({ agent }) => agent))
      return probed.filter((agent) => !agents.has(agent))
    })
  )
  const first = yield* look
  if (first.length === 0) return first
  return yield* Effect.repeat(look, { schedule: patience, until: (missing) => missing.length === 0 }).pipe(
    Effect.zipRight(look)
  )
})

/** What waits for each sink. Where their file cannot be read that is said of the file. */
const backlogs = Effect.fn("doctor.backlogs")(function* (state: string) {
  const { unshipped } = yield* Logbook
  const sinks = yield* Effect.try(() => readSinks(state)).pipe(Effect.orElseSucceed(() => []))
  return new Map(
    yield* Effect.forEach(sinks, (sink) => Effect.map(unshipped(sink), (one) => [sink.name, one] as const))
  )
})

const fromLog = Effect.fn("doctor.fromLog")(function* (
  state: string,
  since: number,
  probed: readonly string[],
  began: number
) {
  const logbook = yield* Logbook
  const checks: Check[] = [yield* checkLog()]
  if (probed.length > 0) {
    const missing = yield* missingProbes(state, probed, began)
    checks.push(
      missing.length === 0
        ? ok(
            "recording",
            `the probes ${logbook.waiting === undefined ? "are on the log" : "wait in the spool"}`
          )
        : fail(
            "recording",
            `the probe of ${missing.join(", ")} is not on the log`,
            `Check that ${state} can be written, and that HOOKTAPE_HOME names the state that the hooks were installed with.`
          )
    )
  }
  const facts = yield* Stream.runCollect(logbook.read({ since, types: activityTypes }))
  const built = yield* Stream.runCollect(logbook.read({ types: ["HOOKS_BUILT"], streamPrefix: "operator/" }))
  const isCurrent = currentHooks(state, [...built])
  const now = yield* Clock.currentTimeMillis
  const missed = yield* Stream.runCollect(logbook.read({ since: now - missedWithinMs, types: missedTypes }))
  return [
    ...checks,
    ...checkQueue(yield* logbook.jobs),
    ...checkActivity([...facts], now, isCurrent),
    ...checkMissed([...missed]),
    ...checkShipping(state, { now, backlogs: yield* backlogs(state) })
  ]
})

/** Those that Claude Code is about to delete. */
const endangeredHere = (places: Places, now: number) =>
  endangered(findTranscripts("claude-code", places.home, places.env).files, cleanupDays(places), now)

const transcripts = Effect.fn("doctor.transcripts")(function* (places: Places) {
  const { isImported, shares } = yield* Logbook
  const now = yield* Clock.currentTimeMillis
  const unread = yield* Effect.filter(endangeredHere(places, now), (file) =>
    Effect.map(isImported(file), (known) => !known)
  )
  return checkTranscripts(unread, cleanupDays(places), yield* shares)
})

const examine = Effect.fn("doctor.examine")(function* (places: Places) {
  const { state, project, env } = places
  const began = yield* Clock.currentTimeMillis
  const setUp = checkState(state)
  const sqlite = checkSqlite(findCore().cli)
  const checks: Check[] = [checkRuntime(process.version), sqlite, checkSwitch(env), setUp]
  if (setUp.status === "fail")
    return [...checks, ...checkTranscripts(endangeredHere(places, began), cleanupDays(places), undefined)]
  // Before the probes, whose success ends the count.
  const room = checkRoom(state)
  // Nothing can be said of a log that nobody can open, and what is damaged is not loaded.
  if (sqlite.status === "fail")
    return [...checks, room, checkKey(state), checkHook(state), checkReach(state, env), checkSpool(state)]
  const client = checkHook(state)
  checks.push(
    room,
    ...checkMigrations(state),
    ...checkEarlierHooks(places.project),
    checkKey(state),
    client,
    checkLauncher(state),
    checkLoader(state),
    checkReach(state, env)
  )
  checks.push(...checkEnvironment(project, env))
  checks.push(
    ...checkBuilds(state, project, places.userFolder, env),
    ...checkSwitches(state, project),
    ...checkGuard(places.userFolder)
  )
  const registrations = yield* checkRegistrations(places)
  checks.push(...registrations.checks)
  const probes = env["HOOKTAPE"] === "0" ? [] : registrations.probes
  const probed = yield* withProbeSecret(state, (secret) =>
    // Without its secret a probe would run handlers; that nothing can be written there is said already.
    Effect.forEach(secret === undefined ? [] : probes, (probe) =>
      Effect.map(probeAgent(probe, places, secret as string), (check) => ({ agent: probe.agent, check }))
    )
  )
  checks.push(...probed.map(({ check }) => check))
  // Where there is no client, a repository's shared script answers and records nothing: that is said above, and not waited for.
  const answered = probed
    .filter(({ check }) => check.status === "ok" && client.status !== "fail")
    .map(({ agent }) => agent)
  const read = yield* fromLog(state, began - dayMs, answered, began).pipe(
    Effect.zipWith(transcripts(places), (found, more) => [...found, ...more]),
    openLogbook,
    Effect.catchAll((error) => {
      const denied = deniedBy(error, join(state, "log.sqlite"))
      if (denied !== undefined)
        return Effect.succeed([fail("log", denied.reason, denied.remedy), ...checkShipping(state)])
      const remedy = isBusy(error)
        ? busyRemedy
        : layoutHint(state) === undefined
          ? logRemedy(state, room.status === "ok")
          : 'See "migrations" above.'
      return Effect.succeed([fail("log", messageOf(error), remedy), ...checkShipping(state)])
    })
  )
  checks.push(...(yield* checkHost(state, env)))
  // Only now, with everything taken in, is what still lies there worth a word.
  return [...checks, checkSpool(state), ...read, ...checkSeals(state)]
})

/** When the setup was looked at last, and what was found. Where nothing can be written that is one of the findings. */
const noteRun = (state: string, checks: readonly Check[], ms: number) =>
  checks.some(({ name, status }) => (name === "state" || name === "sqlite") && status === "fail")
    ? Effect.void
    : Effect.ignore(
        appendOperatorFact(state, {
          type: "DOCTOR_RAN",
          checks: checks.length,
          problems: checks
            .filter(({ status }) => status !== "ok")
            .map(({ fix, message, name, status }) => ({
              name,
              status,
              message,
              ...(fix === undefined ? {} : { fix })
            })),
          passed: checks
            .filter(({ status }) => status === "ok")
            .map(({ message, name }) => ({ name, message })),
          ms
        })
      )

const doctor = Effect.fn("cli.doctor")(function* ({ json }: { readonly json: boolean }) {
  const screen = yield* Screen
  const places = findPlaces()
  const began = yield* Clock.currentTimeMillis
  const checks = yield* examine(places)
  yield* noteRun(places.state, checks, (yield* Clock.currentTimeMillis) - began)
  const ok = checks.every(({ status }) => status !== "fail")
  yield* screen.out(json ? `${JSON.stringify({ ok, checks }, null, 2)}\n` : drawChecks(checks, screen))
  return ok ? 0 : 1
})

export const command = defineCommand({
  group: "Set up",
  summary: "Check the installation, and say what to do.",
  options: { json: jsonOption() },
  examples: ["hooktape doctor"],
  guards: "keeps",
  run: doctor
})
