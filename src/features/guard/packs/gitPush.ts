/** Of pack `git`: pushes that overwrite or delete what is on the server. */
import { first } from "../expand.ts"
import type { Verdict } from "../rule.ts"
import { type Git, has } from "./gitCall.ts"

const said = (rule: Verdict["rule"], reason: string): Verdict => ({ rule, reason })

const shared =
  /^(?:refs\/heads\/)?(?:main|master|develop|development|trunk|staging|stable|production|prod|next|release\S*|v?\d+(?:\.\d+|\.x)+)$/

/** Where `a:b` pushes to. */
const branchOf = (text: string): string => text.replace(/^\+/, "").replace(/^.*:\+?/, "")

export const isForced = (ref: string): boolean => /^\+|:\+/.test(ref)

/** What is pushed where the command does not say it: as it is configured. */
export const configuredRefs = (settings: readonly string[]): readonly string[] =>
  settings.flatMap((setting) => /^remote\.[^=]+\.push=(.+)$/is.exec(setting)?.[1] ?? [])

export const mirrors = /^remote\.[^=]+\.mirror=(?:true|yes|on|1)?$/i

export const push = (git: Git): Verdict | undefined => {
  const { options, settings, texts } = git
  if (has(git, "n", "--dry-run")) return undefined
  const given = options.operands.slice(1).map(first)
  const refs = given.length > 0 ? given : configuredRefs(settings)
  const named = refs.filter((ref) => ref !== "HEAD").map(branchOf)
  const onShared = named.length === 0 || named.some((ref) => shared.test(ref) || /[*\uffff]/.test(ref))
  const ask = onShared ? {} : ({ action: "ask" } as const)
  if (has(git, "f", "--force"))
    return { ...said("force-push", "`git push --force` overwrites whatever was pushed there since."), ...ask }
  if (has(git, "--mirror") || settings.some((setting) => mirrors.test(setting)))
    return said("force-push", "`git push --mirror` overwrites and deletes what is there.")
  // A lease that is asked for beside it does not hold for what the sign forces.
  const forced = refs.find(isForced)
  if (forced !== undefined)
    return {
      ...said("force-push", `\`git push ${forced.slice(0, 60)}\` forces: that is what the + means.`),
      ...ask
    }
  const deleted = has(git, "d", "--delete") || refs.find((ref) => /^:./.test(ref))
  if (deleted || has(git, "--prune"))
    return said("git-remote-delete", "`git push` deletes a branch or a tag on the server.")
  if (texts.some((text) => /^--receive-pack=/.test(text)))
    return said("force-push", "`git push` starts another program on the server.")
  // What others have seen of it is another history then, whether or not they pushed since.
  return has(git, "--force-with-lease") && named.some((ref) => shared.test(ref))
    ? {
        ...said("force-push", "`git push --force-with-lease` rewrites a branch that many work on."),
        action: "ask"
      }
    : undefined
}

/** A remote that every push to come makes a copy of what is here. */
export const addsMirror = (git: Git): Verdict | undefined =>
  git.texts[0] === "add" &&
  git.texts.some((text, at) => /^--mirror(?:=push)?$/.test(text) && git.texts[at + 1] !== "fetch")
    ? {
        ...said(
          "force-push",
          "`git remote add --mirror` makes every push to it overwrite and delete what is there."
        ),
        action: "ask"
      }
    : undefined
