/** A command line as chains look at it: its programs, each with where it runs and what it is good for. Pure. */
import { type Purpose, recognise } from "../checkpoints/commands.ts"
import { innerCommand, type Program, programOf } from "./program.ts"
import { rememberLines } from "./rememberLines.ts"
import { type Segment, segmentsOf } from "./shellLine.ts"

/**
 * What a program is run for. `look`: to see something. `ask`: to be answered yes or no. `check`: tests, types, lint, a build. `move`: to
 * another folder. `say`: for whoever reads the output. `act`: all that may change something.
 */
export type Role = "look" | "ask" | "check" | "move" | "say" | "act"

export interface Part extends Program {
  readonly role: Role
  readonly purpose: Purpose | undefined
  /** Where it runs, as it was gone to in the line; empty where nothing says. */
  readonly folder: string
  readonly next: string
  readonly writes: readonly string[]
  readonly document: string
}

export interface CommandLine {
  readonly parts: readonly Part[]
  /** The line's exit code is not that of its work: it stands before a pipe, `;` or `||`. */
  readonly isMasked: boolean
}

const looks = new Set(
  `cat head tail less more ls ll tree find fd grep egrep fgrep rg ag wc stat file type whereis pwd date whoami id uname printenv df du ps
  top free history jq yq sort uniq cut column basename dirname realpath readlink man bat nl od xxd hexdump strings awk tr comm paste
  lsof ss netstat env tac fold rev seq`.split(/\s+/)
)
const says = new Set([
  "echo",
  "printf",
  "true",
  ":",
  "sleep",
  "export",
  "set",
  "unset",
  "wait",
  "source",
  ".",
  "done",
  "fi",
  "for",
  "while",
  "shopt",
  "ulimit",
  "exit",
  "break",
  "continue",
  "case",
  "esac",
  "read",
  "local",
  "declare",
  "alias",
  "tee",
  "}"
])
const asks = new Set(["test", "[", "[[", "which", "diff", "cmp", "pgrep", "command", "hash"])
const asksOfGit = /^(?:rev-parse|merge-base|check-ignore|config|show-ref|ls-remote|symbolic-ref)$/
const moves = new Set(["cd", "pushd", "popd"])

const looksOfGit =
  /^(?:status|log|diff|show|branch|blame|rev-parse|ls-files|ls-tree|ls-remote|remote|grep|describe|shortlog|reflog|cat-file|rev-list|merge-base|stash list|stash show|worktree list|check-ignore|config|name-rev|for-each-ref|remote get-url|remote -v|tag)$/
const looksOfOthers: { readonly [name: string]: RegExp } = {
  docker: /^(?:ps|images|logs|inspect|stats|top|version|info|compose (?:ps|logs|config))$/,
  podman: /^(?:ps|images|logs|inspect|stats|top|version|info)$/,
  kubectl: /^(?:get|describe|logs|top|version|explain)$/,
  npm: /^(?:ls|list|view|outdated|why|explain|root|config)$/,
  pnpm: /^(?:ls|list|view|outdated|why)$/,
  yarn: /^(?:list|info|why|outdated)$/,
  pip: /^(?:list|show|freeze|index)$/,
  pip3: /^(?:list|show|freeze|index)$/,
  uv: /^(?:tree|pip list|pip show)$/,
  cargo: /^(?:tree|metadata)$/,
  go: /^(?:list|env|version|doc)$/,
  systemctl: /^(?:status|list-units)$/,
  gh: /^(?:pr (?:view|list|checks|diff|status)|issue (?:view|list)|run (?:view|list)|repo view|auth status|search)/,
  bd: /^(?:list|show|ready|stats|blocked)$/
}

const isEdit = (name: string, options: readonly string[]): boolean =>
  (name === "sed" || name === "perl") && options.some((one) => /^-\w*i|^--in-place/.test(one))

const fixing = /^(?:--fix|--write|--apply|--apply-unsafe|--unsafe|--update|-u|-w)\b/
const fixingTask = /\b(?:fix|format|fmt|write)\b/

