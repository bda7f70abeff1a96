/** A tool call that is over, as metrics keep it. Pure. */
import type { Tool } from "../../../events/agentEvents.ts"
import type { CommandLine, Part } from "../checks/commandLine.ts"
import type { Judged } from "../checks/judge.ts"
import { judge } from "../checks/judge.ts"
import type { Problem } from "../checks/Problem.ts"
import type { ToolOutcome } from "../checks/ToolOutcome.ts"
import { lineSums } from "./lineSums.ts"
import type { CallEnded, CheckRun, ErrorClass } from "./Moment.ts"

const maxTargets = 20
/** Words that limit nothing: all there is below the folder. */
const unlimited = /^(?:run|watch|\.|\.\/|\.\/\.\.\.|--?)$/
/** Options that leave out a part of the tests. */
const limiting = /^(?:-k|-m|-t|-g|-run|--run|--grep|--filter|--only|--testNamePattern|--test)\b/

const targetsOf = ({ options, targets }: Part): readonly string[] =>
  [
    ...targets.filter((target) => !unlimited.test(target)),
    ...options.filter((one) => limiting.test(one))
  ].slice(0, maxTargets)

const checksIn = (line: CommandLine | undefined): readonly CheckRun[] =>
  (line?.parts ?? []).flatMap((part) => {
    const { folder, name, purpose, role, task } = part
    return role === "check" && purpose !== undefined
      ? [{ purpose, folder, program: `${name} ${task}`.trim(), targets: targetsOf(part) }]
      : []
  })

const missingThings =
  /command not found|not found in PATH|No such file or directory|Permission denied|EACCES|EPERM|ENOSPC|No space left|timed? ?out|ETIMEDOUT|ECONN\w+|ENOTFOUND|EAI_AGAIN|could not resolve host|network is unreachable|connection (?:refused|reset)|Cannot connect to the Docker daemon|port is already (?:in use|allocated)|EADDRINUSE|out of memory|Killed/i

const isEnvironment = ({ exitCode, told }: ToolOutcome, problems: readonly Problem[]): boolean =>
  exitCode === 127 ||
  exitCode === 126 ||
  exitCode === 124 ||
  exitCode === 137 ||
  (told !== "denied" &&
    problems.length > 0 &&
    problems.every(({ code = "", family, message }) =>
      family === "shell"
        ? /command not found|permission|no such file|cd/.test(code)
        : family === "remote" || missingThings.test(message)
    ))

/** A person was asked and said no, as Claude Code tells it; what is stopped while it runs says otherwise. */
const isRefused = ({ told, text }: ToolOutcome): boolean =>
  told === "stopped" && /^The user (?:doesn't want to (?:proceed|take)|wants to clarify)/.test(text)

const classOf = (outcome: ToolOutcome, { problems }: Judged, checks: readonly CheckRun[]): ErrorClass => {
  if (outcome.told === "denied" || isRefused(outcome)) return "denied"
  if (outcome.told === "rejected" || problems.some(({ family }) => family === "misuse")) return "misuse"
  if (isEnvironment(outcome, problems)) return "environment"
  return checks.length > 0 ? "check" : "other"
}

/** `[main 1a2b3c4] Subject`, as git answers a commit. */
const committed = /^\[[^\]\n]*? ?([0-9a-f]{7,40})\] /gm

const commitsIn = ({ text }: ToolOutcome, { line, verdict }: Judged): readonly string[] => {
  const isCommit = line?.parts.some(({ name, task }) => name === "git" && task === "commit") === true
  if (!isCommit || verdict === "fail") return []
  const named = [...text.matchAll(committed)].map(([, id = ""]) => id)
  return named.length > 0 || line?.isMasked === true ? named : [""]
}

const onlyLooks = ({ line }: Judged): boolean =>
  line?.parts.every(({ role }) => role === "look" || role === "ask" || role === "say" || role === "move") ??
  false

/** `tool`: the call as its agent told it, where the lines of an edit are to be counted. */
export const callMoment = (outcome: ToolOutcome, tool: Tool | undefined, isBatch: boolean): CallEnded => {
  const judged = judge(outcome)
  const checks = checksIn(judged.line)
  const commits = commitsIn(outcome, judged)
  const edits = tool !== undefined && outcome.told === "ok" ? lineSums(tool) : []
  const paths = edits.length === 0 && outcome.kind === "edit" && outcome.told === "ok" ? outcome.paths : []
  return {
    kind: "call-ended",
    use: outcome.id,
    name: outcome.name,
    tool: outcome.kind,
    told: outcome.told,
    verdict: judged.verdict,
    ...(isBatch ? { isBatch: true as const } : {}),
    ...(judged.verdict === "fail" || isRefused(outcome) ? { error: classOf(outcome, judged, checks) } : {}),
    ...(checks.length === 0 ? {} : { checks }),
    ...(edits.length + paths.length === 0
      ? {}
      : { edits: [...edits, ...paths.map((path) => ({ path, added: [], removed: [] }))] }),
    ...(onlyLooks(judged) ? { looks: true as const } : {}),
    ...(commits.length === 0 ? {} : { commits })
  }
}
