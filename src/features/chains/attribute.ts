/** Which of the things that were done before a problem was gone most likely made it go. Pure. */
import type { Grade } from "../../../machines/chain.ts"
import { unparsed } from "../checks/fallback.ts"
import type { Problem } from "../checks/Problem.ts"
import type { Chain } from "./Chain.ts"
import type { Clearing } from "./clears.ts"
import { type Step, wordsIn } from "./Step.ts"

export interface Attributed {
  readonly fix: readonly Step[]
  readonly grade: Grade
  /** Nothing was done, and it is gone. */
  readonly flaky: boolean
  /** All that helped was to look away. */
  readonly suppressed: boolean
}

/** From here on the evidence points to it. */
const enough = 3
/** More than so many are looked at once more. */
const maxPointed = 2
/** Where nothing points anywhere, no more than this is named. */
const maxUnclear = 3

const baseOf = (path: string): string => path.split(/[\\/]/).at(-1) ?? path

const common = new Set([
  "error",
  "failed",
  "test",
  "tests",
  "file",
  "line",
  "with",
  "that",
  "this",
  "from",
  "type",
  "string",
  "number",
  "does",
  "exist",
  "exists",
  "cannot",
  "found",
  "expected",
  "property",
  "value",
  "function",
  "module",
  "name",
  "missing",
  "return",
  "true",
  "false",
  "null",
  "undefined",
  "import",
  "const",
  "self",
  "none"
])

const tellingWords = ({ message, symbol = "", test = "" }: Problem): readonly string[] =>
  wordsIn(`${symbol} ${test} ${message}`).filter((word) => word.length > 3 && !common.has(word))

const installs =
  /^(?:\S+ )*?(?:install|add|get|sync|fetch|update|upgrade|deps\.get|tidy|restore|reinstall|link|bootstrap)\b/
const fixes = /(?:--fix|--write|--apply|:fix\b|\bfmt\b|\bformat\b|gofmt -w|\bfix\b)/

const touches = ({ files }: Step, { file }: Problem): boolean =>
  file !== undefined && file !== "" && files.some((one) => baseOf(one) === baseOf(file))

const scoreOf = (step: Step, problem: Problem, words: readonly string[]): number => {
  const own = new Set(step.words)
  const shared = words.filter((word) => own.has(word)).length
  const symbol = problem.symbol?.toLowerCase()
  const place = touches(step, problem) ? 3 : 0
  const named =
    symbol !== undefined && symbol.length > 2 && wordsIn(symbol).some((word) => own.has(word)) ? 2 : 0
  const said = Math.min(2, shared * 0.7)
  const tool = step.kind === "command" && fixes.test(step.what) && isUntidy(problem) ? 3 : 0
  const install = step.kind === "command" && installs.test(step.what) && shared > 0 ? 2 : 0
  return place + named + said + tool + install
}

const formatters = /\((?:gofmt|gofumpt|gci|goimports|wsl\w*|nlreturn|whitespace)\)$/

/** What a formatter or the fixing form of a linter repairs. */
const isUntidy = ({ family, message, test }: Problem): boolean =>
  test === undefined &&
  (/^(?:biome|eslint|prettier|ruff|mix|markdownlint|rubocop)$/.test(family) ||
    (family === "go" && formatters.test(message)))

/** Nobody writes layout by hand where a formatter was run. */
const isLayout = ({ code = "", family }: Problem): boolean =>
  family === "prettier" || /^format|organizeImports|^I001$/.test(code)

/** Documents repair nothing that runs. */
const isProse = ({ files, kind }: Step): boolean =>
  kind === "edit" && files.length > 0 && files.every((file) => /\.(?:md|mdx|txt|rst|adoc)$/i.test(file))

/** Bookkeeping that no check depends on, and tidying. */
const isRoutine = ({ kind, what }: Step): boolean =>
  kind === "command" &&
  /^(?:cd \S+ && )?(?:gofmt|prettier|black|(?:\S+ )*(?:fmt|format))\b|^(?:cd \S+ && )?(?:git (?:add|commit|push|fetch|tag|branch)|gh (?:pr|issue)|bd )\b/.test(
    what
  )

