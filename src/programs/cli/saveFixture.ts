/** Writes a recorded call among the fixtures of its project. What is there already is never written over. */
import { existsSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs"
import { join, sep } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { messageOf } from "../../state/messageOf.ts"
import { fixtureOf, type KeptCall } from "../../tools/fixture/fixtureOf.ts"
import { CliError } from "./CliError.ts"
import { replyFile, replyText } from "./fixtures.ts"
import { Logbook } from "./logbook.ts"

export interface SavedFixture {
  readonly file: string
  readonly reply: string
  readonly kept: KeptCall
  /** The same was there. */
  readonly isOld: boolean
}

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** A link in a repository must not lead out of it. */
const folderIn = (project: string): string => {
  const folder = join(project, ".hooktape", "fixtures")
  mkdirSync(folder, { recursive: true })
  const real = realpathSync(folder)
  if (!real.startsWith(`${realpathSync(project)}${sep}`))
    throw new Error(`${folder} leads out of the project`)
  return folder
}

const holds = (file: string, text: string): boolean => existsSync(file) && readFileSync(file, "utf8") === text

const write = (kept: KeptCall, project: string): SavedFixture => {
  const folder = folderIn(project)
  const texts = [`${JSON.stringify(kept.fixture, null, 2)}\n`, replyText(kept.reply)] as const
  for (let nth = 1; ; nth++) {
    const file = join(folder, `${kept.name}${nth === 1 ? "" : `-${nth}`}.json`)
    const reply = replyFile(file)
    if (holds(file, texts[0]) && holds(reply, texts[1])) return { file, reply, kept, isOld: true }
    if (existsSync(file) || existsSync(reply)) continue
    writeFileSync(reply, texts[1], { flag: "wx" })
    writeFileSync(file, texts[0], { flag: "wx" })
    return { file, reply, kept, isOld: false }
  }
}

const what = "fixture"

/** `project`: where else than in the call's own project. `here` is taken where that one is gone. */
export const saveFixture = Effect.fn("cli.saveFixture")(function* (
  invocation: string,
  { here, project }: { readonly project: string | undefined; readonly here: string }
) {
  const logbook = yield* Logbook
  const kept = yield* Either.mapLeft(
    fixtureOf(yield* logbook.invocation(invocation)),
    (none) => new CliError({ what, ...none })
  )
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
