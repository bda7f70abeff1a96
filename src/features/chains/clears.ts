/** Whether a call shows that a problem is gone. Pure. */
import type { Shown } from "../../../machines/chain.ts"
import type { Part } from "../checks/commandLine.ts"
import type { Judged } from "../checks/judge.ts"
import type { Problem } from "../checks/Problem.ts"
import type { ToolOutcome } from "../checks/ToolOutcome.ts"
import type { Chain } from "./Chain.ts"
import { best, isSameCall, likeness } from "./likeness.ts"
import { type Ran, ranOf } from "./Subject.ts"

export interface Clearing {
  readonly shown: Shown
  /** Of a shell call: the part that tells. */
  readonly ran?: Ran
  /** It is the very call that had failed. */
  readonly isSame: boolean
  /** Nothing but silence says that it went well. */
  readonly isSilent: boolean
}

/** How much of what was meant has to be there again. */
const leastLike = 0.6
/** Of a program that was not found, and now is. */
const leastNamed = 0.45

/** What leaves out most of what a program says: a problem that does not show is not gone. */
const filters = /^(?:grep|egrep|rg|awk|sed|jq|wc|cut|sort|uniq)$/

const baseOf = (path: string): string =>
  path
    .replace(/[\\/]+$/, "")
    .split(/[\\/]/)
    .at(-1) ?? path

/** By what a problem is found: a run for another purpose of the same sort finds it as well. */
const purposes: { readonly [family: string]: readonly string[] } = {
  tsc: ["types", "build"],
  mypy: ["types"],
  pyright: ["types"],
  eslint: ["lint"],
  biome: ["lint"],
  prettier: ["lint"],
  ruff: ["lint"],
  cargo: ["build", "tests", "types"],
  go: ["build", "tests", "lint"],
  cc: ["build"]
}

/** Everything, or a folder above, covers what was asked for. */
const coversTarget = (there: readonly string[], wanted: string): boolean =>
  there.length === 0 ||
  there.some(
    (one) =>
      one === wanted ||
      /^\.{0,2}\/?(?:\.\.\.)?\/?$/.test(one) ||
      one === "./..." ||
      wanted.startsWith(`${one.replace(/\/\.\.\.$|\/$/, "")}/`) ||
      baseOf(one) === baseOf(wanted)
  )

const selects =
  /^(?:-run|-k|-t|--grep|--filter|--testNamePattern|--test-name-pattern|-m|--only|--ginkgo\.focus)\b/

/** Narrowing options of the later run that the earlier had not. */
const isNarrower = (later: Ran, failed: Ran): boolean =>
  later.options.some((option) => selects.test(option) && !failed.options.includes(option))

const placing =
  /^(?:-C|-w|--(?:prefix|workspace|filter|cwd|dir|directory|manifest-path|project|package))(?:[ =]|$)/

const placeOf = ({ options }: Ran): string =>
  options
    .filter((option) => placing.test(option))
    .map((option) => option.replace("=", " ").replace(/^-w /, "--workspace "))
    .sort()
    .join(" ")

const isWithin = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(`${outer}/`)

/** Neither says anything of the other: agents differ in which folder they report for a shell that stays where it went. */
const isUnrelated = (one: string, other: string): boolean => !isWithin(one, other) && !isWithin(other, one)

/** In another folder of the same tree the same check is another one. */
const isElsewhere = (later: Ran, failed: Ran): boolean =>
  placeOf(later) !== placeOf(failed) ||
  (later.folder !== failed.folder && !isUnrelated(later.folder, failed.folder))

const covers = (later: Ran, failed: Ran, problem: Problem): boolean => {
  if (later.name !== failed.name || later.task !== failed.task || isElsewhere(later, failed)) return false
  const names = [problem.test ?? "", problem.file === undefined ? "" : baseOf(problem.file)].filter(
    (name) => name !== ""
  )
  const isAimed = names.some((name) =>
    [...later.targets, ...later.options].some((word) => word.includes(name))
  )
  if (isAimed) return true
  if (isNarrower(later, failed)) return false
  return failed.targets.length === 0
    ? later.targets.length === 0
    : failed.targets.every((one) => coversTarget(later.targets, one))
}

const covering = (chain: Chain, failed: Ran, parts: readonly Part[]): Ran | undefined => {
  const rans = parts.filter(({ role }) => role !== "say" && role !== "move").map(ranOf)
  const same = rans.find((ran) => covers(ran, failed, chain.problem))
  if (same !== undefined) return same
  const fitting = purposes[chain.problem.family] ?? []
  return rans.find(
    ({ purpose }) => purpose !== undefined && fitting.includes(purpose) && purpose !== failed.purpose
  )
}

