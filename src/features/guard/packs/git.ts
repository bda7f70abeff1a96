/** Pack `git`: what overwrites, deletes or throws away work that nobody else has. */

import type { Call, Rule } from "../Call.ts"
import { first } from "../expand.ts"
import type { Verdict } from "../rule.ts"
import { unknown } from "../script.ts"
import { hasKept, type TreeState } from "../tree.ts"
import { type Git, has, readGit } from "./gitCall.ts"
import { liesOutside, startsHooks } from "./gitHooks.ts"
import { gitListOf, losesListed } from "./gitListed.ts"
import { isMadeHere, isWorktreeMadeHere, remember } from "./gitMade.ts"
import { addsMirror, configuredRefs, isForced, mirrors, push } from "./gitPush.ts"
import { rewriterOf } from "./gitRewriters.ts"
import { onlyShows, readWords } from "./table.ts"

const said = (rule: Verdict["rule"], reason: string): Verdict => ({ rule, reason })

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

/** `git diff --name-only | xargs git checkout --`: of what git lists, what was changed. */
const handed = (git: Git, how: string): Verdict | undefined => {
  const { fed, state, upstream } = git.call
  const list = fed ? gitListOf(upstream, state) : undefined
  return list?.changed === true
    ? discards(git, how, losesListed({ ...list, untracked: false, ignored: false }))
    : undefined
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
  const isTold = texts.some((text) => text.startsWith("--pathspec-from-file"))
  if (paths.length === 0 && !isTold)
    return dashes >= 0 && !has(git, "--ours", "--theirs") ? handed(git, "checkout -- …") : undefined
  return discards(git, "checkout -- …", ({ changed }) => changed.length > 0 && touches(changed, paths))
}

const restore = (git: Git): Verdict | undefined => {
  if (has(git, "p", "--patch")) return undefined
  if (has(git, "S", "--staged") && !has(git, "W", "--worktree")) return undefined
  const paths = git.options.operands.map(first)
  return paths.length === 0
    ? handed(git, "restore")
    : discards(git, "restore", ({ changed }) => changed.length > 0 && touches(changed, paths))
}

const history = "rewrites history or makes it unrecoverable."
/** What no branch holds any more is gone with the next `gc`, and not weeks later. */
const prunesAtOnce =
  /^gc\.(?:\S+\.)?(?:reflogexpire(?:unreachable)?|pruneexpire)=(?:now|all|0|\d+\.(?:second|minute)s?(?:\.ago)?)$/i
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
    git.texts[0] === "remove" && has(git, "f", "--force") && !isWorktreeMadeHere(git)
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
  reflog: (git) =>
    /^(?:expire|delete)$/.test(git.texts[0] ?? "") && !has(git, "n", "--dry-run")
      ? said("git-history", `\`git reflog ${git.texts[0]}\` ${history}`)
      : undefined,
  gc: ({ settings, texts }) =>
    texts.some(
      (text, at) =>
        /^--prune=(?:now|all|0|\d+\.(?:second|minute))/.test(text) ||
        (text === "--prune" && /^(?:now|all)$/.test(texts[at + 1] ?? ""))
    ) || settings.some((setting) => prunesAtOnce.test(setting))
      ? said("git-history", `\`git gc --prune\` ${history}`)
      : undefined,
  maintenance: ({ settings }) =>
    settings.some((setting) => prunesAtOnce.test(setting))
      ? said("git-history", `\`git maintenance\` ${history}`)
      : undefined,
  prune: (git) => (has(git, "n", "--dry-run") ? undefined : said("git-history", `\`git prune\` ${history}`)),
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
  if (prunesAtOnce.test(setting))
    return said(
      "git-history",
      "`git config` lets every `git gc` to come delete at once what no branch holds."
    )
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
  const rewriting = rewriterOf(given)
  if (rewriting !== undefined)
    return onlyShows(readWords(rewriting.texts)) || rewriting.texts.includes("--analyze")
      ? undefined
      : said("git-history", `\`${rewriting.name}\` ${history}`)
  const call = dashed(given)
  if (call.name !== "git" && call.name !== "hub") return undefined
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