const interpreters = /^(?:python|node|ruby|perl|php|deno|bun|bash|sh|zsh)$/
const changing =
  /\bopen\([^)]*,\s*(?:mode=)?["'][wax+]|\.write\(|write_text|write_bytes|writeFile|appendFile|File\.write|\bunlink|\brename|\bremove\(|rmtree|shutil|subprocess|os\.system|execSync|spawn|\.save\(|\.commit\(|mkdir|chmod|INSERT |UPDATE |DELETE /

/** A script in the line itself that writes nothing only looks. */
const isLookingScript = ({ name, options, targets }: Program, { document }: Segment): boolean => {
  if (!interpreters.test(name)) return false
  const inline = options.some((option) => /^-(?:c|e|p|r|pe|ne)\b/.test(option))
  if (!inline && document === "") return false
  return !changing.test(`${options.join(" ")} ${targets.join(" ")} ${document}`)
}

const roleOf = (program: Program, purpose: Purpose | undefined, segment: Segment): Role => {
  const { name, options, targets, task } = program
  const { writes } = segment
  if (moves.has(name)) return "move"
  if (writes.length > 0 && !says.has(name)) return "act"
  if (writes.length > 0) return "act"
  if (says.has(name)) return "say"
  if (asks.has(name)) return "ask"
  if (isEdit(name, options)) return "act"
  if (isLookingScript(program, segment)) return "look"
  if (name === "sed" || (name === "find" && !/-(?:delete|exec)/.test(options.join(" ")))) return "look"
  if (name === "find") return /rm|mv|sed|chmod/.test(targets.join(" ")) ? "act" : "look"
  if (looks.has(name)) return "look"
  if (name === "git" && asksOfGit.test(task) && !options.some((one) => /^--(?:global|unset|add)/.test(one)))
    return "ask"
  if (name === "git" && looksOfGit.test(task))
    return options.some((one) => /^(?:-d|-D|-m|--delete|--unset|--global)/.test(one)) ? "act" : "look"
  if (looksOfOthers[name]?.test(task)) return "look"
  if (name === "curl")
    return options.some((one) => /^(?:-X|--request|-d|--data|-F|-T|-o|-O|--output)/.test(one))
      ? "act"
      : "look"
  const isOnlyAsked = options.some((one) => /^--(?:check|diff|dry-run|list-different)\b/.test(one))
  if (isOnlyAsked) return "check"
  if (purpose === "lint" && (options.some((one) => fixing.test(one)) || fixingTask.test(task))) return "act"
  return purpose === undefined ? "act" : "check"
}

/** Another folder, as seen from one. */
export const resolved = (from: string, to: string): string => {
  if (/^(?:[\\/~]|[A-Za-z]:)/.test(to)) return tidy(to)
  return tidy(from === "" ? to : `${from}/${to}`)
}

const tidy = (path: string): string => {
  const parts: string[] = []
  for (const part of path.split("/")) {
    if (part === "." || (part === "" && parts.length > 0)) continue
    if (part === ".." && parts.length > 0 && parts.at(-1) !== ".." && parts.at(-1) !== "") parts.pop()
    else parts.push(part)
  }
  return parts.join("/")
}

/** Runners of tasks that a project names itself: the name says what for. */
const taskRunners =
  /^(?:mise|task|just|make|gmake|npm|pnpm|yarn|bun|deno|poe|invoke|inv|rake|composer|nox|tox|hatch|mix|moon|nx|turbo|lerna|ant|bazel|go-task)$/
const namedFor: readonly (readonly [Purpose, RegExp])[] = [
  ["types", /(?:^|[:._-])(?:typecheck|type-check|types|tsc|mypy|pyright)(?:[:._-]|$)/],
  ["tests", /(?:^|[:._-])(?:tests?|spec|e2e|integration|unit|coverage)(?:[:._-]|$)/],
  [
    "lint",
    /(?:^|[:._-])(?:lint|check|checks|ci|verify|validate|precommit|pre-commit|quality|vet|audit)(?:[:._-]|$)/
  ]
]

const taskPurpose = (program: Program): Purpose | undefined => {
  if (!taskRunners.test(program.name)) return undefined
  const words = [...program.task.split(" "), ...program.targets.slice(0, 1)].filter(
    (word) => word !== "run" && word !== "exec"
  )
  return namedFor.find(([, pattern]) => words.some((word) => pattern.test(word)))?.[0]
}

/** They build what they run; what it does then is no check. */
const runsWhatItBuilds: { readonly [name: string]: RegExp } = {
  cargo: /^run$/,
  go: /^run$/,
  dotnet: /^(?:run|watch)$/,
  swift: /^run$/,
  gradle: /\b(?:run|bootRun)$/,
  gradlew: /\b(?:run|bootRun)$/,
  mvn: /\b(?:exec:java|spring-boot:run)$/,
  mvnw: /\b(?:exec:java|spring-boot:run)$/
}

const builds = ({ name, task }: Program): Purpose | undefined =>
  runsWhatItBuilds[name]?.test(task) === true ? "build" : undefined

const purposeOf = ({ words }: Segment): Purpose | undefined =>
  recognise(words.map((word) => (/\s/.test(word) ? `'${word.slice(0, 80)}'` : word)).join(" "))[0]?.purpose

const maxDepth = 2

const partsOf = (command: string, folder: string, depth: number): readonly Part[] => {
  let at = folder
  return segmentsOf(command).flatMap((segment): readonly Part[] => {
    const within = depth < maxDepth ? innerCommand(segment) : undefined
    if (within !== undefined)
      return partsOf(within, at, depth + 1).map((part) => ({ ...part, next: segment.next }))
    const program = programOf(segment)
    if (program === undefined)
      return segment.writes.length === 0
        ? []
        : [{ ...nobody, folder: at, next: segment.next, writes: segment.writes, document: segment.document }]
    const purpose = purposeOf(segment) ?? taskPurpose(program)
    const part: Part = {
      ...program,
      purpose: purpose ?? builds(program),
      role: roleOf(program, purpose, segment),
      folder: at,
      next: segment.next,
      writes: segment.writes,
      document: segment.document
    }
    if (part.role === "move" && part.targets[0] !== undefined) at = resolved(at, part.targets[0])
    return [part]
  })
}

const nobody = { name: "", task: "", options: [], targets: [], role: "act", purpose: undefined } as const

const lineOf = rememberLines((command, folder): CommandLine => {
  const parts = partsOf(command, folder, 0)
  const working = parts.findLastIndex(({ role }) => role === "act" || role === "check")
  const after = parts.slice(Math.max(0, working))
  const isMasked =
    !/\bpipefail\b/.test(command) &&
    working >= 0 &&
    after.some(
      ({ next }, nth) =>
        (next === "|" || next === ";" || next === "||" || next === "&") &&
        (nth < after.length - 1 || next === "&")
    )
  return { parts, isMasked }
})

/** `folder`: where the line was started, absolute; empty where the agent does not tell. */
export const readCommand = (command: string, folder = ""): CommandLine => lineOf(command, folder)

/** Those that are not there only to look, to move or to say something; all where there is nothing else. */
export const workOf = ({ parts }: CommandLine): readonly Part[] => {
  const work = parts.filter(({ role }) => role === "act" || role === "check")
  return work.length > 0 ? work : parts.filter(({ role }) => role !== "say" && role !== "move")
}