interface Scored {
  readonly step: Step
  readonly score: number
}

/** What stands alone between the failure and the success needs nothing else to speak for it. */
const gradeOf = (
  top: number,
  fix: readonly Step[],
  problem: Problem,
  { isSilent, shown }: Clearing
): Grade => {
  if (problem.family === unparsed || problem.family === "unended")
    return fix.length === 1 && top >= enough ? "B" : "C"
  if (isSilent || shown === "cleared") return "B"
  return top >= enough ? "A" : "B"
}

/** Commands that change files as an edit does. */
const edits =
  /^(?:sed|perl|python|node|ruby|awk|cat|printf|echo|tee|patch|mv|cp|rm|ln|git (?:apply|checkout|restore|revert|stash pop|merge|cherry-pick))\b/

const forWork = (
  chain: Chain,
  steps: readonly Step[],
  call: Step,
  self: Step | undefined,
  clearing: Clearing
): Attributed => {
  const { problem } = chain
  const words = tellingWords(problem)
  const isProseProblem = /\.(?:md|mdx|txt|rst)$/i.test(problem.file ?? "")
  const isTidiness = isUntidy(problem)
  const isAble = (step: Step): boolean =>
    (isProseProblem || !isProse(step)) && (isTidiness || !isRoutine(step))
  const before = steps.filter(isAble)
  // What proves it repaired it too, where nothing else did or it edits what the problem speaks of.
  const isOwn =
    self !== undefined &&
    isAble(self) &&
    (before.length === 0 || (edits.test(self.manner) && scoreOf(self, problem, words) >= 2))
  const able = isOwn ? [...before, self] : before
  const scored: readonly Scored[] = able.map((step) => ({ step, score: scoreOf(step, problem, words) }))
  const top = Math.max(0, ...scored.map(({ score }) => score))
  if (able.length === 0) {
    // Called in another way: the call was what was wrong. Called once more as it was: nobody knows.
    // What is outside may be another way the next time: trying again is what helped.
    const isOutside = problem.family === "remote"
    return {
      fix: clearing.isSame && !isOutside ? [] : [call],
      grade: "C",
      flaky: clearing.isSame,
      suppressed: false
    }
  }
  const chosen = lastOfEach(choose(scored, top, problem))
  const suppressed = chosen.length > 0 && chosen.every(({ suppresses }) => suppresses)
  return {
    fix: chosen,
    grade: gradeOf(able.length === 1 ? enough : top, chosen, problem, clearing),
    flaky: false,
    suppressed
  }
}

const names = ({ words }: Step, { symbol = "" }: Problem): boolean =>
  symbol.length > 2 && wordsIn(symbol).some((word) => words.includes(word))

/** Among several edits of the named place, those that speak of what the problem speaks of; of many, those that do most. */
const pointed = (scored: readonly Scored[], top: number, problem: Problem): readonly Step[] => {
  const good = scored.filter(({ score }) => score >= enough)
  const fixing = good.filter(({ step }) => step.kind === "command" && fixes.test(step.what))
  if (isLayout(problem) && fixing.length > 0) return fixing.slice(-1).map(({ step }) => step)
  const naming = good.filter(({ step }) => step.kind === "command" || names(step, problem))
  const named = naming.some(({ step }) => step.kind === "edit") ? naming : good
  const best = named.filter(({ score }) => score >= top - 1)
  return (named.length > maxPointed && best.length > 0 ? best : named).map(({ step }) => step)
}

const choose = (scored: readonly Scored[], top: number, problem: Problem): readonly Step[] => {
  if (top >= enough) return pointed(scored, top, problem)
  if (scored.length <= maxUnclear) return scored.map(({ step }) => step)
  const near = scored.filter(({ score }) => score > 0 && score >= top - 0.7).map(({ step }) => step)
  return (near.length > 0 ? near : scored.map(({ step }) => step)).slice(-maxUnclear)
}

/** A command that is run again in another form was not what helped the first time. */
const lastOfEach = (steps: readonly Step[]): readonly Step[] =>
  steps.filter(
    ({ manner }, at) => manner === "" || !steps.slice(at + 1).some((later) => later.manner === manner)
  )

