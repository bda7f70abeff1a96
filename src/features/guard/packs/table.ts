/** Rules as rows of a table: which tool, which of its verbs, with and without which options. */
import { type Call, textsOf } from "../Call.ts"
import type { RuleId, Verdict } from "../rule.ts"
import { passOver } from "../script.ts"

export interface Row {
  readonly rule: RuleId
  /** What the operands begin with, joined by blanks. */
  readonly verbs: RegExp
  /** What it does, for the reason: "deletes the volume". */
  readonly does: string
  /** Only where this stands among the words; and not where that does. All words stand between blanks, as they were written. */
  readonly with?: RegExp
  readonly without?: RegExp
  readonly action?: Verdict["action"]
}

export interface Tool {
  readonly rows: readonly Row[]
  /** Options whose value is the next word, besides those that always have one. */
  readonly valued?: ReadonlySet<string>
  /** `-h` is no question for help here, but a host. */
  readonly hasHost?: boolean
  /** What stands behind `--` is named, and no option of its own. */
  readonly endsOptions?: true
  /** `help` behind its commands asks what they do. */
  readonly hasHelp?: boolean
}

/** By the names of programs, each made when the first of them is looked at: a call has one or two, and there are hundreds. */
export type Tools = Readonly<Record<string, () => Tool>>

/** What a call is, read once for all rows of its tool. */
export interface Read {
  readonly operands: readonly string[]
  readonly verbs: string
  readonly options: string
  readonly all: string
}

/** Whatever the tool, these have a value: what stands behind one of them is not what it is told to do. */
const alwaysValued: ReadonlySet<string> = new Set(
  (
    "--env --environment --env-file --app --config --config-file --context --profile --project --project-id --region --stage --schema " +
    "--settings --pythonpath --verbosity --database --db --url --uri --dsn --host --hostname --server --endpoint --endpoints --address " +
    "--port --username --password --token --namespace --kubeconfig --workdir --working-dir --directory --dir --cwd --chdir --prefix " +
    "--registry --log-level --loglevel --connection --timeout --repo --org --owner --stack --output --format --filter --manifest-path " +
    "--certs-dir --rakefile"
  ).split(" ")
)

const maxWords = 2000
const maxWord = 20_000

export const readWords = (texts: readonly string[], valued?: ReadonlySet<string>): Read => {
  const operands: string[] = []
  const options: string[] = []
  for (let at = 0; at < texts.length && at < maxWords; at++) {
    const text = (texts[at] as string).slice(0, maxWord)
    // `+nightly` says which of several is started.
    if (text === "-" || !/^(?:-|\+[a-z])/.test(text)) operands.push(text)
    else {
      options.push(text)
      if (valued?.has(text) || alwaysValued.has(text)) options.push((texts[++at] ?? "").slice(0, maxWord))
    }
  }
  return {
    operands,
    verbs: operands.join(" "),
    options: ` ${options.join(" ")} `,
    all: ` ${texts
      .slice(0, maxWords)
      .map((text) => text.slice(0, maxWord))
      .join(" ")} `
  }
}

/** Stands for the operands that `xargs` adds. */
const handedOver = "…"

const harmless = /^(?:help|version)(?: |$)/
const asksOnly =
  / (?:--help|-help|--dry-?run(?:=(?!none|false|no|0)\S+)?|--dryrun|--what-?if|-WhatIf|--simulate|--just-print|--recon|--no-act|--check-only) /

/** With a number behind it, it says which one is meant. */
const asksVersion = / --version (?![v^~=]?\d)/

/** Options that only say what would happen. */
export const onlyShows = ({ all, options, verbs }: Read, hasHost = false): boolean =>
  harmless.test(verbs) ||
  asksOnly.test(options) ||
  asksVersion.test(all) ||
  (!hasHost && / -h /.test(options))

/** `aws rds delete-db-instance help`: commands alone. Behind an option it is one of the things that are named. */
const asksHelp = (texts: readonly string[]): boolean => {
  if (texts.at(-1) !== "help") return false
  const begin = texts.findIndex((text) => /^(?!-)/.test(text) && /^[a-z][\w-]*$/.test(text))
  const words = texts.slice(Math.max(begin, texts.length - 3))
  return (
    words.every((text) => /^[a-z][\w-]*$/.test(text)) &&
    texts
      .slice(0, -words.length)
      .every((text, at, all) => text.startsWith("-") || all[at - 1]?.startsWith("--"))
  )
}

const beforeDashes = (texts: readonly string[]): readonly string[] => texts.slice(0, texts.indexOf("--"))

/** The first row that fits and whose rule is on. */
export const judgeRows = (tool: Tool, { args, fed, name, state }: Call): Verdict | undefined => {
  state.budget.left -= tool.rows.length
  const texts = textsOf(args)
  if (texts.length > maxWords) passOver(state.budget)
  return judgeTexts(tool, name, fed ? [...texts, handedOver] : texts, state.place.off)
}

/** As `judgeRows`, of words that no shell has read. */
export const judgeTexts = (
  { endsOptions, hasHelp, hasHost, rows, valued }: Tool,
  name: string,
  texts: readonly string[],
  off: readonly string[] = []
): Verdict | undefined => {
  const read = readWords(texts, valued)
  const asked = endsOptions === true && texts.includes("--") ? readWords(beforeDashes(texts), valued) : read
  if (onlyShows(asked, hasHost) || (hasHelp === true && asksHelp(texts))) return undefined
  for (const row of rows) {
    if (!row.verbs.test(read.verbs)) continue
    if (row.with !== undefined && !row.with.test(read.all)) continue
    if (row.without?.test(read.all)) continue
    if (off.includes(row.rule)) continue
    const shown = `${name} ${read.operands.slice(0, 3).join(" ")}`.trim().slice(0, 60)
    const reason = `\`${shown}\` ${row.does}.`
    return row.action === undefined
      ? { rule: row.rule, reason }
      : { rule: row.rule, reason, action: row.action }
  }
  return undefined
}

/** Either of two patterns. */
export const either = (one: RegExp, other: RegExp): RegExp => new RegExp(`${one.source}|${other.source}`)

/** Rows of one rule. */
export const rows = (
  rule: RuleId,
  ...given: readonly (readonly [verbs: RegExp, does: string, more?: Omit<Row, "rule" | "verbs" | "does">])[]
): readonly Row[] => given.map(([verbs, does, more]) => ({ rule, verbs, does, ...more }))

export const words = (text: string): ReadonlySet<string> => new Set(text.split(" "))

/** An option by its letter, alone or among others, or by its long name. */
export const option = (letter: string, long = ""): RegExp =>
  new RegExp(` (?:-(?!-)\\w*${letter}\\w*${long === "" ? "" : `|--(?:${long})(?:=\\S*)?`}) `)

/** The same rows for several names. */
export const tools = (names: string, tool: () => Tool): Tools =>
  Object.fromEntries(names.split(" ").map((name) => [name, tool]))
