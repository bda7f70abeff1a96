/**
 * Commands by which earlier tools are called as hooks, each of which starts an interpreter, and the shipped hook that does what it does.
 * Only a command that is nothing else is known: what somebody has put around it they want.
 */

export interface EarlierCommand {
  readonly tool: string
  /** The shipped hook that stands for it. */
  readonly hook: string
}

interface Known extends EarlierCommand {
  readonly pattern: RegExp
}

/** `uv run`, `python3 -m`, `env X=1`, a path in front. */
const launcher = String.raw`^(?:env\s+)?(?:\w+=\S*\s+)*(?:(?:uvx|uv\s+run(?:\s+--\S+)*|pipx\s+run|poetry\s+run|python[\d.]*(?:\s+-m)?|bash|sh)\s+)?"?(?:\S*\/)?`
/** Options, and where its output goes; no second command. */
const rest = String.raw`"?(?:\s+[^;&|<>()$\x60]+)?(?:\s*2?>\s*(?:&\d|\/dev\/null))*(?:\s*\|\|\s*true)?\s*$`

const called = (what: string): RegExp => new RegExp(launcher + what + rest)

const memory = "kuzu-memory"

const known: readonly Known[] = [
  {
    tool: memory,
    hook: "session-brief",
    pattern: called(String.raw`kuzu[-_]memory\s+hooks\s+session-start`)
  },
  { tool: memory, hook: "context", pattern: called(String.raw`kuzu[-_]memory\s+hooks\s+enhance`) },
  { tool: memory, hook: "learn", pattern: called(String.raw`kuzu[-_]memory\s+hooks\s+learn`) },
  {
    tool: memory,
    hook: "session-brief",
    pattern: called(String.raw`kuzu[-_]memory\/\S*\/session_start_hook\.sh`)
  },
  { tool: memory, hook: "context", pattern: called(String.raw`kuzu[-_]memory\/\S*\/enhance_hook\.sh`) },
  { tool: memory, hook: "learn", pattern: called(String.raw`kuzu[-_]memory\/\S*\/learn_hook\.sh`) },
  { tool: "recall-monitor", hook: "session-monitor", pattern: called(String.raw`recall-monitor(?:\.py)?`) }
]

/** Longer than any command of these. */
const longest = 2000

export const earlierCommand = (command: string): EarlierCommand | undefined => {
  if (command.length > longest) return undefined
  const found = known.find(({ pattern }) => pattern.test(command))
  return found && { tool: found.tool, hook: found.hook }
}
