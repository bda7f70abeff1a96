/** Everything that can be said of a project's hooks without an agent, and without anything of whoever asks. */
import { existsSync } from "node:fs"
import { join, relative, sep } from "node:path"
import * as Effect from "effect/Effect"
import type { Problem } from "../../hooks/Problem.ts"
import { discoverProject } from "../../runtime/builds/discover.ts"
import type { BuildResult } from "../../tools/build/build.ts"
import { checkEveryday } from "../../tools/check/everyday.ts"
import type { Checked, Finding, RuleName } from "../../tools/check/Finding.ts"
import { checkRegistration } from "../../tools/check/registration.ts"
import { reservedFindings } from "../../tools/check/reserved.ts"
import { typeCheck } from "../../tools/dev/typeCheck.ts"
import { builtState, runFixtures } from "./fixtureRuns.ts"
import { findFixtures } from "./fixtures.ts"
import type { Places } from "./places.ts"
import { differenceOf, type Tested } from "./render/fixtures.ts"

const nearTo =
  (project: string) =>
  (file: string): string =>
    relative(project, file).replaceAll(sep, "/")

const findingOf =
  (near: (file: string) => string, rule: RuleName, level: Finding["level"]) =>
  ({ column, file, line, reason, remedy }: Problem): Finding => ({
    rule,
    level,
    file: near(file),
    message: reason,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(remedy === undefined ? {} : { remedy })
  })

/** Somebody may have switched a guard off that way: whoever looks is told, and decides. */
const replacedFinding =
  (near: (file: string) => string) =>
  ({ by, file, hook }: BuildResult["replaced"][number]): Finding => ({
    rule: "hook-replaced",
    level: "error",
    file: near(file),
    message: `its hook "${hook}" does not run: the one in ${near(by)} has the same name`,
    remedy: "Give one of the two another name, or remove it."
  })

const unread = (check: Checked["check"], skipped: string): Checked => ({
  check,
  looked: [],
  findings: [],
  skipped
})

/** `.hooktape/hooks/a.ts(3,5): error TS2345: …`, from the project's directory. */
const typeError = (line: string): Finding | undefined => {
  const [, file, row, column, message] = /^(.+?)\((\d+),(\d+)\): error (TS\d+: .*)$/.exec(line.trim()) ?? []
  if (file === undefined || message === undefined) return undefined
  return {
    rule: "type-error",
    level: "error",
    file: file.replaceAll("\\", "/"),
    line: Number(row),
    column: Number(column),
    message
  }
}

const checkTypes = (project: string, hooks: readonly string[]) =>
  Effect.map(
    Effect.promise((signal) => typeCheck(project, signal)),
    (found): Checked =>
      found.kind === "none"
        ? unread("types", found.say)
        : {
            check: "types",
            looked: hooks,
            findings: found.errors.flatMap((line) => typeError(line) ?? [])
          }
  )

const fixtureFinding = (tested: Tested, file: string): Finding | undefined => {
  const found = (rule: RuleName, message: string, remedy?: string, detail?: string): Finding => ({
    rule,
    level: "error",
    file,
    message,
    ...(remedy === undefined ? {} : { remedy }),
    ...(detail === undefined ? {} : { detail })
  })
  switch (tested.status) {
    case "same":
    case "written":
      return undefined
    case "broken":
      return found("fixture-broken", `it is no hook call: ${tested.reason}`)
    case "missing":
      return found("fixture-without-reply", "no reply is kept", "hooktape test --update")
    case "different":
      return found(
        "fixture-different",
        "the reply is not the one that was kept",
        'hooktape test shows the difference; "hooktape test --update" keeps the new reply',
        differenceOf(tested)
      )
  }
}

const checkFixtures = (places: Places, state: string) =>
  Effect.gen(function* () {
    const { project } = places
    const folder = join(project, ".hooktape", "fixtures")
    const files = existsSync(folder) ? yield* findFixtures([folder]) : []
    if (files.length === 0) return unread("fixtures", "there is none: .hooktape/fixtures")
    const near = nearTo(project)
    const tested = yield* runFixtures({
      places: { project, cwd: project, userFolder: places.userFolder },
      files,
      update: false,
      states: new Map([[false, state]])
    })
    return {
      check: "fixtures",
      looked: files.map(near),
      findings: tested.flatMap((one, at) => fixtureFinding(one, near(files[at] ?? project)) ?? [])
    } satisfies Checked
  })

/** The files that the hooks of a build stand in, each once. */
const filesOf = ({ hooks, replaced }: BuildResult, near: (file: string) => string): readonly string[] => [
  ...new Set(
    [...hooks.filter(({ owner }) => owner !== "hooktape"), ...replaced].map(({ file }) => near(file))
  )
]

/** Of a hook that is the project's. */
const fileOf = ({ hooks }: BuildResult, name: string, near: (file: string) => string): string | undefined => {
  const found = hooks.find(({ hook, owner }) => hook === name && owner !== "hooktape")
  return found && near(found.file)
}

/**
 * Each check in its order. What does not build is not run: replies of hooks that are not all there prove nothing.
 * `places.userFolder` is a folder without hooks, so that everybody gets the same answer.
 */
export const checkProject = Effect.fn("cli.check")(function* (places: Places) {
  const near = nearTo(places.project)
  const made = yield* builtState(places.project, places.userFolder, false).pipe(
    Effect.catchTag("BuildError", ({ problems }) => Effect.succeed(problems))
  )
  if (!("state" in made)) {
    const findings = made.map(findingOf(near, "hook-broken", "error"))
    const found = discoverProject(places.project).files.map(({ file }) => near(file))
    const files = [...new Set([...found, ...findings.map(({ file }) => file)])]
    const instead = "not all hooks are built"
    return [
      { check: "build", looked: files, findings },
      yield* checkTypes(places.project, files),
      unread("fixtures", instead),
      unread("everyday", instead),
      unread("registration", instead)
    ] satisfies readonly Checked[]
  }
  const { built, state } = made
  const files = filesOf(built, near)
  const { unstarted } = discoverProject(places.project)
  const isUnstarted = ({ file }: Problem): boolean => unstarted.some((one) => one.file === file)
  const doubtful = built.warnings.filter((warning) => !isUnstarted(warning))
  const none = "the project has no hook yet: hooktape new"
  return [
    files.length + unstarted.length === 0
      ? unread("build", none)
      : {
          check: "build",
          looked: [...files, ...unstarted.map(({ file }) => near(file))],
          findings: [
            ...built.replaced.map(replacedFinding(near)),
            ...reservedFindings(built.hooks, near),
            ...unstarted.map(findingOf(near, "hook-unstarted", "error")),
            ...doubtful.map(findingOf(near, "hook-doubtful", "warning"))
          ]
        },
    files.length === 0 ? unread("types", none) : yield* checkTypes(places.project, files),
    yield* checkFixtures(places, state),
    yield* checkEveryday(places.project, built.manifest, (hook) => fileOf(built, hook, near)),
    yield* checkRegistration(places, built.manifest)
  ] satisfies readonly Checked[]
})
