/** Whether a run looks at all that an earlier one looked at, or at the place that a problem names. Pure. */
import type { Part } from "../checks/commandLine.ts"
import type { Problem } from "../checks/Problem.ts"
import type { Chain } from "./Chain.ts"
import { findsIt } from "./finds.ts"
import { type Ran, ranOf } from "./Subject.ts"

export const baseOf = (path: string): string =>
  path
    .replace(/[\\/]+$/, "")
    .split(/[\\/]/)
    .at(-1) ?? path

/** Everything, or a folder above, covers what was asked for. */
export const coversTarget = (there: readonly string[], wanted: string): boolean =>
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

const selectedBy = (option: string): string =>
  selects.test(option)
    ? option
        .split(/[ =]/)
        .slice(1)
        .join(" ")
        .replace(/^[\^"']|[$"']$/g, "")
    : ""

/** What it selects by a part of the name is selected with all others that have it. */
const isSelected = (option: string, test: string): boolean => {
  const wanted = selectedBy(option)
  return wanted.length > 3 && test.includes(wanted)
}

/** Not as the beginning of another name. */
const hasName = (text: string, name: string): boolean => {
  const at = text.indexOf(name)
  const around = `${text[at - 1] ?? ""}${text[at + name.length] ?? ""}`
  return name !== "" && at >= 0 && !/\w/.test(around)
}

/** It is aimed at the very test, by its name or one of the names that it is made of. */
export const isAimedAtTest = ({ options, targets }: Ran, { test = "" }: Problem): boolean =>
  [...targets, ...options].some((word) => hasName(word, test)) ||
  options.some((option) => hasName(test, selectedBy(option)))

/** It is aimed at the very test or file. */
const isAimed = ({ options, targets }: Ran, { file, test = "" }: Problem): boolean =>
  [test, file === undefined ? "" : baseOf(file)].some(
    (name) => name !== "" && [...targets, ...options].some((word) => word.includes(name))
  ) || options.some((option) => isSelected(option, test))

/** Another program that looks at the same: at all of it, or at the place that the problem names. */
const looksThere = (later: Ran, failed: Ran, problem: Problem): boolean => {
  if (isElsewhere(later, failed) || isNarrower(later, failed)) return isAimed(later, problem)
  const { file } = problem
  return (
    later.targets.length === 0 ||
    isAimed(later, problem) ||
    (file !== undefined && coversTarget(later.targets, file))
  )
}

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
  if (isAimed(later, problem)) return true
  if (isNarrower(later, failed)) return false
  return failed.targets.length === 0
    ? later.targets.length === 0
    : failed.targets.every((one) => coversTarget(later.targets, one))
}

export const covering = ({ problem }: Chain, failed: Ran, parts: readonly Part[]): Part | undefined => {
  const runs = parts.filter(({ role }) => role !== "say" && role !== "move")
  return (
    runs.find((part) => covers(ranOf(part), failed, problem)) ??
    runs.find((part) => findsIt(ranOf(part), failed, problem) && looksThere(ranOf(part), failed, problem))
  )
}
