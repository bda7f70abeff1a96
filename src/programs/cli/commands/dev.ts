/** `hooktape dev`: builds hooks as they are saved, says what they do as it happens, and tries them again. */
import { relative } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { openTimeline } from "../../../features/timeline/catchUp.ts"
import { shortId } from "../../../features/timeline/words.ts"
import { findBuild } from "../../../runtime/builds/refresh.ts"
import { messageOf } from "../../../state/messageOf.ts"
import { printable, printableLines } from "../../../state/terminalText.ts"
import { makeWatch } from "../../../tools/dev/watch.ts"
import { runAgain } from "../../../tools/replay/rerun.ts"
import { trustFile } from "../../../trust/store.ts"
import { confirm, isTerminal } from "../confirm.ts"
import { makeBeside } from "../dev/beside.ts"
import { buildAgain, heldBuilds, isUpToDate, watchedIn } from "../dev/builds.ts"
import { pressedKeys } from "../dev/keys.ts"
import { type Ended, makeTail } from "../dev/tail.ts"
import { makeTrusting } from "../dev/trusting.ts"
import { Logbook, withLogbook } from "../logbook.ts"
import { findPlaces } from "../places.ts"
import { prepareState } from "../prepare.ts"
import { readyToAsk } from "../ready.ts"
import { drawDifferences, subjectOf } from "../render/differences.ts"
import { Screen } from "../Screen.ts"
import { saveFixture } from "../saveFixture.ts"
import { defineCommand } from "../syntax/Command.ts"
import { flag } from "../syntax/parameters.ts"
import { project as projectOption } from "../syntax/shared.ts"
import { drawSaved } from "./fixture.ts"
import { servedAt } from "./inspect.ts"

interface DevOptions {
  readonly project: string | undefined
  readonly trustSaves: boolean
}

const what = "dev"
/** How long a save may lie there before it is seen; twice that until it is at rest. */
const betweenLooks = "100 millis"
const betweenCalls = "200 millis"
const keysHelp =
  "r replays the last call in which a hook had a word · f keeps it as a fixture · o prints the address of the inspector · t trusts what waits · q ends\n"

/** Says what went wrong, and goes on: who watches wants to see the next save all the same. */
const told = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.catchAll(work, (error) =>
    Effect.flatMap(Screen, ({ note, style }) =>
      Effect.as(note(`${style.bad("✖")} ${printableLines(messageOf(error))}\n`), undefined)
    )
  )

const dev = (options: DevOptions) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const { note, out } = screen
    const places = findPlaces(options.project)
    const { cwd, project, state } = places
    yield* prepareState(state)
    yield* readyToAsk(what, () => openTimeline(`${state}/log.sqlite`))
    const savesCount =
      options.trustSaves ||
      (isTerminal() &&
        (yield* confirm(
          "Do your saves of this project's hooks count as trusted while this runs? An agent's never do."
        )))
    const builds = yield* heldBuilds(places)
    const trusting = makeTrusting(places, savesCount)
    const beside = makeBeside(places)
    yield* Effect.addFinalizer(() => Effect.sync(beside.stop))
    const logbook = yield* Logbook
    /** What is tried again: of the calls since it began the newest in which a hook had a word, else the newest. */
    let last: Ended = { newest: undefined, spoke: undefined }
    const chosen = Effect.suspend(() => {
      const id = last.spoke ?? last.newest
      return id === undefined ? logbook.resolve("last") : Effect.succeed(id)
    })

    const built = (began: number, afterSave: boolean) =>
      Effect.gen(function* () {
        const said = trusting.unusable()
        yield* told(buildAgain(places, { began, afterSave, isAll: !trusting.isWaiting(), said }))
        yield* beside.start(!trusting.isWaiting())
      })

    const watch = makeWatch(
      () => watchedIn(places),
      () => Date.now()
    )
    yield* note(`building the hooks of ${printable(project)} …\n`)
    yield* told(trusting.look(undefined))
    yield* built(yield* Clock.currentTimeMillis, false)
    yield* note(
      `watching ${printable(project)}; ${savesCount ? "your saves count as trusted until this ends" : "what is saved waits for your yes"}. ${isTerminal() ? keysHelp : "Ctrl-C ends it.\n"}`
    )

    const step = Effect.gen(function* () {
      builds.hold()
      const change = watch.step()
      if (change === undefined) return
      const began = yield* Clock.currentTimeMillis
      // What was trusted changes the list of it, which nobody saved.
      const saved = change.files.filter((file) => file !== trustFile(state))
      if (saved.length > 0) yield* out(`${saved.map((file) => printable(relative(cwd, file))).join(", ")}\n`)
      yield* told(trusting.look(change))
      if (!isUpToDate(places)) yield* built(began, true)
    })

    const again = Effect.gen(function* () {
      const found = findBuild(state, project)
      const id = yield* chosen
      const facts = yield* logbook.invocation(id)
      const subject = subjectOf(facts)
      const named = [shortId(id), subject.agentEvent, subject.tool].filter((word) => word !== null).join(" ")
      const rerun = found === undefined ? undefined : yield* runAgain(found.current, facts)
      if (rerun === undefined) yield* note(`no hook runs for ${printable(named)}.\n`)
      else if (rerun.differences.length === 0)
        yield* out(`${printable(named)} again: it would come to the same.\n`)
      else yield* out(drawDifferences(rerun.differences, new Map([[id, subject]]), screen))
    })
    const keep = Effect.gen(function* () {
      const saved = yield* saveFixture(yield* chosen, { here: project, project })
      yield* out(drawSaved(saved, cwd, screen.style))
    })
    let address: string | undefined
    const open = Effect.gen(function* () {
      address ??= yield* servedAt(state, 0)
      yield* out(`${address}\n`)
    })
    const trust = Effect.gen(function* () {
      if (yield* trusting.trustShown) yield* built(yield* Clock.currentTimeMillis, true)
    })

    const keys = yield* pressedKeys
    const tail = yield* makeTail(project)
    const tailed = Effect.gen(function* () {
      const ended = yield* tail
      if (ended !== undefined)
        last = { newest: ended.newest ?? last.newest, spoke: ended.spoke ?? last.spoke }
    })
    const looking = Effect.forever(Effect.zipRight(told(step), Effect.sleep(betweenLooks)))
    const tailing = Effect.forever(Effect.zipRight(told(tailed), Effect.sleep(betweenCalls)))
    const deeds: Readonly<Record<string, typeof again | typeof keep | typeof open | typeof trust>> = {
      r: again,
      f: keep,
      o: open,
      t: trust
    }
    const pressing = Effect.repeat(
      Effect.flatMap(Queue.take(keys), (key) => {
        const deed = deeds[key]
        return deed === undefined ? Effect.succeed(key) : Effect.as(told(deed as typeof open), key)
      }),
      { until: (key) => key === "q" }
    )
    yield* Effect.raceFirst(pressing, Effect.all([looking, tailing], { concurrency: 2 }))
    return 0
  }).pipe(Effect.scoped, withLogbook)

export const command = defineCommand({
  group: "Try out",
  summary: "Build hooks as they are saved, show what they do as it happens, and try them again.",
  options: {
    trustSaves: flag(
      "Count saves as trusted while it runs, without being asked; what an agent's tool call changes waits."
    ),
    project: projectOption
  },
  examples: ["hooktape dev"],
  guards: "weakens",
  run: dev
})
