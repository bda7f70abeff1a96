/** Pack `git`: what overwrites, deletes or throws away work that nobody else has. */

import { type Call, type Rule, textsOf } from "../Call.ts"
import { first } from "../expand.ts"
import type { Verdict } from "../rule.ts"
import { unknown } from "../script.ts"
import { hasKept, type TreeState } from "../tree.ts"
import { type Git, readGit } from "./gitCall.ts"
import { liesOutside, startsHooks } from "./gitHooks.ts"
import { isMadeHere, remember } from "./gitMade.ts"
import { onlyShows, readWords } from "./table.ts"

/** Git takes a long option that is cut short for the whole one. */
const has = ({ options }: Git, ...flags: readonly string[]): boolean =>
  flags.some((flag) => options.flags.has(flag)) ||
  [...options.flags].some((given) => given.length > 4 && flags.some((flag) => flag.startsWith(given)))

const said = (rule: Verdict["rule"], reason: string): Verdict => ({ rule, reason })

const shared =
  /^(?:refs\/heads\/)?(?:main|master|develop|development|trunk|staging|stable|production|prod|next|release\S*|v?\d+(?:\.\d+|\.x)+)$/

/** Where `a:b` pushes to. */
const branchOf = (text: string): string => text.replace(/^\+/, "").replace(/^.*:\+?/, "")

const isForced = (ref: string): boolean => /^\+|:\+/.test(ref)

/** What is pushed where the command does not say it: as it is configured. */
const configuredRefs = (settings: readonly string[]): readonly string[] =>
  settings.flatMap((setting) => /^remote\.[^=]+\.push=(.+)$/is.exec(setting)?.[1] ?? [])

const mirrors = /^remote\.[^=]+\.mirror=(?:true|yes|on|1)?$/i

const push = (git: Git): Verdict | undefined => {
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
  return texts.some((text) => /^--receive-pack=/.test(text))
    ? said("force-push", "`git push` starts another program on the server.")
    : undefined
}

/** A remote that every push to come makes a copy of what is here. */
const addsMirror = (git: Git): Verdict | undefined =>
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

