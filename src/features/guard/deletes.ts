/** `delete-outside` and `delete-project`: recursive deletes that reach further than they should. */

import { type ArchivedAway, archivedAway } from "./archives.ts"
import { type Call, type Rule, readOptions, shown } from "./Call.ts"
import { isWork } from "./emptiedHere.ts"
import { type Argument, expand, first } from "./expand.ts"
import { type Listed, listedBy, readFd, readFind } from "./listed.ts"
import { asksOwnServer } from "./packs/ownServer.ts"
import { absolute, type Judged, judge } from "./paths.ts"
import { isRewriting } from "./rewrites.ts"
import type { Verdict } from "./rule.ts"
import { plainText, type Script, unknown, type Word } from "./script.ts"
import type { ShellState } from "./shellState.ts"
import { clears } from "./storage.ts"
import { executed } from "./texts.ts"
import { removedOtherwise } from "./trash.ts"
import { emptiedBy } from "./unset.ts"

const saidOf = ({ contained, path, rule, shared }: Judged, how: string): Verdict =>
  shared
    ? { ...said(rule, path, how), action: "ask" }
    : contained
      ? { rule, action: "ask", reason: `${how} deletes ${shown(path)} and what is in it, in a container.` }
      : said(rule, path, how)

const said = (rule: Verdict["rule"], path: string, how: string): Verdict => ({
  rule,
  reason:
    rule === "delete-project"
      ? `${how} deletes ${shown(path)}, which is the project or its history.`
      : `${how} deletes ${shown(path)} and what is in it, outside the project.`
})

const firstJudged = (
  targets: readonly Argument[],
  call: Call,
  how: string,
  chosen = false,
  history?: Listed["history"]
): Verdict | undefined => {
  const isOff = (rule: string): boolean => call.state.place.off?.includes(rule) === true
  for (const { values } of targets) {
    for (const value of values) {
      const judged = judge(value, call.state, chosen)
      if (judged && !isOff(judged.rule)) return saidOf(judged, how)
      const { project } = call.state.place
      if (
        chosen &&
        !call.state.remote &&
        !isOff("delete-project") &&
        absolute(value, call.state) === project &&
        history?.(value)
      )
        return said("delete-project", `${project}/.git`, how)
    }
  }
  return undefined
}

/** `xargs -a <(…)`: what stands in the file it reads, where a command makes that. */
const fromFile = ({ words = [], state }: Call): Listed | undefined => {
  const at = words.findIndex((word) => /^(?:-\w*a|--arg-file)$/.test(plainText(word) ?? ""))
  const [part] = words[at + 1] ?? []
  const [pipeline, second] = at >= 0 && part?.kind === "output" && part.file ? part.script : []
  return pipeline === undefined || second !== undefined ? undefined : listedBy(pipeline, state)
}

/** What the pipeline hands to `xargs`, unless it only becomes part of a longer path. */
const fedTargets = (call: Call): Listed => {
  const { args, redirects, state, upstream } = call
  const listed = fromFile(call)
  if (listed !== undefined) return listed
  const given = redirects.filter(({ operator }) => operator.startsWith("<<"))
  if (given.length > 0)
    return {
      targets: given.flatMap(({ target }) =>
        expand(target, state).map((text) => ({ values: text.split(/\s+/), word: [] }))
      ),
      chosen: false,
      all: false
    }
  return isPartOfPath(args) ? { targets: [], chosen: false, all: false } : listedBy(upstream, state)
}

const isPartOfPath = (args: readonly Argument[]): boolean =>
  args.some((arg) => /.(?:\{\}|%)|(?:\{\}|%)./s.test(first(arg)))

/** What a substitution that stands alone prints. */
const printedTargets = ({ word }: Argument, state: ShellState): Listed | undefined => {
  const [part, another] = word.filter(({ kind, ...one }) => kind !== "text" || !("text" in one && !one.text))
  const [pipeline, second] = part?.kind === "output" && another === undefined ? part.script : []
  return pipeline === undefined || second !== undefined ? undefined : listedBy(pipeline, state)
}

/** A long option may be cut short. */
const isRecursive = (flags: ReadonlySet<string>): boolean =>
  ["r", "R"].some((flag) => flags.has(flag)) ||
  [...flags].some((flag) => flag.length > 2 && "--recursive".startsWith(flag))