/** How far a run gets before it finds such a thing: what does not compile is not tested. */
const stageOf = ({ code = "", family, test }: Problem): number => {
  if (test !== undefined) return 3
  if (family === "shell" || family === "usage" || family === "unparsed" || code === "cd") return 0
  return 2
}

/** It found fault with something else, and had come as far as where this one would have shown. */
const gotThere = (chain: Chain, judged: Judged, ran: Ran): boolean => {
  const problems = judged.problems.filter(({ family }) => family !== "unparsed")
  if (problems.length === 0) return false
  const order = judged.line?.parts.map(({ name }) => name) ?? []
  const own = order.indexOf(ran.name)
  const later = problems.some(
    ({ family }) => order.findIndex((name, at) => at > own && family.startsWith(name)) > own
  )
  if (later) return true
  return (
    problems.every((problem) => stageOf(problem) >= stageOf(chain.problem)) &&
    problems.some(({ family }) => family === chain.problem.family)
  )
}

const byCommand = (
  chain: Chain,
  failed: Ran,
  blame: "work" | "call",
  outcome: ToolOutcome,
  judged: Judged
): Clearing | undefined => {
  const parts = judged.line?.parts ?? []
  const isSilent = judged.verdict === "unknown"
  if (blame === "work") {
    const ran = covering(chain, failed, parts)
    if (ran === undefined) return undefined
    const at = parts.findIndex(
      ({ name, targets, task }) =>
        name === ran.name && task === ran.task && targets.length <= ran.targets.length
    )
    if (parts[at]?.next === "|" && filters.test(parts[at + 1]?.name ?? "") && !judged.isReported)
      return undefined
    const isUnsure = isSilent || ran.folder !== failed.folder
    if (judged.verdict !== "fail")
      return { shown: "proved", ran, isSame: isSameCall(ran, failed), isSilent: isUnsure }
    return gotThere(chain, judged, ran)
      ? { shown: "cleared", ran, isSame: isSameCall(ran, failed), isSilent: false }
      : undefined
  }
  if (judged.verdict === "fail" || outcome.told === "stopped") return undefined
  const { symbol } = chain.problem
  const near = best(failed, parts)
  const named =
    chain.problem.code === "command not found" && symbol !== undefined
      ? parts.find(({ name, role }) => name === symbol && role !== "say")
      : undefined
  const isMeant = named !== undefined && likeness(failed, ranOf(named)) >= leastNamed
  if (isMeant)
    return { shown: "proved", ran: ranOf(named), isSame: isSameCall(ranOf(named), failed), isSilent }
  if (near === undefined || near.like < leastLike) return undefined
  return { shown: "proved", ran: near.ran, isSame: isSameCall(near.ran, failed), isSilent }
}

const sharesFile = (paths: readonly string[], others: readonly string[]): boolean =>
  paths.some((path) =>
    others.some(
      (other) =>
        other === path || (baseOf(other) === baseOf(path) && (other.endsWith(path) || path.endsWith(other)))
    )
  )

const names = (text: string, paths: readonly string[]): boolean =>
  paths.some((path) => text.includes(baseOf(path)))

const writesFiles = (judged: Judged): boolean =>
  judged.line?.parts.some(({ role }) => role === "act") === true

const byTool = (
  outcome: ToolOutcome,
  judged: Judged,
  name: string,
  paths: readonly string[],
  asked: string
): Clearing | undefined => {
  if (outcome.name !== name || judged.verdict === "fail" || outcome.told === "stopped") return undefined
  if (paths.length > 0 && !sharesFile(paths, outcome.paths)) return undefined
  return { shown: "proved", isSame: outcome.asked === asked, isSilent: false }
}

const byEdit = (
  paths: readonly string[],
  asked: string,
  outcome: ToolOutcome,
  judged: Judged
): Clearing | undefined => {
  if (judged.verdict === "fail" || outcome.told === "stopped") return undefined
  if (outcome.kind === "edit" && sharesFile(paths, outcome.paths))
    return { shown: "proved", isSame: outcome.asked === asked, isSilent: false }
  if (
    outcome.kind === "shell" &&
    writesFiles(judged) &&
    names(outcome.wrote, paths) &&
    !/^\s*git (?:add|commit|checkout|stash)/.test(outcome.wrote)
  )
    return { shown: "proved", isSame: false, isSilent: judged.verdict === "unknown" }
  return undefined
}

/** Undefined where the call says nothing of it. A call that shows the problem again is no matter of this. */
export const clears = (chain: Chain, outcome: ToolOutcome, judged: Judged): Clearing | undefined => {
  const { subject } = chain
  switch (subject.type) {
    case "command":
      return judged.line === undefined
        ? undefined
        : byCommand(chain, subject.ran, subject.blame, outcome, judged)
    case "edit":
      return byEdit(subject.paths, subject.asked, outcome, judged)
    case "tool":
      return byTool(outcome, judged, subject.name, subject.paths, subject.asked)
  }
}
