/** What was taken out, so that nothing can find fault with it any more: a test, or the file it stands in. Pure. */
import type { Part } from "../checks/commandLine.ts"
import type { Problem } from "../checks/Problem.ts"
import type { Chain } from "./Chain.ts"
import type { Clearing } from "./clears.ts"
import { isSameFile } from "./paths.ts"
import type { Step } from "./Step.ts"

const maxNames = 40
const maxFiles = 20

/** Where a test is written, in the languages that we know: by its title, or as a function of its name. */
const written = [
  /\b(?:it|test|specify|property|scenario|example)(?:\.\w{1,20})?[ (]{1,3}(["'`])(.{1,120}?)\1/g,
  /\b(def|func|fn|fun|function|void|Task) +`?(\w{3,80})/g
]

const testsIn = (text: string): ReadonlySet<string> =>
  new Set(written.flatMap((pattern) => [...text.matchAll(pattern)].map(([, , name = ""]) => name)))

const isPatch = (text: string): boolean => text.includes("*** Begin Patch")

/** A patch holds what it takes out as well. */
const putIn = (wrote: string): string => (isPatch(wrote) ? wrote.replace(/^-.*$/gm, "") : wrote)

/** The tests, by their names, that an edit took out and did not put in again. */
export const testsTakenOut = (took: string, wrote: string): readonly string[] => {
  if (took === "") return []
  const there = putIn(wrote)
  return [...testsIn(took)].filter((name) => !there.includes(name)).slice(0, maxNames)
}

const removes = ({ name, options, task }: Part): boolean =>
  name === "rm" || name === "unlink" || (name === "git" && task === "rm" && !options.includes("--cached"))

/** The files that a command or a patch removes. */
export const filesTakenOut = (parts: readonly Part[], wrote: string): readonly string[] => [
  // What else a command does may put them there again.
  ...(parts.every(removes) ? parts.flatMap(({ targets }) => targets).slice(0, maxFiles) : []),
  ...(isPatch(wrote) ? [...wrote.matchAll(/^\*\*\* Delete File: (.+)$/gm)].map(([, file = ""]) => file) : [])
]

/** The last part of a test's name: runners put files, suites and modules before it, cases behind it. */
const isNameOf = (name: string, test: string): boolean => {
  const [bare = ""] = test.split(/\[.*\]$|\/(?=\S+$)/)
  return bare === name || (bare.endsWith(name) && /[\s.:>›#]/.test(bare.at(-name.length - 1) ?? ""))
}

const isTestGone = (steps: readonly Step[], { file, test }: Problem): boolean =>
  test !== undefined &&
  steps.some(
    ({ drops, files }) =>
      drops.some((name) => isNameOf(name, test)) &&
      files.some((one) => /test|spec/i.test(one) || (file !== undefined && isSameFile(one, file)))
  )

/** It was removed, and not written anew. */
const isFileGone = (steps: readonly Step[], { file }: Problem): boolean => {
  if (file === undefined || file === "") return false
  const last = steps.findLast(({ files, removes }) =>
    [...files, ...removes].some((one) => isSameFile(one, file))
  )
  return last?.removes.some((one) => isSameFile(one, file)) === true
}

/** It removed something, or wrote the file that the problem is in. */
const takesOut = ({ drops, files, removes }: Step, { file }: Problem): boolean =>
  drops.length + removes.length > 0 || (file !== undefined && files.some((one) => isSameFile(one, file)))

/** `steps`: all that was done since the problem was seen. */
export const isTakenOut = (
  { collected, problem }: Chain,
  steps: readonly Step[],
  { collected: now, isSame }: Clearing
): boolean => {
  // As many tests as before: none is missing, whatever was moved or named otherwise. With fewer, somebody took one out: a hook that failed
  // beside a test is counted by some runners as one as well.
  if (problem.test !== undefined && isSame && collected !== undefined && now !== undefined)
    return now < collected && steps.some((step) => takesOut(step, problem))
  return isTestGone(steps, problem) || isFileGone(steps, problem)
}