const byRemoval = (call: Call): Verdict | undefined => {
  const { name, args, fed, state } = call
  const { flags, operands } = readOptions(args)
  const recursive = name === "rimraf" || isRecursive(flags)
  const how = name === "rm" ? "`rm -r`" : "`rimraf`"
  const given = operands.flatMap((arg) => printedTargets(arg, state) ?? [])
  for (const { targets, chosen, all, history } of fed ? [fedTargets(call), ...given] : given) {
    const found =
      recursive || all ? firstJudged(targets, call, `${how} of what it is given`, chosen, history) : undefined
    if (found) return found
  }
  if (!recursive)
    return (
      firstJudged(
        operands.filter((arg) => isEachLine(arg, state)),
        call,
        "`rm` of each line"
      ) ?? emptied(operands, call)
    )
  return firstJudged(operands, call, how) ?? unsetTarget(operands, call, how)
}

/** `find ~ | while read f; do rm "$f"`: one by one, and all of it in the end. */
const isEachLine = ({ word }: Argument, { origins }: ShellState): boolean => {
  const [part, another] = word.filter((one) => one.kind !== "text" || one.text !== "")
  return part?.kind === "variable" && another === undefined && origins.get(part.name) === "unread-lines"
}

const isFormerFolder = ([part]: Word): boolean => part?.kind === "variable" && part.name === "OLDPWD"

/** `rm -rf "$X/"`, where nothing says that X is set. */
const unsetTarget = (operands: readonly Argument[], { state }: Call, how: string): Verdict | undefined => {
  for (const { values, word } of operands) {
    if (values[0]?.startsWith(unknown) && isFormerFolder(word))
      return {
        rule: "delete-outside",
        action: "ask",
        reason: `${how} deletes the directory that its shell was in before, and nothing here says which that is.`
      }
    const found = state.remote ? undefined : emptiedBy(word, state)
    if (found !== undefined)
      return {
        rule: "delete-outside",
        action: "ask",
        reason: `${how} deletes ${found.path} and what is in it where \`${found.name}\` has no value, and nothing here sets it.`
      }
  }
  return undefined
}

/** `rm dir/*`: all files of a folder outside the project, which takes no `-r`. */
const emptied = (operands: readonly Argument[], call: Call): Verdict | undefined => {
  const all = operands.filter((arg) => /\/(?:\*|\.\*|\*\.\*)$/.test(first(arg)))
  const found = firstJudged(all, call, "`rm` of all files")
  return found && { ...found, action: "ask", reason: found.reason.replace(" and what is in it", "") }
}

