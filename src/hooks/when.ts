/** Whether a hook's `when` holds for an invocation, and if not, which part does not. */
import { isAbsolute, relative, resolve, sep } from "node:path"
import type { Tool } from "../../events/agentEvents.ts"
import type { When } from "./defineHook.ts"
import { globMatches } from "./glob.ts"

const listed = <A>(value: A | readonly A[]): readonly A[] => (Array.isArray(value) ? value : [value as A])

/** A pattern with the g or y flag remembers where it stopped; every call begins at the start. */
const tests = (pattern: RegExp, text: string): boolean => {
  pattern.lastIndex = 0
  const hit = pattern.test(text)
  pattern.lastIndex = 0
  return hit
}

const slashes = (path: string): string => (sep === "/" ? path : path.split(sep).join("/"))

/** Loaded here: few globs begin at home, and every hook call would pay for it. */
const home = (): string => slashes(process.getBuiltinModule("node:os").homedir())

const fromHome = (glob: string): string => (glob.startsWith("~/") ? home() + glob.slice(1) : glob)

/** Absolute globs look at the absolute path, the others at the path as seen from the project. */
const pathMatches = (globs: readonly string[], path: string, project: string): boolean => {
  const absolute = slashes(resolve(project, path))
  const seen = slashes(relative(project, absolute))
  return globs.some((glob) => {
    const pattern = fromHome(glob)
    if (isAbsolute(pattern)) return globMatches(pattern, absolute)
    return globMatches(pattern.startsWith("./") ? pattern.slice(2) : pattern, seen)
  })
}

const pathsOf = (tool: Tool): readonly string[] => {
  const paths = tool.paths ?? []
  return tool.path === undefined || paths.includes(tool.path) ? paths : [tool.path, ...paths]
}

const toolMismatch = (when: When, tool: Tool, project: string): string | undefined => {
  const { command, toolName } = when
  if (when.tool !== undefined && !listed(when.tool).includes(tool.kind)) return `when: tool is ${tool.kind}`
  if (toolName !== undefined) {
    const hit = toolName instanceof RegExp ? tests(toolName, tool.name) : listed(toolName).includes(tool.name)
    if (!hit) return "when: toolName does not match"
  }
  if (command !== undefined) {
    if (tool.command === undefined) return "when: the tool has no command"
    const hit = typeof command === "string" ? tool.command.includes(command) : tests(command, tool.command)
    if (!hit) return "when: command does not match"
  }
  if (when.path !== undefined) {
    const globs = listed(when.path)
    const paths = pathsOf(tool)
    if (paths.length === 0) return "when: the tool has no path"
    if (!paths.some((path) => pathMatches(globs, path, project))) return "when: path does not match"
  }
  return undefined
}

/** What of an invocation a condition without code asks for. */
interface WhenInput {
  readonly agent: string
  readonly project: string
  readonly tool: Tool | undefined
}

/** The reason why the hook does not run here, or nothing. */
export const mismatch = (when: When, input: WhenInput): string | undefined => {
  if (when.agent !== undefined && !listed(when.agent).includes(input.agent as never))
    return `when: agent is ${input.agent}`
  const asksForTool =
    when.tool !== undefined ||
    when.toolName !== undefined ||
    when.command !== undefined ||
    when.path !== undefined
  if (asksForTool) {
    if (input.tool === undefined) return "when: there is no tool"
    const reason = toolMismatch(when, input.tool, input.project)
    if (reason !== undefined) return reason
  }
  if (when.project === undefined) return undefined
  const project = slashes(input.project)
  const matches = listed(when.project).some((glob) => globMatches(fromHome(glob), project))
  return matches ? undefined : "when: project does not match"
}
