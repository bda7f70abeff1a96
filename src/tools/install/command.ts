/** The one command line that stands in an agent's settings: written here, recognised here, never changed by a build. */
import { quoted } from "../../state/shellWord.ts"
import { type InstallAgent, installAgents } from "./dialects.ts"
import { isSharedHook } from "./sharedHook.ts"

export const commandLine = (bin: string, agent: InstallAgent, event: string): string =>
  `exec ${quoted(bin)} ${agent} ${event}`

export interface OurCommand {
  readonly bin: string
  readonly agent: InstallAgent
  readonly event: string
}

const shape = /^\s*(exec\s+)?('(?:[^']|'\\'')*'|"[^"]*"|[^\s'"]+)\s+([a-z][a-z-]*)\s+([A-Za-z][A-Za-z_]*)\s*$/

const unquote = (word: string): string =>
  word.startsWith("'") ? word.slice(1, -1).replaceAll("'\\''", "'") : word.replace(/^"(.*)"$/s, "$1")

/** Ours, whatever state directory and whichever release wrote it; undefined for everybody else's. */
export const parseCommand = (command: string): OurCommand | undefined => {
  const [, exec, word, agentName, event] = shape.exec(command) ?? []
  if (word === undefined || event === undefined) return undefined
  const agent = installAgents.find((name) => name === agentName)
  const bin = unquote(word)
  if (agent !== undefined && exec !== undefined && isSharedHook(bin)) return { bin, agent, event }
  if (agent === undefined || !/[\\/]bin[\\/]hook(\.exe|\.cmd)?$/.test(bin)) return undefined
  // What we write today has exec and single quotes; anything looser must also carry our name to be taken for ours.
  const exact = exec !== undefined && word.startsWith("'")
  return exact || bin.includes("hooktape") ? { bin, agent, event } : undefined
}

/** The state directory whose `bin/hook` a command starts. */
export const stateOf = (bin: string): string => bin.replace(/[\\/]bin[\\/]hook(\.exe|\.cmd|\.cjs)?$/, "")
