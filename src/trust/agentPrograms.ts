/** How an agent is recognised: by the variables that it gives to what it starts, and by its program. */
import { existsSync, realpathSync } from "node:fs"
import { dirname, isAbsolute, join } from "node:path"
import { readRegular } from "../state/readRegular.ts"

/**
 * Set by an agent for the commands of its tools or for its hooks, and by nobody else. What a user may set in a shell profile is
 * not here, such as CLAUDE_CODE_USE_BEDROCK, CODEX_HOME or GEMINI_API_KEY, nor what an editor sets in every terminal of its own.
 */
const marks =
  /^(?:CLAUDECODE|CLAUDE_CODE_(?:SESSION_ID|CHILD_SESSION|ENTRYPOINT|REMOTE_SESSION_ID)|CLAUDE_(?:PID|ENV_FILE|PROJECT_DIR)|CODEX_(?:THREAD_ID|SANDBOX|SANDBOX_NETWORK_DISABLED|CI)|GEMINI_(?:CLI|SESSION_ID|PROJECT_DIR|CWD)|CURSOR_(?:AGENT|CONVERSATION_ID|PROJECT_DIR)|QWEN_PROJECT_DIR|OPENCODE(?:_PID|_PROJECT_DIR)?|FACTORY_PROJECT_DIR|CLINE_(?:ACTIVE|PROJECT_DIR|CONNECTOR_CLI_LAUNCH)|QWEN_CODE|COPILOT_CLI|KIRO_SESSION_ID|AI_AGENT)$/

/** The first variable that says so. An empty value, or `0`, is how somebody says that it is not. */
export const markIn = (env: Readonly<Record<string, string | undefined>>): string | undefined =>
  Object.keys(env).find((name) => marks.test(name) && !["", "0", "false", undefined].includes(env[name]))

/** A process as the system shows it. */
export interface Seen {
  readonly pid: number
  readonly parent: number
  /** The name that the system keeps. */
  readonly name: string
  /** Its program file, where the system tells. */
  readonly program?: string | undefined
  readonly args: readonly string[]
  readonly cwd?: string | undefined
  /** What it was started with, where the system tells. */
  readonly env?: Readonly<Record<string, string>> | undefined
}

const names = new Set(
  "claude codex gemini cursor-agent opencode cline copilot droid qwen aider windsurf-agent kiro-cli kiro-cli-chat".split(
    " "
  )
)

const packages =
  /(?:^|\/)(?:@anthropic-ai\/claude-(?:code|agent-sdk)|@openai\/codex|@google\/gemini-cli|@qwen-code\/qwen-code|@github\/copilot|opencode-ai|@factory\/cli|@cline\/(?:cli-[a-z0-9-]+|core|sdk)|claude\/versions)(?:[-/@]|$)/

const runtimes = /^(?:node|nodejs|bun|deno|python\d*(?:\.\d+)?|tsx|electron)$/

const baseOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** `codex-x86_64-unknown-linux-musl` and `claude.exe` are what they are called after. */
const isAgentName = (path: string): boolean =>
  names.has(baseOf(path).replace(/\.(?:[cm]?js|exe|py)$/, "")) ||
  /^codex-(?:x86_64|aarch64)/.test(baseOf(path))

const realOf = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** The name of the package that a script lies in: a folder can be renamed, and what is in it still says what it is. */
const packageOf = (script: string): string | undefined => {
  for (let at = dirname(script), level = 0; level < 4 && dirname(at) !== at; at = dirname(at), level++) {
    const file = join(at, "package.json")
    if (!existsSync(file)) continue
    try {
      const { name } = JSON.parse(readRegular(file).toString("utf8")) as { readonly name?: unknown }
      return typeof name === "string" ? name : undefined
    } catch {
      return undefined
    }
  }
  return undefined
}

const isAgentScript = (script: string, cwd: string | undefined): boolean => {
  const path = isAbsolute(script) || cwd === undefined ? script : join(cwd, script)
  const real = realOf(path)
  return (
    [script, real].some((one) => isAgentName(one) || packages.test(one)) ||
    packages.test(packageOf(real) ?? "")
  )
}

/** Whether a process is an agent: by its name, its program file, or the script that a runtime was started with. */
export const isAgent = ({ args, cwd, name, program }: Seen): boolean => {
  const [called = ""] = args
  if ([name, program ?? "", called].some((one) => isAgentName(one) || packages.test(one))) return true
  if (![name, program ?? "", called].some((one) => runtimes.test(baseOf(one)))) return false
  const script = args.slice(1).find((arg) => !arg.startsWith("-"))
  return script !== undefined && isAgentScript(script, cwd)
}
