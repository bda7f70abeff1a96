/** `hooktape trust`: shows what changed since somebody last said yes, and takes the next yes; it holds for that content, wherever it is. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { BuildError } from "../../build/BuildError.ts"
import { type Review, reviewProject, type TrustedFile, trustReviewed } from "../../build/trust.ts"
import { readTrust } from "../../trust/store.ts"
import { asked } from "../asked.ts"
import { CliError } from "../CliError.ts"
import { findPlaces } from "../places.ts"
import { prepareState } from "../prepare.ts"
import { printable, printableLines } from "../render/style.ts"
import { table } from "../render/table.ts"
import { count } from "../render/words.ts"
import { Screen } from "../Screen.ts"
import { build, noteDown } from "./build.ts"
import { digestBy } from "./trusted.ts"

export interface TrustCommandOptions {
  readonly project: string | undefined
  readonly yes: boolean
  readonly again: string | undefined
}

/** The reason comes first; that all is as it was, last. */
class NotTrusted extends Data.TaggedError("NotTrusted")<{ readonly message: string }> {}

/** The folder of the package that a file belongs to. */
const packageIn = (file: string): string | undefined =>
  /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0]

/** Nobody reads the list of a package's files. One lying right in a folder of that name is listed by itself. */
const byPackage = (files: readonly TrustedFile[]): ReadonlyMap<string, readonly TrustedFile[]> => {
  const found = new Map<string, readonly TrustedFile[]>()
  for (const file of files) {
    const name = packageIn(file.file)
    if (name !== undefined) found.set(name, [...(found.get(name) ?? []), file])
  }
  return found
}

const drawFiles = (files: readonly TrustedFile[]) =>
  Effect.map(Screen, ({ style, width }) =>
    table(
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
  )

/** What is not the same as it was, with the difference where there is one. */
const showReview = Effect.fn("cli.trust.show")(function* ({ items, project }: Review) {
  const { out } = yield* Screen
  const open = items.filter(({ change }) => change === "new" || change === "changed")
  const files = new Map(open.flatMap((one) => one.files).map((file) => [file.file, file]))
  yield* out(
    `${printable(project)}: ${count(files.size, "file")} not trusted yet\n${yield* drawFiles([...files.values()])}`
  )
  for (const { diff } of open) if (diff !== "") yield* out(`\n${printableLines(diff)}`)
})

const consent = Effect.fn("cli.trust.consent")(function* (review: Review, yes: boolean) {
  const isOpen = review.items.some(({ change }) => change === "new" || change === "changed")
  if (yes || !isOpen) return true
  yield* showReview(review)
  const answer = yield* asked("Trust this? [y/N] ")
  if (answer !== undefined) return /^y(es)?$/i.test(answer.trim())
  return yield* new CliError({
    what: "trust",
    reason: "nothing was trusted: there is no terminal to ask on",
    remedy: 'Read what is listed, then run "hooktape trust --yes".'
  })
})

export const trust = Effect.fn("cli.trust")(function* (options: TrustCommandOptions) {
  const { note, out, style } = yield* Screen
  const { project, state } = findPlaces(options.project)
  yield* prepareState(state)
  const again =
    options.again === undefined
      ? []
      : [yield* digestBy("trust --again", options.again, Object.keys(readTrust(state).revoked))]
  const how = { state, project, again }
  const refuse = ({ message }: { readonly message: string }) =>
    new NotTrusted({ message: `${message}\nnothing was trusted` })
  const review = yield* reviewProject(how)
  if (!(yield* consent(review, options.yes || again.length > 0))) {
    yield* note("Nothing was trusted.\n")
    return 1
  }
  if (review.items.length === 0 && review.problems.length > 0)
    return yield* refuse(new BuildError({ op: "compile", problems: review.problems }))
  const result = yield* trustReviewed(how, review).pipe(Effect.mapError(refuse))
  const { files } = result
  yield* noteDown(state, {
    type: "HOOKS_TRUSTED",
    project: result.project,
    files: files.map(({ file, hash }) => ({ file, hash })),
    ...(result.digests.length === 0 ? {} : { digests: result.digests })
  })
  for (const file of result.revoked)
    yield* note(
      `${style.warn("!")} ${printable(file)} was revoked and stays so; "hooktape trust list" has its digest for "hooktape trust --again".\n`
    )
  if (files.length === 0 && result.problems.length === 0) {
    yield* out(
      result.revoked.length > 0
        ? "Nothing was trusted.\n"
        : `${printable(result.project)} has no hooks to trust. ${style.strong("hooktape init")} makes a first one.\n`
    )
    return result.revoked.length > 0 ? 1 : 0
  }
  yield* out(
    `${style.good("✔")} trusted ${count(files.length, "file")} of ${printable(result.project)} as they are now\n${yield* drawFiles(files)}`
  )
  yield* build({ project: result.project, user: false, quiet: false })
  if (result.problems.length > 0) return yield* new BuildError({ op: "check", problems: result.problems })
  return 0
})
