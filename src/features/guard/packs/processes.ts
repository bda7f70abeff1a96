/** Pack `processes`: signals to everything. */
import { type Rule, textsOf } from "../Call.ts"
import type { Argument } from "../expand.ts"
import type { Verdict } from "../rule.ts"
import type { Stage, Word } from "../script.ts"
import type { Origin, ShellState } from "../shellState.ts"

const said = (name: string): Verdict => ({
  rule: "kill-all",
  reason: `\`${name}\` ends every process that it may, or the first one.`
})

const isSignal = (text: string): boolean => /^-(?:\d{1,2}|[A-Z]+\d*|s|n|signal|[a-z]+)$/.test(text)

/** A pattern that every process fits. */
const anything = /^["'^]*(?:\.\*?|\.\+|\S?\*|\[a-z\].*|)["'$]*$/

const onlyAsks = (texts: readonly string[]): boolean =>
  texts.some((text) => /^-[lLh]|^--help|^-0$/.test(text))

/** The signal comes first; what follows it are processes, however they look. */
const kill = (texts: readonly string[]): boolean => {
  if (onlyAsks(texts)) return false
  const at = texts.findIndex((text) => !isSignal(text) || text === "-1")
  const targets =
    texts[0] === "--"
      ? texts.slice(1)
      : at === 0 && texts[0] === "-1" && texts.length > 1
        ? texts.slice(1)
        : texts.slice(at < 0 ? texts.length : at)
  return targets.some((text) => text === "-1" || text === "1" || text === "0")
}

const wordsOf = ({ words }: Stage): readonly string[] =>
  words.map((word) => word.map((part) => (part.kind === "text" ? part.text : "…")).join(""))

/** Columns and order only: a pattern, a comparison or a line's number would choose. */
const choosesNothing = (stage: Stage): boolean => {
  const [name = "", ...rest] = wordsOf(stage)
  if (/^g?m?awk$/.test(name)) return /^\s*(?:NR\s*>\s*1\s*)?\{[^/~=<>]*\}\s*$/.test(rest.at(-1) ?? "")
  if (name === "tail") return rest.some((word) => /^(?:-n)?\+\d+$/.test(word))
  if (name === "sed") return rest.at(-1) === "1d"
  return /^(?:cut|tr|sort|uniq|cat|rev|tac|xargs)$/.test(name)
}

/** Letters of `ps` with a value, which is the rest of the word or the next one: behind a dash, and without. */
const valued = { dashed: "oOpqCGgstUu", bare: "oOkpqtU" }
const longValued =
  /^--(?:format|sort|cols|columns|lines|rows|width|p?pid|quick-pid|user|User|group|Group|tty|sid)$/
/** What it chooses by: ids, names, users, terminals. The other letters with a value say what is printed. */
const choosing = /[pqCGgstUu]/
const longChoosing = /^--(?:p?pid|quick-pid|user|User|group|Group|tty|sid)\b/

/** `-e` takes all whatever else is chosen, and so do `a` and `x` together; of one's own terminal alone nobody speaks as of all. */
const takesAll = (options: readonly string[]): boolean => {
  const seen = new Set<string>()
  let chooses = false
  for (let at = 0; at < options.length; at++) {
    const word = options[at] as string
    if (word.startsWith("--")) {
      if (word === "--deselect") return true
      chooses ||= longChoosing.test(word)
      if (longValued.test(word)) at++
      continue
    }
    // `-aux` is read as `aux`.
    const isBare = !word.startsWith("-") || /^-a\w*x/.test(word)
    const letters = word.replace(/^-/, "")
    // A number, or what only the run tells: a process.
    chooses ||= !/[a-zA-Z]/.test(letters)
    const last = [...letters].findIndex((letter) => valued[isBare ? "bare" : "dashed"].includes(letter))
    for (const letter of last < 0 ? letters : letters.slice(0, last)) seen.add(isBare ? letter : `-${letter}`)
    if (last < 0) continue
    chooses ||= choosing.test(letters[last] as string)
    if (last === letters.length - 1) at++
  }
  const has = (...letters: readonly string[]) => letters.some((letter) => seen.has(letter))
  return has("-e", "-A", "-d", "-N") || (has("a") && has("x")) || (!chooses && has("a", "x", "-a", "-x"))
}

/** All processes that there are, of which only the numbers are kept. */
export const listsAll = (upstream: readonly Stage[]): boolean => {
  const [source, ...further] = upstream
  if (source === undefined) return false
  const [name, ...options] = wordsOf(source)
  if (name === "pgrep")
    return (
      options.some((word) => anything.test(word) || /^-\w*[uUvt]$|^--(?:euid|uid|inverse)/.test(word)) &&
      options.filter((word) => !word.startsWith("-")).length <= 1 &&
      further.every(choosesNothing)
    )
  return name === "ps" && takesAll(options) && further.every(choosesNothing)
}

/** `$(ps …)`, alone or in quotes. */
export const isEveryProcess = (word: Word): boolean =>
  word.some((part) => part.kind === "output" && part.script.some(listsAll))

/** Or a variable that was given that. */
const isAll = ({ word }: Argument, { origins }: ShellState): boolean =>
  isEveryProcess(word) ||
  word.some(
    (part) => part.kind === "variable" && part.at === undefined && origins.get(part.name) === "every-process"
  )

/** What `$@` is made of, once these are what a shell is given. */
export const originOfArguments = (args: readonly Argument[], state: ShellState): Origin | undefined =>
  args.some((arg) => isAll(arg, state)) ? "every-process" : undefined

export const processes: Rule = ({ name, args, fed, state, upstream }) => {
  const texts = textsOf(args)
  switch (name) {
    case "kill":
      if ((fed && listsAll(upstream)) || (args.some((arg) => isAll(arg, state)) && !onlyAsks(texts)))
        return said(name)
      return kill(texts) ? said("kill") : undefined
    case "killall5":
      return said(name)
    case "pkill":
    case "killall":
    case "skill": {
      const operands = texts.filter((text) => !text.startsWith("-"))
      const byUser = texts.some((text) =>
        /^-(?:u|U|-user|-euid|-uid|v|-inverse|t|g)$|^-\w*v$|^--inverse/.test(text)
      )
      const everything =
        operands.some((text) => anything.test(text)) ||
        operands.some((text) =>
          /^(?:systemd|init|launchd|dbus-daemon|sshd|Xorg|gnome-session\S*|WindowServer|loginwindow)$/.test(
            text
          )
        )
      return everything || (byUser && operands.length <= 1) ? said(name) : undefined
    }
    case "loginctl":
      return /^(?:terminate|kill)-/.test(texts[0] ?? "") ? said(name) : undefined
    case "taskkill":
      return texts.some((text) => /^\/?(?:im|fi)$/i.test(text)) && texts.some((text) => text === "*")
        ? said(name)
        : undefined
    default:
      return undefined
  }
}
