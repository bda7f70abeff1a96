/** Whether a command only looks, told at a glance: most commands of an agent do, and to read one by the shell's grammar costs a hook call more than all else. */

import { gitLooks, glanced, ofSecrets, printers } from "./glanced.ts"
import { fitsRow, type Glanced, isDocument, isOpen, isPlace, type Operands, type Word } from "./glancedRow.ts"

/**
 * Only what stands for itself: no expansion save of how a command ended, no escape, no assignment, no file that is written; a word
 * behind a redirection would be a part of it. A document may stand in the place of a word, as what a commit says does.
 */
const token = new RegExp(
  [
    /[ \t]+/,
    /(?:2>&1|[12&]?>[ \t]?\/dev\/null)(?=[ \t|;&\n]|$)/,
    /"\$\(cat <<'EOF'\n(?:(?!EOF\n)[^\n$`\\"]*\n)*EOF\n\)"(?=[ \t|;&\n]|$)/,
    /(?:[\w./:@%+,^*?~-]|=(?=[\w./:@%+,^*?~'"-])|\$\?|\$\{PIPESTATUS\[0\]\}|'[^']*'|"(?:[^"$`\\!]|\\[^"$`\\!\n]|\$\?|\$\{PIPESTATUS\[0\]\})*")+/,
    /&&|\|\||[|;\n]/
  ]
    .map(({ source }) => source)
    .join("|"),
  "y"
)

/** Of what the pattern above finds, what is no word: `'>'` in quotes is one. */
const between = /^(?:[ \t]+|(?:2>&1|[12&]?>[ \t]?\/dev\/null))$/

/** Longer ones are read as everything else is. */
const longest = 2000

/** A name of a variable that weakens the guards, wherever it stands. */
const namesVariable = (command: string): boolean => command.replace(/["'\\]/g, "").includes("HOOKTAPE")

/** Of commands that only look: options that write or start something. They may be cut short. */
const harmful: ReadonlyMap<string, RegExp> = new Map([
  // `git diff --output=x` writes, `git grep -O` starts a program.
  ...gitLooks.map(
    (look) => [`git ${look}`, /^-[^-]*O|^--(?:o(?!neline$|nly)|ext?(?!c|p)|textc|fil)/] as const
  ),
  ["file", /^-[^-]*C|^--c/],
  ["rg", /^--(?:pre|hostname)/],
  ["sort", /^-[^-]*[oT]|^--(?:o|c|t)/],
  ["find", /^-(?:delete|exec|ok|fprint|fls)/]
])

const rowsOf = new Map<string, readonly Glanced[]>()
for (const row of glanced) for (const name of row.names) rowsOf.set(name, [...(rowsOf.get(name) ?? []), row])

/** Words that the table does not know, to a command that looks whatever it is given besides those that mean harm. */
const onlyLooks = (name: string, args: readonly Word[]): boolean => {
  const [verb, ...rest] = args
  const [command, given] = name === "git" && verb !== undefined ? [`git ${verb.meant}`, rest] : [name, args]
  const forbidden = harmful.get(command)
  return (
    forbidden !== undefined &&
    !args.some((arg) => isOpen(arg) || isDocument(arg)) &&
    !given.some(({ meant }) => forbidden.test(meant))
  )
}

const unquoted = (word: string): string => word.replace(/["']/g, "")

/**
 * What a command of a line may do, besides looking: start a script of a package, do something with the places that it is given, go to
 * another folder, or to one where guarded files may lie under names that say nothing of it.
 */
type Doing = "starts" | "acts" | "moves" | "hides"

const mayBeSecret = ({ meant }: Word): boolean =>
  /^\.[^/]/.test(meant) || ofSecrets.some((part) => meant.toLowerCase().includes(part))

/** What prints files: one that may be a secret is for a guard to see. */
const printing = (args: readonly Word[]): readonly Doing[] | undefined => {
  const files = args.filter(({ meant }) => !meant.startsWith("-"))
  if (files.some(mayBeSecret)) return undefined
  return files.length > 0 ? ["acts"] : []
}

const doingOf: Readonly<Partial<Record<Operands, readonly Doing[]>>> = {
  places: ["acts"],
  names: ["acts"],
  script: ["starts"]
}

const doing = (words: readonly Word[]): readonly Doing[] | undefined => {
  const [name, ...args] = words
  if (name === undefined) return []
  const row = rowsOf.get(name.written)?.find((one) => fitsRow(one, args))
  if (row === undefined) return onlyLooks(name.written, args) ? [] : undefined
  if (printers.includes(name.written)) return printing(args)
  if (name.written !== "cd") return doingOf[row.operands] ?? []
  return args.length === 1 && args.every(({ meant }) => isPlace(meant)) ? ["moves"] : ["moves", "hides"]
}

export interface Glance {
  /** It is certain that no guard has anything to say, save of a script of a package that it starts. */
  readonly isPlain: boolean
  readonly startsScript: boolean
}

const unread: Glance = { isPlain: false, startsScript: false }

/** What is told at a glance. What is not certain is read. */
export const glance = (command: string): Glance => {
  if (command.length > longest || namesVariable(command)) return unread
  let words: Word[] = []
  const seen = new Set<Doing>()
  const isHarmless = (): boolean => {
    const found = doing(words)
    words = []
    for (const one of found ?? []) seen.add(one)
    return found !== undefined
  }
  for (let at = 0; at < command.length; at = token.lastIndex) {
    token.lastIndex = at
    const found = token.exec(command)?.[0]
    if (found === undefined) return unread
    if (between.test(found)) continue
    if (/^(?:&&|\|\||[|;\n])$/.test(found)) {
      if (!isHarmless()) return unread
    } else words.push({ written: found, meant: unquoted(found) })
  }
  if (!isHarmless()) return unread
  const startsScript = seen.has("starts")
  // A script of another folder is not the one that is looked at here.
  if ((startsScript && seen.has("moves")) || (seen.has("acts") && seen.has("hides"))) return unread
  return { isPlain: true, startsScript }
}

/** Whether it is certain, at a glance, that no guard has anything to say, save of a script of a package. */
export const isPlain = (command: string): boolean => glance(command).isPlain