/** `rsync --delete` from what is evidently empty; or to where everything lives, from anywhere. */
const byMirror = (call: Call): Verdict | undefined => {
  const { args, state } = call
  const { flags, operands } = readOptions(args, "eBTMf")
  const [source, target] = operands.slice(-2)
  const deleting = [...flags].some((flag) => /^--del(?:ete.*)?$/.test(flag))
  const trying = flags.has("n") || flags.has("--dry-run")
  if (!deleting || trying || source === undefined || target === undefined) return undefined
  // What has a host before it lies elsewhere.
  if (/^[^/]*:/.test(first(target))) return undefined
  const empty =
    /(?:^|\/)(?:empty|blank)[^/]*\/*$/i.test(first(source)) ||
    source.word.some((part) => part.kind === "output" && isTemporaryMade(part.script))
  const path = absolute(first(target), state)
  if (empty || path === "/" || path === state.place.home)
    return firstJudged([target], call, "`rsync --delete`")
  return undefined
}

const isTemporaryMade = ([pipeline]: Script): boolean => plainText(pipeline?.[0]?.words[0] ?? []) === "mktemp"

/** `robocopy /MIR`: what is not in the source is deleted in the target. */
const byRobocopy = ({ args }: Call): Verdict | undefined => {
  const texts = args.map(first)
  const [source = "", target = ""] = texts.filter((text) => !/^\/[A-Za-z]/.test(text))
  const empty = /(?:^|[\\/])(?:empty|blank)[^\\/]*[\\/]?$/i.test(source)
  const whole =
    /^[A-Za-z]:[\\/]*(?:(?:Users(?:[\\/][^\\/]+)?|Windows|Program Files[^\\/]*|ProgramData)[\\/]*)?$/i
  const deleting = texts.some((text) => /^\/(?:mir|purge)$/i.test(text))
  return deleting && (whole.test(target) || (empty && /^[A-Za-z]:/.test(target)))
    ? said("delete-outside", target, "`robocopy`")
    : undefined
}

/** `Remove-Item -Recurse`: a drive or the home directory; what is relative lies in the project. */
const byPowerShell = (call: Call): Verdict | undefined => {
  const texts = call.args.map(first)
  if (
    !texts.some((text) => /^-r(?:ec\w*)?$|^\/s$/i.test(text)) ||
    texts.some((text) => /^-(?:whatif|wi)$/i.test(text))
  )
    return undefined
  const path = texts.find((text) =>
    /^[A-Za-z]:|^\uffff?:(?:home|userprofile)|^\$?(?:env:|home)|^%(?:userprofile|homepath|systemdrive|windir)%|^~|^\/[^/]{2}/i.test(
      text
    )
  )
  if (path === undefined || /temp|tmp/i.test(path)) return undefined
  return said(
    "delete-outside",
    path,
    /^remove-item$/i.test(call.name) ? "`Remove-Item -Recurse`" : `\`${call.name} /s\``
  )
}

/** What is in the files is lost, and the files stay. */
const asked = (found: Verdict | undefined): Verdict | undefined =>
  found && {
    ...found,
    action: "ask",
    reason: found.reason.replace(" deletes ", " rewrites what is in ").replace(" and what is in it", "")
  }

/** `… | xargs sed -i`: each file that it is given. */
const byRewriting = (call: Call): Verdict | undefined => {
  const words = [{ values: [call.name], word: [] }, ...call.args]
  if (!call.fed || !isRewriting(words, call.state.budget)) return undefined
  const { targets, chosen } = listedBy(call.upstream, call.state)
  return asked(firstJudged(targets, call, `\`${call.name}\``, chosen))
}

/** Packed into nothing: nobody does that to get rid of what a tool makes anew. */
const keptNowhere = ({ how, targets }: ArchivedAway, { state }: Call): Verdict | undefined => {
  const lost = targets.map(first).find((text) => isWork(text, state))
  return lost === undefined || state.place.off?.includes("overwrite")
    ? undefined
    : { rule: "overwrite", reason: `${how} deletes ${shown(lost)} and keeps nothing of it.` }
}

const byStorage = (call: Call): Verdict | undefined => {
  const { name, args } = call
  const cleared = clears(name, args.map(first))
  if (cleared === undefined || asksOwnServer(call)) return undefined
  return {
    rule: "delete-outside",
    reason: `\`${name}\` deletes ${shown(cleared)} and what is in it, in remote storage.`
  }
}

export const deletes: Rule = (call) => {
  const { name, args } = call
  if (name === "rm" || name === "rimraf") return byRemoval(call)
  const archived = archivedAway(call)
  if (archived !== undefined) {
    const found = firstJudged(archived.targets, call, archived.how)
    if (found === undefined) return archived.isLost ? keptNowhere(archived, call) : undefined
    return archived.isLost ? found : { ...found, action: "ask" }
  }
  const removed = removedOtherwise(call)
  if (removed !== undefined) {
    const found = firstJudged(removed.targets, call, removed.how)
    return found && removed.isKept ? { ...found, action: "ask" } : found
  }
  if (name === "rsync") return byMirror(call)
  if (/^(?:remove-item|rd|rmdir|del|erase|robocopy(?:\.exe)?)$/i.test(name))
    return /^robo/i.test(name) ? byRobocopy(call) : byPowerShell(call)
  if (name !== "find" && name !== "fd" && name !== "fdfind") return byRewriting(call) ?? byStorage(call)
  const { budget } = call.state
  const { roots, chosen, deletes, history } = name === "find" ? readFind(args) : readFd(args)
  if (deletes(budget))
    return (
      firstJudged(roots, call, `\`${name}\``, chosen, history) ??
      (chosen ? undefined : unsetTarget(roots, call, `\`${name}\``))
    )
  const rewrites = executed(args, name !== "find").some((words) => isRewriting(words, budget))
  return rewrites ? asked(firstJudged(roots, call, `\`${name}\``, chosen)) : undefined
}
