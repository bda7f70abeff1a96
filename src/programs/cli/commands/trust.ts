/** `hooktape trust`: shows what changed since somebody last said yes, and takes the next yes; it holds for that content, wherever it is. */
import { statSync } from "node:fs"
import { relative, sep } from "node:path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { count } from "../../../features/timeline/words.ts"
import type { Problem } from "../../../hooks/Problem.ts"
import { printable, printableLines } from "../../../state/terminalText.ts"
import { BuildError } from "../../../tools/build/BuildError.ts"
import {
  type FormatterOptions,
  type ReviewedFormatter,
  reviewFormatters,
  trustFormatters
} from "../../../tools/build/formatterTrust.ts"
import {
  type Gone,
  type Review,
  reviewProject,
  type TrustedFile,
  type TrustResult,
  trustReviewed
} from "../../../tools/build/trust.ts"
import { readTrust } from "../../../trust/store.ts"
import { asked } from "../asked.ts"
import { CliError } from "../CliError.ts"
import { findPlaces } from "../places.ts"
import { prepareState } from "../prepare.ts"
import { asCalled } from "../render/asCalled.ts"
import { table } from "../render/table.ts"
import { Screen } from "../Screen.ts"
import { defineAction, defineCommand } from "../syntax/Command.ts"
import { argument, flag, text } from "../syntax/parameters.ts"
import { json, project } from "../syntax/shared.ts"
import { watchHooks } from "../watchHooks.ts"
import { build, noteDown } from "./build.ts"
import { digestBy, list, revoke } from "./trusted.ts"

export interface TrustCommandOptions {
  readonly project: string | undefined
  readonly yes: boolean
  readonly again: string | undefined
}

/** The reason comes first; that all is as it was, last. */
class NotTrusted extends Data.TaggedError("NotTrusted")<{ readonly message: string }> {}

const slashed = (from: string, file: string): string => relative(from, file).split(sep).join("/")

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

/** `digests`: of the files that somebody trusts or revokes; what they import has none of its own. */
const drawFiles = (files: readonly TrustedFile[], digests?: ReadonlyMap<string, string>) =>
  Effect.map(Screen, ({ style, width }) => {
    const row = (change: string, name: string, digest = ""): readonly string[] =>
      digests === undefined ? [`  ${change}`, name] : [`  ${style.faint(digest.slice(0, 12))}`, change, name]
    const packages = [...byPackage(files)].map(([name, of]) => {
      const change = (["changed", "new"] as const).find((one) => of.some((file) => file.change === one))
      return row(change ?? "same", `${count(of.length, "file")} of ${printable(name)}`)
    })
    const own = files
      .filter(({ file }) => packageIn(file) === undefined)
      .map(({ change, file }) => row(change, printable(file), digests?.get(file)))
    const rows = [...own, ...packages]
    return table(
      (rows[0] ?? []).map(() => ({ title: "" })),
      rows,
      { style, width }
    )
  })

/** What is shown of a hook file, a configuration, or a formatter's configuration that is code. */
type Shown = Pick<Review["items"][number], "change" | "command" | "diff" | "file" | "files">

interface ToShow extends Omit<Review, "again" | "items"> {
  readonly items: readonly Shown[]
}

const isOpen = ({ change }: Shown): boolean => change === "new" || change === "changed"

const goneText = ({ events, file, guarded }: Gone): string =>
  printable(
    guarded.length > 0
      ? `gone: ${file}, a guard for ${guarded.join(", ")}`
      : events.length > 0
        ? `gone: ${file}, for ${events.join(", ")}`
        : `gone: ${file}`
  )

const unbuilt = (project: string, { file, line, reason }: Problem): string =>
  `${slashed(project, file)} does not build: ${reason}${line === undefined ? "" : ` (line ${line})`}`

