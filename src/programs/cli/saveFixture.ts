/** Writes a recorded call among the fixtures of its project. What is there already is never written over. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Recorded } from "../../../events/Recorded.ts"
import { leadsOut } from "../../state/leadsOut.ts"
import { messageOf } from "../../state/messageOf.ts"
import { fixtureOf, type KeptCall, type NoFixture } from "../../tools/fixture/fixtureOf.ts"
import { observedFixture } from "../../tools/fixture/observedFixture.ts"
import { CliError } from "./CliError.ts"
import { replyFile, replyText } from "./fixtures.ts"
import { Logbook } from "./logbook.ts"

export interface SavedFixture {
  readonly file: string
  /** Null where no hook ran, so that there is none. */
  readonly reply: string | null
  readonly kept: KeptCall
  /** The same was there. */
  readonly isOld: boolean
}

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** A link in a repository must not lead out of it. */
const folderIn = (project: string): string => {
  const folder = join(project, ".hooktape", "fixtures")
  if (leadsOut(folder, project)) throw new Error(`${folder} leads out of the project`)
  mkdirSync(folder, { recursive: true })
  return folder
}

const holds = (file: string, text: string): boolean => existsSync(file) && readFileSync(file, "utf8") === text

const write = (kept: KeptCall, project: string): SavedFixture => {
  const folder = folderIn(project)
  const call = `${JSON.stringify(kept.fixture, null, 2)}\n`
  const answer = kept.reply === undefined ? undefined : replyText(kept.reply)
  for (let nth = 1; ; nth++) {
    const file = join(folder, `${kept.name}${nth === 1 ? "" : `-${nth}`}.json`)
    const beside = replyFile(file)
    const reply = answer === undefined ? null : beside
    const isThere = answer === undefined ? !existsSync(beside) : holds(beside, answer)
    if (holds(file, call) && isThere) return { file, reply, kept, isOld: true }
    if (existsSync(file) || existsSync(beside)) continue
    if (answer !== undefined) writeFileSync(beside, answer, { flag: "wx" })
    writeFileSync(file, call, { flag: "wx" })
    return { file, reply, kept, isOld: false }
  }
}

const what = "fixture"

/** `project`: where else than in the call's own project. `here` is taken where that one is gone. */
interface Into {
  readonly project: string | undefined
  readonly here: string
}

const keep = Effect.fn("cli.keepFixture")(function* (
  found: Either.Either<KeptCall, NoFixture>,
  { here, project }: Into
) {
  const kept = yield* Either.mapLeft(found, (none) => new CliError({ what, ...none }))
  const into = project ?? (isDirectory(kept.project) ? kept.project : here)
  return yield* Effect.try({
    try: () => write(kept, into),
    catch: (cause) =>
      new CliError({
        what,
        reason: `it cannot be written: ${messageOf(cause)}`,
        remedy: "Name another directory with --project.",
        cause
      })
  })
})

export const saveFixture = Effect.fn("cli.saveFixture")(function* (invocation: string, into: Into) {
  const logbook = yield* Logbook
  return yield* keep(fixtureOf(yield* logbook.invocation(invocation)), into)
})

/** Of a call that a transcript tells of. */
export const saveObserved = (call: Recorded, into: Into) => keep(observedFixture(call), into)
