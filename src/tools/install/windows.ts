/** What an agent on Windows is told to run: Node, with the launcher `bin/hook.cjs`. None of it was ever run there: docs/decisions/0125. */
import { realpathSync } from "node:fs"
import { slashed } from "../../state/startedFiles.ts"
import type { OurCommand } from "./command.ts"
import { type InstallAgent, installAgents } from "./dialects.ts"

/** What agents are told to start there. Absolute paths with forward slashes, which no shell takes for something else. */
export interface WindowsNode {
  readonly node: string
  /** The same file by a path that needs no quotation marks, where it has one. */
  readonly plain: string | undefined
}

/** Where an agent has the program or the line, and what reads it. */
interface WindowsStart {
  readonly field: "command" | "exec" | "powershell" | "windows"
  readonly by: "nobody" | "PowerShell" | "cmd" | "anything"
}

const starts: Readonly<Record<InstallAgent, WindowsStart>> = {
  // Program and arguments: no shell at all.
  "claude-code": { field: "command", by: "nobody" },
  copilot: { field: "exec", by: "nobody" },
  "gemini-cli": { field: "command", by: "PowerShell" },
  windsurf: { field: "powershell", by: "PowerShell" },
  // Our own plugins start what stands there, by Node's option for a shell.
  opencode: { field: "command", by: "cmd" },
  cline: { field: "command", by: "cmd" },
  // Whatever is set on the machine, or nobody knows what.
  codex: { field: "command", by: "anything" },
  "qwen-code": { field: "command", by: "anything" },
  cursor: { field: "command", by: "anything" },
  droid: { field: "command", by: "anything" },
  vscode: { field: "windows", by: "PowerShell" },
  kiro: { field: "command", by: "anything" }
}

/** One word to cmd.exe, PowerShell and bash alike. */
const isPlain = (path: string): boolean => /^[A-Za-z]:(?:\/[\w.~-]+)+$/.test(path)

/** Where Node's installer puts it, by the short names that Windows usually gives these folders. */
const shortened = (path: string): string =>
  path.replace("/Program Files (x86)/", "/PROGRA~2/").replace("/Program Files/", "/PROGRA~1/")

const isSameFile = (one: string, other: string): boolean => {
  try {
    return realpathSync.native(one) === realpathSync.native(other)
  } catch {
    return false
  }
}

/** Undefined where agents start the launcher itself: on every other system. */
export const windowsNode = (
  platform: NodeJS.Platform = process.platform,
  program: string = process.execPath,
  isSame: typeof isSameFile = isSameFile
): WindowsNode | undefined => {
  if (platform !== "win32") return undefined
  const node = slashed(program)
  const short = shortened(node)
  const isShort = short !== node && isSame(short, node)
  return { node, plain: [node, ...(isShort ? [short] : [])].find(isPlain) }
}

/** PowerShell takes four typographic marks for the straight one, and two in a row for one. */
const inPowerShell = (text: string): string => `'${text.replace(/['\u2018-\u201b]/g, "$&$&")}'`

/** By itself PowerShell ends with 1 whatever else a program ended with: the 2 of a block would be lost. */
const powerShellLine = (words: readonly string[], rest: string): string =>
  `& ${words.map(inPowerShell).join(" ")} ${rest}; exit $LASTEXITCODE`

const lineFor = (
  by: Exclude<WindowsStart["by"], "nobody">,
  { node, plain }: WindowsNode,
  bin: string,
  rest: string
): string | undefined => {
  if (by === "PowerShell") return powerShellLine([node, bin], rest)
  // Within quotation marks it still puts in what variables hold.
  if (by === "cmd") return `${node}${bin}`.includes("%") ? undefined : `"${node}" "${bin}" ${rest}`
  return plain === undefined || !isPlain(bin) ? undefined : `${plain} ${bin} ${rest}`
}

type Fields = Readonly<Record<string, string | readonly string[]>>

/** The members of an entry by which an agent starts us; undefined where no line says it to whatever reads it there. */
export const windowsFields = (here: WindowsNode, { agent, bin, event }: OurCommand): Fields | undefined => {
  const { by, field } = starts[agent]
  if (by === "nobody") return { [field]: here.node, args: [bin, agent, event] }
  const line = lineFor(by, here, bin, `${agent} ${event}`)
  return line === undefined ? undefined : { [field]: line }
}

const call = "([a-z][a-z-]*) ([A-Za-z][A-Za-z_]*)"
const marks = "['\\u2018-\\u201b]"
const quoted = `'((?:[^'\\u2018-\\u201b]|(?:${marks}){2})+)'`
const lines = [
  new RegExp(`^& ${quoted} ${quoted} ${call}; exit \\$LASTEXITCODE$`),
  new RegExp(`^"([^"]+)" "([^"]+)" ${call}$`),
  new RegExp(`^([^\\s"']+) ([^\\s"']+) ${call}$`)
]

const wordsOf = (line: string): readonly string[] => {
  const [, program = "", bin = "", ...rest] =
    lines.map((shape) => shape.exec(line)).find((found) => found !== null) ?? []
  const isQuoted = line.startsWith("& ")
  return [program, isQuoted ? bin.replace(/(['\u2018-\u201b])\1/g, "$1") : bin, ...rest]
}

/** As a person reads it. */
export const shown = (fields: Fields): string => Object.values(fields).flat().join(" ")

/** An entry of ours as it is written on Windows, by its members; undefined for everybody else's. */
export const readWindows = (
  field: (name: string) => unknown
): (OurCommand & { readonly command: string }) | undefined => {
  const args = field("args")
  const said = ["command", "exec", "powershell", "windows"]
    .map(field)
    .find((value) => typeof value === "string")
  if (typeof said !== "string") return undefined
  const words = Array.isArray(args) ? [said, ...args.map(String)] : wordsOf(said)
  const [program = "", bin = "", agentName, event] = words
  const agent = installAgents.find((name) => name === agentName)
  if (agent === undefined || event === undefined || words.length !== 4) return undefined
  // Others have a bin/hook.cjs as well: on no other system is it ours, and nothing but Node starts it.
  if (!/^(?:[A-Za-z]:|\/)\/(?:.*\/)?bin\/hook\.cjs$/.test(bin)) return undefined
  if (!/(?:^|\/)node(?:\.exe)?$/i.test(slashed(program))) return undefined
  return { bin, agent, event, command: Array.isArray(args) ? words.join(" ") : said }
}