/** What the corrected call speaks of and the failed one did not, was made in between. */
const madeFor = (chain: Chain, steps: readonly Step[], clearing: Clearing): readonly Step[] => {
  const { code, family } = chain.problem
  const isWrongForm = family === "usage" || family === "shell" || family === "git" || code === "usage"
  if (chain.subject.type !== "command" || clearing.ran === undefined || isWrongForm) return []
  const before = new Set([
    ...chain.subject.ran.targets,
    ...chain.subject.ran.options.flatMap((one) => one.split(/[ =]/))
  ])
  const fresh = [...clearing.ran.targets, ...clearing.ran.options.flatMap((one) => one.split(/[ =]/))].filter(
    (word) => !before.has(word) && /[/.]/.test(word) && baseOf(word).length > 3
  )
  return steps.filter(({ files, kind, what }) =>
    fresh.some(
      (word) =>
        files.some((file) => baseOf(file) === baseOf(word)) || (kind === "command" && what.includes(word))
    )
  )
}

/** The words of the failed call that name something: a path, a branch, an address. */
const namesIn = ({ subject }: Chain): readonly string[] => {
  const text =
    subject.type === "command"
      ? [...subject.ran.targets, ...subject.ran.options].join(" ")
      : subject.type === "tool"
        ? subject.asked
        : ""
  return [...new Set(text.match(/[\w@.-]*[\w][/.-][\w@./-]*\w/g) ?? [])].filter((word) => word.length > 5)
}

/** It is about something that the failed call named. */
const isAbout = ({ what }: Step, named: readonly string[]): boolean =>
  named.some((word) => what.includes(word))

/** The one of several answers that there is. */
const answer = (fix: readonly Step[], grade: Grade): Attributed => ({
  fix,
  grade,
  flaky: false,
  suppressed: false
})

const forCall = (chain: Chain, steps: readonly Step[], call: Step, clearing: Clearing): Attributed => {
  const { problem } = chain
  const words = tellingWords(problem)
  const able = steps.filter((step) => !isProse(step))
  const made = madeFor(chain, steps, clearing)
  if (made.length > 0) return answer(lastOfEach(made), "B")
  const named = namesIn(chain)
  const about = lastOfEach(able.filter((step) => step.kind === "command" && isAbout(step, named)))
  // The same tool with other words, and what it speaks of was changed in between: a call that only looks different.
  if (!clearing.isSame && !(chain.subject.type === "tool" && about.length > 0))
    return { ...answer([call], gradeOf(enough, [call], problem, clearing)), suppressed: call.suppresses }
  const pointed = lastOfEach(able.filter((step) => scoreOf(step, problem, words) >= enough))
  if (pointed.length > 0) return answer(pointed, gradeOf(enough, pointed, problem, clearing))
  if (about.length > 0) return answer(about.slice(-1), "B")
  const last = lastOfEach(able.filter((step) => !isRoutine(step))).slice(-maxUnclear)
  return last.length > 0 ? answer(last, "B") : { ...answer([call], "C"), flaky: true }
}

/** Who settles a conflict edits the file, and says so. */
const forConflict = (
  { problem }: Chain,
  steps: readonly Step[],
  call: Step,
  clearing: Clearing
): Attributed => {
  const fix = [...steps.filter((step) => step.kind === "edit" && touches(step, problem)), call]
  return {
    fix,
    grade: gradeOf(fix.length > 1 ? enough : 0, fix, problem, clearing),
    flaky: false,
    suppressed: false
  }
}

/** `steps`: what was done since the problem was last seen. `call`: that which shows it gone, as something that was done. `self`: where it did something too. */
export const attribute = (
  chain: Chain,
  steps: readonly Step[],
  call: Step,
  self: Step | undefined,
  clearing: Clearing
): Attributed => {
  const { problem, subject } = chain
  if (problem.code === "conflict") return forConflict(chain, steps, call, clearing)
  if (subject.type === "command" && subject.blame === "work")
    return forWork(chain, steps, call, self, clearing)
  if (subject.type === "edit")
    return { fix: [call], grade: clearing.isSame ? "B" : "A", flaky: false, suppressed: false }
  return forCall(chain, steps, call, clearing)
}
