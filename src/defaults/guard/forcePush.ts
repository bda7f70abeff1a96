/** `force-push`: a push that overwrites. With a lease it overwrites only what was seen, and passes. */
import { type Rule, readOptions, textsOf } from "./Call.ts"
import { first } from "./expand.ts"

/** Options of git itself, before its command, that take a value. */
const valued = new Set([
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--exec-path",
  "--super-prefix"
])

export const forcePush: Rule = ({ name, args }) => {
  if (name !== "git") return undefined
  const texts = textsOf(args)
  let at = 0
  while (texts[at]?.startsWith("-")) at += valued.has(texts[at] as string) ? 2 : 1
  if (texts[at] !== "push") return undefined
  const { flags, operands } = readOptions(args.slice(at + 1), "o")
  if (flags.has("n") || flags.has("--dry-run")) return undefined
  if (flags.has("f") || flags.has("--force"))
    return { rule: "force-push", reason: "`git push --force` overwrites whatever was pushed there since." }
  if (flags.has("--mirror"))
    return { rule: "force-push", reason: "`git push --mirror` overwrites and deletes what is there." }
  const forced = operands
    .slice(1)
    .map(first)
    .find((text) => text.startsWith("+"))
  if (forced === undefined || flags.has("--force-with-lease")) return undefined
  return {
    rule: "force-push",
    reason: `\`git push ${forced.slice(0, 60)}\` forces: that is what the + means.`
  }
}
