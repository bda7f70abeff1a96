/** `hooktape check`: a project's hooks as continuous integration looks at them. */
import { existsSync } from "node:fs"
import { join, relative, resolve, sep } from "node:path"
import * as Effect from "effect/Effect"
import { writeWhole } from "../../../state/files.ts"
import { repositoryTop } from "../../../state/levels.ts"
import { messageOf } from "../../../state/messageOf.ts"
import { hasErrors } from "../../../tools/check/Finding.ts"
import { toJunit } from "../../../tools/check/junit.ts"
import { toSarif } from "../../../tools/check/sarif.ts"
import { CliError } from "../CliError.ts"
import { scratchState } from "../fixtureRuns.ts"
import { findPlaces } from "../places.ts"
import { checkProject } from "../projectCheck.ts"
import { drawCheck } from "../render/check.ts"
import { Screen } from "../Screen.ts"
import { defineCommand } from "../syntax/Command.ts"
import { text } from "../syntax/parameters.ts"
import { json as jsonOption, project as projectOption } from "../syntax/shared.ts"
import { version } from "../version.ts"

export interface CheckOptions {
  readonly junit: string | undefined
  readonly sarif: string | undefined
  readonly json: boolean
  readonly project: string | undefined
}

const writeReport = (file: string, content: string) =>
  Effect.try({
    try: () => {
      // In one step, and never through a link that a repository laid there.
      writeWhole(resolve(file), content, 0o644, 0o755)
    },
    catch: (cause) =>
      new CliError({
        what: "check",
        file,
        reason: messageOf(cause),
        remedy: "Name a file that can be written.",
        cause
      })
  })

/** From the repository's root, as code reviews name files. */
const folderOf = (project: string): string => {
  const below = relative(repositoryTop(project) ?? project, project).replaceAll(sep, "/")
  return below === "" ? "" : `${below}/`
}

const check = Effect.fn("cli.check")(function* (options: CheckOptions) {
  const screen = yield* Screen
  const nobody = join(yield* scratchState, "no-user")
  const places = findPlaces(options.project)
  // Nothing is wrong in a folder that is not there, which is not what was asked.
  if (!existsSync(places.project))
    return yield* new CliError({
      what: "check",
      file: places.project,
      reason: "there is no such directory",
      remedy: "Name the project's."
    })
  const checked = yield* checkProject({ ...places, userFolder: nobody })
  if (options.junit !== undefined) yield* writeReport(options.junit, toJunit(checked))
  if (options.sarif !== undefined)
    yield* writeReport(options.sarif, toSarif(checked, version, folderOf(places.project)))
  const ok = !hasErrors(checked)
  yield* screen.out(
    options.json ? `${JSON.stringify({ ok, checks: checked }, null, 2)}\n` : drawCheck(checked, screen.style)
  )
  return ok ? 0 : 1
}, Effect.scoped)

export const command = defineCommand({
  group: "Try out",
  summary: "Build, type-check and test a project's hooks, for continuous integration.",
  options: {
    junit: text("FILE", "Also write the result as JUnit XML.", { sample: "hooks.xml" }),
    sarif: text("FILE", "Also write what was found as SARIF 2.1.0.", { sample: "hooks.sarif" }),
    json: jsonOption(),
    project: projectOption
  },
  examples: ["hooktape check --junit hooks.xml"],
  guards: "keeps",
  run: check
})
