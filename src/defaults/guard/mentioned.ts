/** What is said of a command that cannot be read to its end: whether it names, letter by letter, what would be stopped. */
import type { RuleId, Verdict } from "./rule.ts"

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
  ["force-push", "git push --force", /\bpush\s(?:[^\n;|&]{0,200}\s)?(?:--force(?!-)|-f\b)/]
]

/** The first of them whose rule is on. */
export const mentioned = (
  command: string,
  wanted: (verdict: Verdict) => Verdict | undefined
): Verdict | undefined => {
  for (const [rule, name, pattern] of mentions) {
    const verdict = pattern.test(command)
      ? wanted({
          rule,
          reason: `The command is too long or nested too deep to be read to its end, and \`${name}\` stands in it.`
        })
      : undefined
    if (verdict) return verdict
  }
  return undefined
}
