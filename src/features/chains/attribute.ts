/** Which of the things that were done before a problem was gone most likely made it go. Pure. */
import type { Grade } from "../../../machines/chain.ts"
import type { Problem } from "../checks/Problem.ts"
import type { Chain } from "./Chain.ts"
import { leftOf } from "./changedLines.ts"
import type { Clearing } from "./clears.ts"
import { fixes, isLayout, isUntidy, names, scoreOf, tellingWords, touches } from "./evidence.ts"
import { enough, gradeOfCall, gradeOfWork } from "./grade.ts"
import { baseOf } from "./paths.ts"
import { mannerOf, type Step, whatOf } from "./Step.ts"
import { isTakenOut } from "./takenOut.ts"

export interface Attributed {
  readonly fix: readonly Step[]
  readonly grade: Grade
  /** Nothing was done, and it is gone. */
  readonly flaky: boolean
  /** All that helped was to look away. */
  readonly suppressed: boolean
}

/** More than so many are looked at once more. */
const maxPointed = 2
/** Where nothing points anywhere, no more than this is named. */
const maxUnclear = 3

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

/** The failed call, made once more as it was: no remedy, however it ended. */
const isFailedCall = ({ context }: Chain, { kind, what }: Step): boolean =>
  kind === "command" && context.command !== null && what === whatOf(context.command)

/** All that the call did is what had failed before: what it proves it did not bring about. */
const isMadeAgain = (chain: Chain, self: Step, { isSame, ran }: Clearing): boolean =>
  isFailedCall(chain, self) ||
  (isSame && ran !== undefined && self.acts === 1 && self.manner === mannerOf(ran))

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
    !isMadeAgain(chain, self, clearing) &&
    isAble(self) &&
    (before.length === 0 || (self.edits && scoreOf(self, problem, words) >= 2))
  const able = isOwn ? [...before, self] : before
  const scored: readonly Scored[] = able.map((step) => ({
    step,
    score: scoreOf(step, problem, words, able)
  }))
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
    grade: gradeOfWork({
      top: able.length === 1 && top > 0 ? Math.max(top, enough) : top,
      fix: chosen,
      done: steps,
      problem,
      clearing
    }),
    flaky: false,
    suppressed
  }
}

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
    return {
      ...answer([call], gradeOfCall({ fix: [call], done: steps, problem, clearing }, clearing.isAkin)),
      suppressed: call.suppresses
    }
  const pointed = lastOfEach(able.filter((step) => scoreOf(step, problem, words) >= enough))
  if (pointed.length > 0)
    return answer(pointed, gradeOfWork({ top: enough, fix: pointed, done: steps, problem, clearing }))
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
    grade: gradeOfWork({ top: fix.length > 1 ? enough : 0, fix, done: steps, problem, clearing }),
    flaky: false,
    suppressed: false
  }
}

/** `steps`: what was done since the problem was last seen. `call`: that which shows it gone, as something that was done. `self`: where it did something too. */
export const attribute = (
  chain: Chain,
  all: readonly Step[],
  call: Step,
  self: Step | undefined,
  clearing: Clearing
): Attributed => {
  const { problem, subject } = chain
  const steps = leftOf(all.filter((step) => !isFailedCall(chain, step)))
  if (problem.code === "conflict") return forConflict(chain, steps, call, clearing)
  if (subject.type === "command" && subject.blame === "work") {
    const attributed = forWork(chain, steps, call, self, clearing)
    const done = self === undefined ? all : [...all, self]
    return isTakenOut(chain, done, clearing) ? { ...attributed, suppressed: true } : attributed
  }
  if (subject.type === "edit")
    return answer(
      [call],
      clearing.isSame ? "B" : gradeOfCall({ fix: [call], done: steps, problem, clearing }, clearing.isAkin)
    )
  return forCall(chain, steps, call, clearing)
}