/** What is not the same as it was, with the difference where there is one. What nobody can trust comes first. */
export const showReview = Effect.fn("cli.trust.show")(function* ({ gone, items, problems, project }: ToShow) {
  const { out, style } = yield* Screen
  for (const problem of problems) yield* out(`${style.bad("✖")} ${printable(unbuilt(project, problem))}\n`)
  const open = items.filter(isOpen)
  const files = new Map(
    open
      .flatMap((one) => one.files)
      .filter(({ change }) => change !== "same")
      .map((file) => [file.file, file])
  )
  const broken = problems.length === 0 ? "" : `, and ${count(problems.length, "problem")} to correct first`
  if (open.length > 0)
    yield* out(
      `${printable(project)}: ${count(files.size, "file")} not trusted yet${broken}\n${yield* drawFiles([...files.values()])}`
    )
  if (gone.length > 0)
    yield* out(
      `${printable(project)}: ${count(gone.length, "file")} trusted, but gone\n${gone.map((one) => `  ${goneText(one)}\n`).join("")}`
    )
  for (const { command, file } of open)
    if (command !== undefined) yield* out(`  ${printable(`${file} runs: ${command}`)}\n`)
  for (const { diff } of open) if (diff !== "") yield* out(`\n${printableLines(diff)}`)
})

const questionFor = ({ gone, items }: ToShow): string =>
  gone.length === 0
    ? "Trust this?"
    : items.some(isOpen)
      ? "Trust this, and let go what is gone?"
      : "Let go what is gone?"

const consent = Effect.fn("cli.trust.consent")(function* (review: ToShow, yes: boolean) {
  if (yes || (review.gone.length === 0 && !review.items.some(isOpen))) return true
  yield* showReview(review)
  const answer = yield* asked(`${questionFor(review)} [y/N] `)
  if (answer !== undefined) return /^y(es)?$/i.test(answer.trim())
  return yield* new CliError({
    what: "trust",
    reason: "nothing was trusted: there is no terminal to ask on",
    remedy: 'Read what is listed, then run "hooktape trust --yes".'
  })
})

const withFormatters = (
  how: FormatterOptions,
  hooks: TrustResult,
  formatters: readonly ReviewedFormatter[]
) =>
  Effect.map(trustFormatters(how, formatters), (accepted): TrustResult => {
    const items = accepted.flatMap(({ change, ...item }) =>
      change === "revoked" ? [] : [{ ...item, change }]
    )
    return {
      ...hooks,
      items: [...hooks.items, ...items],
      files: [
        ...new Map(
          [...hooks.files, ...items.flatMap(({ files }) => files)].map((one) => [one.file, one])
        ).values()
      ],
      digests: [...hooks.digests, ...items.map(({ digest }) => digest)],
      revoked: [
        ...hooks.revoked,
        ...formatters.filter(({ change }) => change === "revoked").map(({ file }) => file)
      ]
    }
  })

