/** ESLint and what prints in its "stylish", "unix" and "compact" formats. */
import { given, linesOf } from "../lines.ts"
import { maxProblems, type Parser, type Problem } from "../Problem.ts"

const finding = /^\s+(\d+):\d+\s+error\s+(.+?)(?:\s{2,}(\S+))?$/
const unix = /^(\S+\.[cm]?[jt]sx?):(\d+):\d+: (.+?) \[Error\/([^\]]+)\]$/
const compact = /^(\S.*?\.\w+): line (\d+), col \d+, Error - (.+?)(?: \(([^()\s]+)\))?$/
/** At the start of a line alone: other programs warn of it, and pages quote it. */
const unconfigured =
  /^(?:Error: )?(ESLint couldn't find (?:an eslint\.config\.|a configuration file)|No ESLint configuration found).*$/
const path = /^(?:\/|\.{0,2}[\w@.-]+\/|[A-Za-z]:\\)?\S*\.(?:[cm]?[jt]sx?|vue|svelte|astro|json|md)$/

const findingsIn = (text: string): readonly Problem[] => {
  let file = ""
  const found: Problem[] = []
  for (const line of linesOf(text)) {
    if (path.test(line)) file = line
    const [, at, message = "", code = ""] = finding.exec(line) ?? []
    if (at !== undefined && file !== "")
      found.push({ family: "eslint", code, file, line: Number(at), message })
    const one = unix.exec(line) ?? compact.exec(line)
    if (one)
      found.push({
        family: "eslint",
        ...given("code", one[4]),
        file: one[1] as string,
        line: Number(one[2]),
        message: one[3] as string
      })
    const [, none] = unconfigured.exec(line) ?? []
    if (none !== undefined)
      found.push({
        family: "eslint",
        code: "config",
        // What it looks for where nothing else is said.
        ...(none.endsWith(".config.") ? { file: "eslint.config.js" } : {}),
        message: none.replace(/\.$/, "")
      })
    if (found.length >= maxProblems) break
  }
  return found
}

export const eslint: Parser = {
  family: "eslint",
  kind: "report",
  marks: /(?<!\d)\d{1,9}:\d+\s+error\s|\[Error\/|✖ \d+ problem|, Error - |ESLint co/,
  parse: (text) => {
    const problems = findingsIn(text)
    const [, errors] = /✖ \d+ problems? \((\d+) errors?/.exec(text) ?? []
    const isFailed = problems.length > 0 || Number(errors ?? 0) > 0
    return { problems, verdict: isFailed ? "fail" : undefined }
  }
}
