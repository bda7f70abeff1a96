/** `hooktape trust`: running it is the consent; from here on the project's hooks run, until one of their files changes. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { type TrustResult, trustProject } from "../../build/trust.ts"
import { findPlaces } from "../places.ts"
import { prepareState } from "../prepare.ts"
import { printable } from "../render/style.ts"
import { table } from "../render/table.ts"
import { count } from "../render/words.ts"
import { Screen } from "../Screen.ts"
import { build, noteDown } from "./build.ts"

export interface TrustCommandOptions {
  readonly project: string | undefined
}

/** The reason comes first; that all is as it was, last. */
class NotTrusted extends Data.TaggedError("NotTrusted")<{ readonly message: string }> {}

/** The folder of the package that a file belongs to. */
const packageIn = (file: string): string | undefined =>
  /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0]

/** Nobody reads the list of a package's files. One lying right in a folder of that name is listed by itself. */
const byPackage = (files: TrustResult["files"]): ReadonlyMap<string, TrustResult["files"]> => {
  const found = new Map<string, TrustResult["files"]>()
  for (const file of files) {
    const name = packageIn(file.file)
    if (name !== undefined) found.set(name, [...(found.get(name) ?? []), file])
  }
  return found
}

export const trust = Effect.fn("cli.trust")(function* (options: TrustCommandOptions) {
  const { out, style, width } = yield* Screen
  const { project, state } = findPlaces(options.project)
  yield* prepareState(state)
  const result = yield* trustProject({ state, project }).pipe(
    Effect.mapError(({ message }) => new NotTrusted({ message: `${message}\nnothing was trusted` }))
  )
  const { files } = result
  yield* noteDown(state, {
    type: "HOOKS_TRUSTED",
    project: result.project,
    files: files.map(({ file, hash }) => ({ file, hash }))
  })
  if (files.length === 0) {
    return yield* out(
      `${printable(result.project)} has no hooks to trust. ${style.strong("hooktape init")} makes a first one.\n`
    )
  }
  const rows = table(
    [{ title: "" }, { title: "" }, { title: "" }],
    [
      ...files
        .filter(({ file }) => packageIn(file) === undefined)
        .map(({ change, file, hash }) => [`  ${style.faint(hash.slice(0, 12))}`, change, printable(file)]),
      ...[...byPackage(files)].map(([name, of]) => [
        "  +",
        (["changed", "new"] as const).find((one) => of.some(({ change }) => change === one)) ?? "same",
        `${count(of.length, "file")} of ${printable(name)}`
      ])
    ],
    { style, width }
  )
  yield* out(
    `${style.good("✔")} trusted ${count(files.length, "file")} of ${printable(result.project)} as they are now\n${rows}`
  )
  yield* build({ project: result.project, user: false, quiet: false })
})
