/** Whether a command only looks, told at a glance: most commands of an agent do, and to read one by the shell's grammar costs a hook call more than all else. */

import { gitLooks, onlyLooking, packageManagers, packageScripts } from "./glanced.ts"

/** Only what stands for itself: no expansion, no substitution, no escape, no assignment, no file that is written; a word behind a redirection would be a part of it. */
const token =
  /[ \t]+|(?:2>&1|[12&]?>[ \t]?\/dev\/null)(?=[ \t|;&\n]|$)|(?:[\w./:@%+,^*?~-]|=(?=[\w./:@%+,^*?~'"-])|'[^'\n]*'|"[^"$`\\!\n]*")+|&&|\|\||[|;\n]/y

/** Of what the pattern above finds, what is no word: `'>'` in quotes is one. */
const between = /^(?:[ \t]+|(?:2>&1|[12&]?>[ \t]?\/dev\/null))$/

/** Names of files that lie there would take its place, and be options: `find . ?delete` where somebody made a file of the name `-delete`. */
const open = /^(?:''|"")*[*?]|^["']*-.*[*?]/

/** Longer ones are read as everything else is. */
const longest = 2000

/** A name that may be a variable's, with what is set. */
const assignment = /[A-Z][A-Z\d_]{2,}["']?[=:]/

type Harmless = (args: readonly string[]) => boolean

const always: Harmless = () => true
const without =
  (forbidden: RegExp): Harmless =>
  (args) =>
    !args.some((arg) => forbidden.test(arg))
const only =
  (allowed: RegExp): Harmless =>
  (args) =>
    args.every((arg) => allowed.test(arg))

/** `git diff --output=x` writes, `git grep -O` starts a program. */
const git: Harmless = ([command = "", ...args]) => {
  if (gitLooks.includes(command))
    // Options may be cut short.
    return without(/^-[^-]*O|^--(?:o(?!neline$|nly)|ext?(?!c|p)|textc|fil)/)(args)
  if (command === "add") return without(/^-(?!A$|u$|-all$|-update$)/)(args)
  if (command === "commit") return /^-a?m$/.test(args[0] ?? "") && args.length === 2
  return (
    (command === "branch" || command === "remote") && only(/^(?:-a|-r|-v|-vv|--list|--show-current)$/)(args)
  )
}

/** A script gets which tests to run: names and paths as those have them. What a script does with `.claude/settings.json` or `../x` nobody knows. */
const ofScript = only(/^(?:--|--run|--silent|-s|(?!.*hooktape)\w[\w-]*(?:[./]\w[\w-]*)*)$/)
const packages: Harmless = ([command = "", ...args]) =>
  command === "test"
    ? ofScript(args)
    : command === "run" && packageScripts.includes(args[0] ?? "") && ofScript(args.slice(1))

const named = (names: readonly string[], harmless: Harmless): readonly (readonly [string, Harmless])[] =>
  names.map((name) => [name, harmless])

/** Commands that write nothing and start nothing, with what they are given. */
const looking: ReadonlyMap<string, Harmless> = new Map([
  ...named(onlyLooking, always),
  ["file", without(/^-[^-]*C|^--c/)],
  ["rg", without(/^--(?:pre|hostname)/)],
  ["sort", without(/^-[^-]*[oT]|^--(?:o|c|t)/)],
  ["find", without(/^-(?:delete|exec|ok|fprint|fls)/)],
  [
    "sed",
    ([flag = "", script = "", ...files]) =>
      flag === "-n" && /^\d+(?:,\d+)?p$/.test(script) && files.every((file) => !file.startsWith("-"))
  ],
  ["git", git],
  ...named(packageManagers, packages)
])

const unquoted = (word: string): string => word.replace(/["']/g, "")

export interface Glance {
  /** It is certain that no guard has anything to say, save of a script of a package that it starts. */
  readonly isPlain: boolean
  readonly startsScript: boolean
}

const unread: Glance = { isPlain: false, startsScript: false }

/** What is told at a glance. What is not certain is read. */
export const glance = (command: string): Glance => {
  if (command.length > longest || assignment.test(command)) return unread
  let words: string[] = []
  let startsScript = false
  let moves = false
  const isHarmless = (): boolean => {
    const [name, ...args] = words
    words = []
    if (name === undefined) return true
    startsScript ||= packageManagers.includes(name)
    moves ||= name === "cd"
    const harmless = looking.get(name)
    if (harmless === undefined || (harmless !== always && args.some((arg) => open.test(arg)))) return false
    return harmless(args.map(unquoted))
  }
  for (let at = 0; at < command.length; at = token.lastIndex) {
    token.lastIndex = at
    const found = token.exec(command)?.[0]
    if (found === undefined) return unread
    if (between.test(found)) continue
    if (/^(?:&&|\|\||[|;\n])$/.test(found)) {
      if (!isHarmless()) return unread
    } else words.push(found)
  }
  // A script of another folder is not the one that is looked at here.
  return isHarmless() && !(startsScript && moves) ? { isPlain: true, startsScript } : unread
}

/** Whether it is certain, at a glance, that no guard has anything to say, save of a script of a package. */
export const isPlain = (command: string): boolean => glance(command).isPlain