const trust = Effect.fn("cli.trust")(function* (options: TrustCommandOptions) {
  const { note, out, style } = yield* Screen
  const { project, state } = findPlaces(options.project)
  if (statSync(project, { throwIfNoEntry: false })?.isDirectory() !== true)
    return yield* new CliError({
      what: "trust",
      reason: `there is no directory ${project}`,
      remedy: "Check --project."
    })
  yield* prepareState(state)
  const again =
    options.again === undefined
      ? []
      : [yield* digestBy("trust --again", options.again, Object.keys(readTrust(state).revoked))]
  const watching = yield* watchHooks
  const how = { state, project, again, watching }
  const refuse = ({ message }: { readonly message: string }) =>
    new NotTrusted({ message: `${message}\nnothing was trusted` })
  const review = yield* reviewProject(how)
  const formatters = yield* reviewFormatters(how)
  watching.pause()
  const toShow = { ...review, items: [...review.items, ...formatters] }
  if (!(yield* consent(toShow, options.yes || (again.length > 0 && review.gone.length === 0)))) {
    yield* note("Nothing was trusted.\n")
    return 1
  }
  if (toShow.items.length === 0 && review.problems.length > 0)
    return yield* refuse(new BuildError({ op: "compile", problems: review.problems }))
  const hooks = yield* trustReviewed(how, review).pipe(
    Effect.ensuring(Effect.sync(watching.pause)),
    Effect.mapError(refuse)
  )
  const result = yield* withFormatters(how, hooks, formatters).pipe(Effect.mapError(refuse))
  const { files } = result
  yield* noteDown(state, {
    type: "HOOKS_TRUSTED",
    project: result.project,
    files: files.map(({ file, hash }) => ({ file, hash })),
    ...(result.digests.length === 0 ? {} : { digests: result.digests })
  })
  for (const one of review.gone)
    yield* out(`${style.good("✔")} let go, and not missed any more: ${goneText(one).replace("gone: ", "")}\n`)
  for (const file of result.revoked)
    yield* note(
      `${style.warn("!")} ${printable(file)} was revoked and stays so; "hooktape trust list" has its digest for "hooktape trust --again".\n`
    )
  const wasDone = review.gone.length > 0
  if (files.length === 0 && result.problems.length === 0 && !wasDone) {
    yield* out(
      result.revoked.length > 0
        ? "Nothing was trusted.\n"
        : `${printable(result.project)} has no hooks to trust. ${asCalled(style.strong("hooktape init"))} makes a first one.\n`
    )
    return result.revoked.length > 0 ? 1 : 0
  }
  const digests = new Map(result.items.map(({ digest, file }) => [file, digest]))
  if (result.items.every(({ change }) => change === "same")) {
    const as = files.length === 1 ? "is trusted as it is" : "are trusted as they are"
    if (files.length > 0 && !wasDone && result.problems.length === 0)
      yield* out(`Nothing to do: ${count(files.length, "file")} of ${printable(result.project)} ${as}\n`)
  } else if (files.length > 0)
    yield* out(
      `${style.good("✔")} trusted ${count(files.length, "file")} of ${printable(result.project)} as they are now\n${yield* drawFiles(files, digests)}`
    )
  const broken = new Set(result.problems.map(({ file }) => file))
  yield* build({ project: result.project, user: false, quiet: false, all: false }, watching, broken)
  if (result.problems.length === 0) return 0
  const left = result.problems.map((problem) => unbuilt(result.project, problem)).join("; ")
  yield* out(`${style.bad("✖")} ${printable(`not trusted: ${left}`)}\n`)
  return yield* new BuildError({ op: "check", problems: result.problems })
}, Effect.scoped)

const listCommand = defineAction({
  summary: "What was trusted and what was revoked, with digests.",
  options: {
    json: json(
      "`{trusted: [{digest, kind, names, project, file, at, inUse}], revoked: [{digest, names, file, at}]}`"
    )
  },
  examples: ["hooktape trust list"],
  guards: "keeps",
  run: list
})

const revokeCommand = defineAction({
  summary: "Take it back, from the next call on.",
  arguments: { digest: argument("<digest>", "The digest of a content, or its beginning.") },
  options: {
    yes: flag("Do not ask; needed where there is no terminal.", {
      details: "do not ask; needed where there is no terminal and other projects have the same configuration"
    })
  },
  examples: ["hooktape trust revoke 3f9a0c"],
  guards: "weakens",
  run: revoke
})

export const command = defineCommand({
  group: "Set up",
  summary: "Show what changed in this project's hooks, and let them run as they are now.",
  options: {
    yes: flag("Do not ask; needed where there is no terminal.", {
      details: "do not ask; needed where there is no terminal, which is exit code 1 otherwise"
    }),
    again: text("DIGEST", "Trust what was revoked, by name.", { sample: "3f9a0c" }),
    project
  },
  examples: ["hooktape trust", "hooktape trust revoke 3f9a0c"],
  guards: "weakens",
  run: trust,
  subcommands: { list: listCommand, revoke: revokeCommand }
})
