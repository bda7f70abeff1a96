/** What is said of a command that cannot be read to its end: whether it names, letter by letter, what would be stopped. */
import { nameOf } from "./Call.ts"
import { isTool, judgeWords } from "./packs/named.ts"
import type { Place, RuleId, Verdict } from "./rule.ts"

const unread = "The command is too long or nested too deep to be read to its end"

/** Each looks only a little way ahead: these are asked of texts that were made to take long. */
const mentions: readonly (readonly [rule: RuleId, name: string, pattern: RegExp])[] = [
  [
    "delete-outside",
    "rm -r",
    /(?<![\w.])rm\s{1,9}(?:-{1,2}\w{1,20}\s{1,9}){0,4}-(?:\w{0,9}[rR]|-recursive)|\brimraf\s/
  ],
  ["delete-outside", "find -delete", /(?<![\w.])find\s[^\n;|&]{0,200}\s-delete\b/],
  ["disk", "mkfs", /\bmkfs(?:\.\w{1,9})?\s/],
  ["disk", "dd of=/dev/…", /\bdd\s[^\n;|&]{0,200}\bof=\/dev\/\w/],
  ["remote-code", "iex", /\b(?:iex|invoke-expression)\b[^\n]{0,200}(?:downloadstring|\birm\b|\biwr\b)/i],
  ["force-push", "git push --force", /\bpush\s(?:[^\n;|&]{0,200}\s)?(?:--force(?!-)|-f\b)/]
]

/** Whether letter by letter something stands in it that is blocked. */
export const mentionsBlocked = (text: string): boolean => mentions.some(([, , pattern]) => pattern.test(text))

/** So many of a tool's words are looked at, of so many tools: these texts were made to take long. */
const maxWords = 60
const maxTools = 500

/** What the tables would say of each word that is the name of a tool, with the words behind it, wherever it stands. */
const tabled = function* (command: string, place: Place): Generator<Verdict> {
  let tools = 0
  for (const line of command.split(/[\n;|&(){}`]+/)) {
    const words = line.split(/[\s"'\\]+/).filter((word) => word !== "")
    for (const [at, word] of words.entries()) {
      const name = nameOf(word)
      if (!isTool(name)) continue
      if (++tools > maxTools) return yield { rule: "hidden-code", reason: "more than can be looked at." }
      const verdict = judgeWords(name, words.slice(at + 1, at + 1 + maxWords), place)
      if (verdict !== undefined) yield verdict
    }
  }
}

/** That there was more than is read, and nothing is known of the rest. */
export const notRead: Verdict = { rule: "hidden-code", reason: `${unread}.`, unread: true }

/** The first of them whose rule is on. */
export const mentioned = (
  command: string,
  place: Place,
  wanted: (verdict: Verdict) => Verdict | undefined
): Verdict | undefined => {
  for (const [rule, name, pattern] of mentions) {
    const verdict = pattern.test(command)
      ? wanted({
          rule,
          reason: `${unread}, and \`${name}\` stands in it.`,
          unread: true
        })
      : undefined
    if (verdict) return verdict
  }
  for (const found of tabled(command, place)) {
    const verdict = wanted({ ...found, reason: `${unread}, and in it ${found.reason}`, unread: true })
    if (verdict) return verdict
  }
  return undefined
}
