/** The host: one warm process for each user, that answers the hook calls of all their agents. Started with the state directory. */
import { existsSync, mkdirSync, readFileSync, unlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import type { HostFact } from "../../../events/facts.ts"
import { uuidv7 } from "../../../events/ids.ts"
import type { HostCommand } from "../../../machines/host.ts"
import { adapters } from "../../agents/adapters.ts"
import { leave } from "../../history/deliveries.ts"
import { makeHookRunner } from "../../jobs/hookJobs.ts"
import { makeQueue, type Queue } from "../../jobs/queue.ts"
import { type Damage, describeDamage } from "../../log/Damage.ts"
import { EventLog } from "../../log/EventLog.ts"
import { hostLock, LockError, takeLock } from "../../log/hostLock.ts"
import { layerSqlite } from "../../log/sqlite/SqliteLog.ts"
import { closeInherited } from "../../runtime/closeInherited.ts"
import { monotonic } from "../../runtime/elapsed.ts"
import { hookKind, noteKind } from "../../runtime/enqueue.ts"
import { asError } from "../../runtime/errors.ts"
import { hostStatus } from "../../runtime/host/askHost.ts"
import { noteTo } from "../../runtime/host/hostLog.ts"
import { progressOf } from "../../runtime/host/progress.ts"
import type { HostStatus } from "../../runtime/host/requests.ts"
import { makeDeferredCalls } from "../../runtime/leftCalls/deferredCalls.ts"
import { payloadLimit } from "../../runtime/payload.ts"
import { messageOf } from "../../state/messageOf.ts"
import { digestKey, hostToken, installationId, openState, privateDirectory } from "../../state/state.ts"
import { makeActorService } from "./actorService.ts"
import { makeRunBackground } from "./background.ts"
import { makeBlanks } from "./blanks.ts"
import { startBreakerActor } from "./breakerActor.ts"
import { bringUpToDate } from "./bringUpToDate.ts"
import { makeBuilds } from "./builds.ts"
import { makeCompaction, makeRest } from "./compactHeap.ts"
import { control } from "./control.ts"
import { exitProcess } from "./exitProcess.ts"
import { makeFactStore } from "./factStore.ts"
import { makeProcessLives } from "./handlerProcess.ts"
import { hostServiceList } from "./hostServiceList.ts"
import { openHostServices } from "./hostServices.ts"
import { makeDoor } from "./httpDoor.ts"
import { jobView, showJobs } from "./jobActors.ts"
import { makeLackingGuards } from "./lackingGuards.ts"
import { live } from "./life.ts"
import { mostProcesses } from "./mostProcesses.ts"
import { makeNoteRunner } from "./noteJobs.ts"
import { makeReception, type Reception } from "./reception.ts"
import { makeRoutes } from "./routes.ts"
import { startSessionActors } from "./sessionActors.ts"
import { sessionOf } from "./sessionOf.ts"
import { startShipping } from "./shipping.ts"
import { makeSocketServer } from "./socketServer.ts"
import { makeSources } from "./sources.ts"
import { handOver, makeSuccession } from "./succession.ts"
import { makeThread } from "./thread.ts"
import { makeUpkeep } from "./upkeep.ts"
import { makeIsWanted } from "./wantedJobs.ts"
import { startWorker } from "./worker.ts"
import { leavingOne, makeWorkers } from "./workers.ts"
import { makeWriter } from "./writer.ts"

const idleMs = 30 * 60_000
/** A successor waits for its predecessor to let go. */
const handOverWait = "10 seconds"
const succeeded = "another build is installed"
const maxCalls = 512
const workerMemoryMb = 256
/** What others append comes through the spool: only what the command line writes is looked for. */
const lookMs = 2000
/** Of what is damaged on the log, in words. */
const maxNoted = 20
const lookForJobsMs = 250
/** After this much of draining the agents' own time-outs have long struck. */
const drainMs = 8000
/** A job that runs on is given back to the next host. */
const jobEndMs = 2000
/** A job that is done is not done again because somebody else wrote for a minute. */
const jobTurns = 1200
/** Nobody called for so long: what can wait does not get into the next call's way. */
const quietMs = 200

/** Waits for a predecessor that is about to go; one that serves and is of this build is what was wanted. */
const becomeHost = (state: string, lock: string, build: string) =>
  takeLock(lock, 0).pipe(
    Effect.catchIf(
      ({ reason }) => reason === "held",
      (held) =>
        Effect.flatMap(Effect.option(hostStatus(state)), (there) => {
          const served = Option.exists(there, (other) => other.build === build)
          return Effect.fail(served ? new LockError({ file: lock, reason: "served" }) : held)
        })
    ),
    Effect.retry({
      schedule: Schedule.spaced("50 millis").pipe(Schedule.upTo(handOverWait)),
      while: ({ reason }) => reason === "held"
    })
  )

const program = Effect.fn("host.main")(function* (state: string, home: string) {
  openState(state)
  const run = privateDirectory(join(state, "run"))
  mkdirSync(join(state, "logs"), { recursive: true, mode: 0o700 })
  const build = readFileSync(join(home, "build-id"), "utf8").trim()
  yield* becomeHost(state, hostLock(state), build)

  yield* bringUpToDate(state, home, noteTo(state))
  const sources = makeSources()
  const source = installationId(state)
  const isSucceeded = makeSuccession(state, home)
  const id = uuidv7(sources.now(), sources.random(10))
  const scope = yield* Effect.scope
  const file = join(state, "log.sqlite")
  const noted = new Set<string>()
  const onDamage = (damage: Damage): void => {
    const line = `the log is damaged: ${describeDamage(damage)}. Run "hooktape log verify".`
    if (!noted.has(line) && noted.size < maxNoted) noteTo(state)(line)
    noted.add(line)
  }
  const log = yield* Layer.buildWithScope(
    layerSqlite({ file, source, pollMs: lookMs, answering: true, onDamage, older: "refuse" }),
    scope
  )
  // A connection of their own: jobs look for what is new now and then, not after each call that has nothing to do with them.
  const jobLog = yield* Layer.buildWithScope(
    Layer.fresh(
      layerSqlite({
        file,
        source,
        pollMs: lookForJobsMs,
        idlePollMs: lookMs,
        answering: true,
        turns: jobTurns,
        onDamage,
        older: "refuse"
      })
    ),
    scope
  )
  const eventLog = yield* Effect.provide(EventLog, log)
  const key = digestKey(state)
  const isLogThere = eventLog.isThere
  const factStore = makeFactStore({ state, writer: makeWriter(eventLog), sources, key, isLogThere })
  const note = noteTo(state)
  const { registry, requests } = yield* makeActorService(eventLog, sources.now, note)
  const lives = makeProcessLives({ host: id, memoryMb: workerMemoryMb, registry, factStore, sources })
  const program = join(home, "worker.cjs")
  const most = yield* Effect.promise(() => mostProcesses(process.env, note))
  const workers = makeWorkers({
    most,
    start: () => startWorker({ program, state, memoryMb: workerMemoryMb, note, life: lives.begin() })
  })
  const thread = makeThread({ program: join(home, "thread.cjs"), state, note })
  const builds = makeBuilds(state)
  const lackingGuards = makeLackingGuards(state)
  const reception = makeReception({
    shared: {
      adapters,
      workers,
      atWork: thread,
      factStore,
      sources,
      key,
      afterwards: () => undefined,
      state,
      lackingGuards,
      actors: registry
    },
    builds,
    routes: makeRoutes({ state, build, lackingGuards }),
    hasLeft: () => upkeep.hasMore(),
    before: (session) => deferred.ofSession(session),
    token: hostToken(state),
    most: maxCalls,
    control: (event) => control(event, { status, stop, actors: registry.actors, watch: requests.next }),
    ended: (invocation) => Effect.runPromise(progressOf(eventLog, state, invocation)),
    noticed: () => {
      if (isSucceeded()) stop(succeeded)
    }
  })
  const blanks = makeBlanks(state)
  const deferred = makeDeferredCalls(
    { state, serve: reception.takeLeft, note, putAway: blanks.putAway },
    (head, payload) => sessionOf(adapters, head, payload)
  )
  const startedAt = new Date(sources.now()).toISOString()
  const status = (): HostStatus => ({
    pid: process.pid,
    build,
    startedAt,
    served: reception.served(),
    underway: reception.underway(),
    processes: workers.count(),
    memory: process.memoryUsage.rss(),
    port: door.port() ?? null,
    parts: parts()
  })
  const isIdle = () => reception.underway() === 0 && monotonic() - reception.lastActive() >= quietMs
  const services = openHostServices(hostServiceList({ state, file, from: join(home, "host.cjs") }), {
    isIdle,
    note
  })
  yield* startShipping({ state, log: eventLog, isIdle, note })
  const slowLog = yield* Effect.provide(EventLog, jobLog)
  yield* startBreakerActor({ log: slowLog, registry, note })
  const sessions = yield* startSessionActors({
    log: slowLog,
    registry,
    sources,
    isIdle,
    note
  })
  const parts = () => ({ ...services.states(), sessions: sessions.state() })
  const rest = makeRest({ calls: reception, thread, compact: makeCompaction(), now: monotonic })
  const upkeep = makeUpkeep({
    state,
    source,
    log: eventLog,
    handleDeferredCalls: deferred.all,
    own: factStore.journal,
    besides: () => {
      const didSomething = services.tick()
      rest()
      return didSomething
    }
  })
  const socketPath = join(run, "host.sock")
  const serve: Reception["serve"] = (...call) => {
    const first = upkeep.caughtUp()
    return first ? first.then(() => reception.serve(...call)) : reception.serve(...call)
  }
  const server = makeSocketServer(socketPath, payloadLimit, (...call) => serve(...call, "socket"))
  const began = monotonic()
  const door = makeDoor({
    state,
    hostToken: hostToken(state),
    agents: Object.keys(adapters),
    limit: payloadLimit,
    serve,
    status: () => {
      const { pid, served, underway, processes } = status()
      return { build, pid, served, underway, workers: processes, uptimeMs: Math.round(monotonic() - began) }
    },
    note
  })

  let ended: (reason: string) => void = () => undefined
  const asked = new Promise<string>((resolve) => {
    ended = resolve
  })
  const stop = (reason: string): void => ended(reason)

  const runner = yield* Effect.provide(
    makeHookRunner(
      makeRunBackground({ workers: leavingOne(workers), atWork: thread }, builds),
      (waiting, how) => leave(state, waiting, how)
    ),
    jobLog
  )
  const noteRunner = yield* Effect.provide(
    makeNoteRunner({ workers: leavingOne(workers), atWork: thread }, builds),
    jobLog
  )
  const jobScope = yield* Scope.fork(scope, ExecutionStrategy.sequential)
  const openQueue = makeQueue({
    runners: { [hookKind]: runner, [noteKind]: noteRunner },
    isWanted: makeIsWanted(state, builds),
    observe: showJobs(registry),
    report: (problem) => Effect.sync(() => note(problem))
  }).pipe(Effect.provide(jobLog), Scope.extend(jobScope))
  let queue: Queue | undefined
  registry.source(() => [...(queue?.open() ?? [])].map(jobView))
  let isReady = false

  const perform = async (command: HostCommand): Promise<readonly HostFact[]> => {
    if (command.type === "LISTEN") {
      // Ours is the lock: whatever stands there was left by a host that is gone.
      try {
        unlinkSync(socketPath)
      } catch {
        // Nothing was left.
      }
      // First: whoever finds the socket finds HTTP as well.
      const port = await door.open()
      try {
        await server.listen()
      } catch (error) {
        return [{ type: "HOST_STOPPED", reason: `cannot listen: ${messageOf(error)}`, served: 0 }]
      }
      isReady = true
      blanks.fill()
      upkeep.begin()
      queue = await Effect.runPromise(openQueue)
      return [{ type: "HOST_READY", socket: socketPath, ...(port === undefined ? {} : { port }) }]
    }
    if (command.type === "SERVE") return [{ type: "HOST_DRAINING", reason: await asked }]
    server.close()
    requests.close()
    if (command.reason === succeeded) handOver(state)
    const late = new Promise<void>((resolve) => setTimeout(resolve, drainMs).unref())
    await Promise.race([server.idle(), late])
    if (queue) await Effect.runPromise(queue.stop(jobEndMs))
    // Over HTTP nobody can go elsewhere: that door is shut last.
    await Promise.race([door.close(), late])
    workers.close()
    await lives.flush()
    thread.close()
    await upkeep.end()
    services.end()
    return [{ type: "HOST_STOPPED", reason: command.reason, served: reception.served() }]
  }

  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => stop(signal))
  /** A job that waits for its next attempt would wait for the next hook call as well. */
  const hasJobs = () => queue?.isBusy() === true
  const idle = setInterval(() => {
    // Nobody finds us any more, and nobody can take our place as long as we are there.
    if (isReady && !existsSync(socketPath)) stop("its socket is gone")
    // What it still writes is in a file that nobody can open any more.
    if (isReady && !isLogThere()) stop("its log is gone")
    const since = monotonic() - reception.lastActive()
    if (!door.isWanted() && reception.underway() === 0 && !hasJobs() && since > idleMs) stop("idle")
  }, 5000)
  const runtime = `node ${process.version} ${process.platform}-${process.arch}`
  yield* Effect.promise(() =>
    live(
      { id, factStore, sources, actors: registry, perform },
      { type: "HOST_STARTED", build, pid: process.pid, runtime, parts: parts() }
    )
  )
  clearInterval(idle)
  yield* Effect.promise(() => factStore.close())
})

const [, script = "", state = ""] = process.argv
// How this process manages its memory is no concern of those that it starts.
for (const name of ["MALLOC_ARENA_MAX", "MALLOC_TRIM_THRESHOLD_"]) delete process.env[name]
// Nothing of where it was started is held: a directory that is to be removed can be, and no agent waits for a stream.
process.chdir("/")
closeInherited()

const scope = Effect.runSync(Scope.make())
void Effect.runPromiseExit(Scope.extend(program(state, dirname(script)), scope)).then(async (exit) => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  const error = Exit.isSuccess(exit) ? undefined : asError(Cause.squash(exit.cause))
  // Another host serves: that is what was wanted.
  const failed = error !== undefined && !(error instanceof LockError && error.reason !== "io")
  if (failed) noteTo(state)(error.message)
  exitProcess(failed ? error.message : undefined)
})