/** Whether one of the paths that were changed is among those that are named. */
const touches = (paths: readonly string[], named: readonly string[]): boolean =>
  named.length === 0 ||
  paths.some((path) =>
    named.some((one) => {
      const plain = one.replace(/^\.\//, "").replace(/\/+$/, "")
      return (
        plain === "" ||
        /^\.{1,2}$|[*?[:]/.test(plain) ||
        plain.includes(unknown) ||
        `/${path}/`.includes(`/${plain.replace(/^(?:\.\.\/)+/, "")}/`)
      )
    })
  )

/** Asks, unless somebody looked and nothing would be lost. */
const discards = (git: Git, how: string, loses: (tree: TreeState) => boolean): Verdict | undefined => {
  const verdict = said("git-discard", `\`git ${how}\` throws away what was never committed.`)
  const { folder, call } = git
  const { place } = call.state
  if (folder === undefined || call.state.remote) return verdict
  // A clone or a worktree of a moment ago holds nothing of anybody's.
  if (isMadeHere(folder, call)) return undefined
  const tree = place.trees?.get(folder)
  if (tree === undefined) return { ...verdict, look: folder }
  return tree !== null && !loses(tree) ? undefined : verdict
}

/** `clean` deletes without being forced then. */
const unforced = /^clean\.requireforce=(?:false|no|off|0)$/i

const clean = (git: Git): Verdict | undefined => {
  const isForced = has(git, "f", "--force") || git.settings.some((setting) => unforced.test(setting))
  if (has(git, "n", "--dry-run", "i", "--interactive") || !isForced) return undefined
  const named = git.options.operands.map(first)
  return discards(git, "clean", ({ ignored, untracked }) => {
    const isIgnoredKept = has(git, "x", "X") && hasKept(ignored) && touches(ignored, named)
    return isIgnoredKept || (!has(git, "X") && untracked.length > 0 && touches(untracked, named))
  })
}

const checkout = (git: Git): Verdict | undefined => {
  const { options, texts } = git
  if (has(git, "--orphan"))
    return has(git, "f", "--force")
      ? discards(git, "checkout --orphan --force", ({ changed }) => changed.length > 0)
      : undefined
  if (has(git, "f", "--force", "--discard-changes"))
    return discards(git, `${git.verb} --force`, ({ changed }) => changed.length > 0)
  if (has(git, "b", "B", "c", "C", "p", "--patch", "--detach", "t", "--track") || git.verb === "switch")
    return undefined
  const dashes = texts.indexOf("--")
  const paths =
    dashes >= 0
      ? texts.slice(dashes + 1)
      : options.operands
          .map(first)
          .filter((text, at, all) => /^(?:\.{1,2}\/?|:\/|\*)$/.test(text) || (at > 0 && all.length > 1))
  if (paths.length === 0 && !texts.some((text) => text.startsWith("--pathspec-from-file"))) return undefined
  return discards(git, "checkout -- …", ({ changed }) => changed.length > 0 && touches(changed, paths))
}

const restore = (git: Git): Verdict | undefined => {
  if (has(git, "p", "--patch")) return undefined
  if (has(git, "S", "--staged") && !has(git, "W", "--worktree")) return undefined
  const paths = git.options.operands.map(first)
  return paths.length === 0
    ? undefined
    : discards(git, "restore", ({ changed }) => changed.length > 0 && touches(changed, paths))
}

const history = "rewrites history or makes it unrecoverable."
const dropped = "deletes work that may be nowhere else."

const verbs: Readonly<Record<string, (git: Git) => Verdict | undefined>> = {
  push,
  "send-pack": push,
  clean,
  checkout,
  switch: checkout,
  restore,
  reset: (git) =>
    has(git, "--hard") ? discards(git, "reset --hard", ({ changed }) => changed.length > 0) : undefined,
  "checkout-index": (git) =>
    has(git, "f", "--force")
      ? discards(git, "checkout-index -f", ({ changed }) => changed.length > 0)
      : undefined,
  "read-tree": (git) =>
    has(git, "--reset") && has(git, "u")
      ? discards(git, "read-tree --reset", ({ changed }) => changed.length > 0)
      : undefined,
  stash: ({ texts }) =>
    /^(?:drop|clear)$/.test(texts[0] ?? "")
      ? said("git-drop", `\`git stash ${texts[0]}\` ${dropped}`)
      : undefined,
  branch: (git) =>
    has(git, "D", "M", "C", "f", "--force") && !has(git, "r")
      ? said("git-drop", `\`git branch\` with force ${dropped}`)
      : undefined,
  tag: () => undefined,
  worktree: (git) =>
    git.texts[0] === "remove" && has(git, "f", "--force")
      ? said("git-drop", `\`git worktree remove --force\` ${dropped}`)
      : undefined,
  submodule: (git) =>
    git.texts[0] === "deinit" && has(git, "f", "--force", "--all")
      ? said("git-drop", `\`git submodule deinit\` ${dropped}`)
      : undefined,
  rm: (git) =>
    has(git, "f", "--force") && !has(git, "--cached")
      ? discards(
          git,
          "rm -f",
          ({ changed }) => touches(changed, git.options.operands.map(first)) && changed.length > 0
        )
      : undefined,
  remote: addsMirror,
  "filter-branch": () => said("git-history", `\`git filter-branch\` ${history}`),
  "filter-repo": (git) =>
    has(git, "--analyze") ? undefined : said("git-history", `\`git filter-repo\` ${history}`),
  reflog: ({ texts }) =>
    /^(?:expire|delete)$/.test(texts[0] ?? "")
      ? said("git-history", `\`git reflog ${texts[0]}\` ${history}`)
      : undefined,
  gc: ({ texts }) =>
    texts.some(
      (text, at) =>
        /^--prune=(?:now|all|0)/.test(text) ||
        (text === "--prune" && /^(?:now|all)$/.test(texts[at + 1] ?? ""))
    )
      ? said("git-history", `\`git gc --prune\` ${history}`)
      : undefined,
  prune: () => said("git-history", `\`git prune\` ${history}`),
  "symbolic-ref": (git) =>
    has(git, "d", "--delete") ? said("git-history", `\`git symbolic-ref -d\` ${history}`) : undefined,
  "update-ref": (git) =>
    has(git, "d", "--delete", "--stdin")
      ? said("git-history", `\`git update-ref -d\` ${history}`)
      : undefined,
  replace: (git) =>
    has(git, "f", "--force", "d") ? said("git-history", `\`git replace\` ${history}`) : undefined,
  "fast-import": (git) =>
    has(git, "--force") ? said("git-history", `\`git fast-import --force\` ${history}`) : undefined,
  config: (git) =>
    forcesLater(git) ??
    (git.texts.some((text) =>
      /^(?:credential\.(?:\S+\.)?helper|core\.(?:hookspath|fsmonitor|sshcommand|pager|editor)|alias\.\S+|filter\.\S+|url\.\S+|http\.\S*sslverify)$/i.test(
        text
      )
    ) &&
    git.options.operands.length > 1 &&
    !has(git, "--get", "--get-all", "--unset", "l", "--list") &&
    git.texts[0] !== "get"
      ? configured(git)
      : undefined)
}

/** Set for every push to come. */
const forcesLater = (git: Git): Verdict | undefined => {
  const [key = "", value = ""] = git.options.operands.map(first).filter((text) => text !== "set")
  const setting = `${key}=${value}`
  if (unforced.test(setting))
    return said("git-discard", "`git config` lets every `git clean` to come delete without being forced.")
  const forces = configuredRefs([setting]).some(isForced) || (value !== "" && mirrors.test(setting))
  return forces
    ? {
        ...said("force-push", "`git config` makes every push to come overwrite what is there."),
        action: "ask"
      }
    : undefined
}

/** What is set for the whole machine or starts programs; where the credentials go. */
const configured = (git: Git): Verdict | undefined => {
  const value = git.options.operands.map(first).slice(1).join(" ")
  const isCredential = git.texts.some((text) => /^credential\./i.test(text))
  const starts = /^!|\b(?:curl|wget|nc|rm|sh|bash) /.test(value)
  const isHooks = git.texts.some((text) => /^core\.(?:hookspath|fsmonitor)$/i.test(text))
  if (isHooks && value !== "" && has(git, "--global", "--system"))
    return said("credentials", "`git config` changes what git starts in every repository.")
  if (isHooks && liesOutside(value, git))
    return said(
      "credentials",
      "`git config` takes what git starts from outside the project, or starts nothing any more."
    )
  if (isCredential && /cache|osxkeychain|manager|libsecret|wincred/.test(value)) return undefined
  return isCredential || starts
    ? said("credentials", "`git config` changes where credentials are kept, or what git starts.")
    : undefined
}

/** What `git config alias.x …` sets, unless it only asks. */
export const aliasSet = (call: Call): readonly [name: string, body: string] | undefined => {
  const read = readGit(call)
  if (read?.verb !== "config") return undefined
  const [key = "", body = ""] = read.options.operands.map(first).filter((text) => text !== "set")
  const name = /^alias\.([\w-]+)$/.exec(key)?.[1]
  return name === undefined || body === "" || body.startsWith("!") ? undefined : [name, body]
}

const aliases: Readonly<Record<string, string>> = { co: "checkout", br: "branch" }

/** `git-push`, as it lies in git's own directory, is `git push`. */
const dashed = (call: Call): Call => {
  const verb = call.name.startsWith("git-") ? call.name.slice(4) : ""
  if (!Object.hasOwn(verbs, verb)) return call
  return { ...call, name: "git", args: [{ values: [verb], word: [] }, ...call.args] }
}

export const git: Rule = (given) => {
  const call = given.name === "git-filter-repo" ? given : dashed(given)
  if (call.name !== "git" && call.name !== "hub") {
    if (call.name !== "git-filter-repo" && call.name !== "bfg") return undefined
    return onlyShows(readWords(textsOf(call.args)))
      ? undefined
      : said("git-history", `\`${call.name}\` ${history}`)
  }
  const read = readGit(call)
  if (
    read === undefined ||
    read.texts.includes("--help") ||
    (read.texts.includes("-h") && read.verb !== "push")
  )
    return undefined
  const verb = aliases[read.verb] ?? read.verb
  remember(read)
  const judge = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  return judge?.({ ...read, verb }) ?? startsHooks(read)
}
