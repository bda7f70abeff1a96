/** Commands that take guards away by what they are told, whatever files they touch. */

import { isOwn, weakens } from "../../trust/weakening.ts"
import type { Call } from "../guard/Call.ts"
import { nameOf } from "../guard/Call.ts"
import { expand, first } from "../guard/expand.ts"
import { absolute } from "../guard/paths.ts"
import { unknown } from "../guard/script.ts"
import type { ShellState } from "../guard/shellState.ts"
import { replacesProgram } from "./program.ts"

const agents = new Set(
  "claude codex gemini cursor-agent opencode cline copilot droid qwen windsurf kiro-cli".split(" ")
)
const agentPackage = /^(?:@anthropic-ai\/claude-code|@openai\/codex|@google\/gemini-cli)(?:@|$)/
const runtimes = new Set("node nodejs bun deno tsx ts-node".split(" "))
const script = /(?:^|\/)(?:hooktape|cli|main)(?:\.[cm]?[jt]s)?$/

/** `node .` starts what the package there says. */
const isPackage = (text: string, state: ShellState): boolean =>
  /(?:^|\/)node_modules\/hooktape$/.test(absolute(text, state) ?? "")

/** What `hooktape` is told, however it is started; undefined where it is not. */
const told = ({ args, name, state }: Call): readonly string[] | undefined => {
  const texts = args.map(first)
  if (/^hooktape(?:@|$)/.test(name)) return texts
  // Their own commands go before the programs that they know.
  if (/^(?:pnpm|yarn|bun)$/.test(name)) {
    const at = texts.findIndex((text) => /^(?:run|exec|x|hooktape)$/.test(text) || !text.startsWith("-"))
    const own = texts.indexOf("hooktape")
    return own >= 0 && (own === at || /^(?:run|exec|x)$/.test(texts[at] ?? ""))
      ? texts.slice(own + 1)
      : undefined
  }
  if (!runtimes.has(name)) return undefined
  const at = texts.findIndex((text) => !text.startsWith("-"))
  const given = texts[at]
  return given !== undefined && (script.test(given) || isPackage(given, state))
    ? texts.slice(at + 1)
    : undefined
}

/** Flags may stand before a command's words. */
const weakened = (texts: readonly string[]): string | undefined => {
  const [command = "", second = ""] = texts.filter((text) => !text.startsWith("-"))
  if (texts.includes("--help") || texts.includes("-h") || texts.includes("--dry-run")) return undefined
  if (command.includes(unknown)) return "a command of hooktape that only the run will tell"
  if (command === "trust") return second === "list" ? undefined : "hooktape trust"
  if (command === "dev" || command === "uninstall" || command === "install" || command === "forget")
    return `hooktape ${command}`
  if (command === "hooks" && /^(?:en|dis)able$/.test(second)) return `hooktape hooks ${second}`
  const weakens = texts.find((text) => ["--rollback", "--replace", "--force"].includes(text))
  return command === "migrate" && weakens !== undefined ? `hooktape migrate ${weakens}` : undefined
}

/** An agent that is told to leave its hooks out. */
const without = ({ args, name }: Call): boolean => {
  const texts = args.map(first)
  const whole = texts.join(" ")
  if (name === "claude") return texts.some((text) => /^--(?:settings|setting-sources|bare)(?:=|$)/.test(text))
  if (name === "codex")
    return /(?:^| )--disable[ =]\S*hooks|features\.\w*hooks|(?:^| )--(?:profile|ignore-user-config)\b/.test(
      whole
    )
  return name === "gemini" && /hooks/i.test(whole) && /--settings|--no-hooks/.test(whole)
}

/** What an agent is told, however it is started: by its name, as a package, or as a script of Node. */
const agentWords = ({ args, name, path = name }: Call): readonly string[] | undefined => {
  const texts = args.map(first)
  if (agents.has(name) || agentPackage.test(path)) return texts
  const at = texts.findIndex(
    (text) => agentPackage.test(text) || agents.has(nameOf(text).replace(/\.[cm]?js$/, ""))
  )
  return at < 0 || at > 3 ? undefined : texts.slice(at + 1)
}

/** The plugin of ours that an agent is told to drop or to switch off: by its name, with all others, or with the catalogue it came from. */
const dropsPlugin = (call: Call): boolean => {
  const [kind = "", ...words] = (agentWords(call) ?? []).filter(
    (text) => !text.startsWith("-") || text === "--all"
  )
  return (
    /^(?:plugins?|extensions?)$/.test(kind) &&
    words.some((word) => /^(?:un(?:install|link)|rm|remove|disable|prune)$/.test(word)) &&
    words.some((word) => /^hooktape(?:@|$)/.test(word) || word === "--all" || word.includes(unknown))
  )
}

const isAgent = ({ args, name }: Call): boolean =>
  agents.has(name) ||
  (runtimes.has(name) && args.some((arg) => agents.has(nameOf(first(arg)).replace(/\.[cm]?js$/, "")))) ||
  agentPackage.test(name) ||
  args.slice(0, 2).some((arg) => agentPackage.test(first(arg)))

/** Set earlier in the line, or in front of the command. */
const variableOf = (call: Call): string | undefined => {
  const startsAgent = isAgent(call)
  const starts = startsAgent || told(call) !== undefined
  for (const [name, values] of call.state.variables)
    if (
      (isOwn(name) || starts) &&
      name !== "PATH" &&
      !(name === "HOME" && (!startsAgent || values.every((value) => value === call.state.place.home))) &&
      values.some((value) => value.includes(unknown) || weakens(name, value))
    )
      return name
  if (!/^(?:export|declare|typeset|readonly|setx?|launchctl)$/.test(call.name)) return undefined
  const [verb, named = "", value = ""] = call.args.map(first)
  // For all that is started from here on, in any terminal.
  if (call.name === "launchctl")
    return verb === "setenv" && isOwn(named) && weakens(named, value) ? named : undefined
  return call.args
    .flatMap(({ values }) => values)
    .map((value) => value.split("=", 2))
    .find(([name = "", value]) => isOwn(name) && value !== undefined && weakens(name, value))?.[0]
}

const managers = /^(?:npm|pnpm|yarn|bun)$/

/** What a runtime or a package manager is given to start, or to look at. */
export const startsProgram = (call: Call): boolean => runtimes.has(call.name) || managers.test(call.name)

/** As it is found among processes, by its own name or by its file's. */
const hostName = /hooktape|\bhost\.cjs\b/

/** `pkill -f host.cjs`, `kill $(pgrep -f host.cjs)`, `pgrep -f host.cjs | xargs kill`. */
const endsHost = ({ args, fed, name, state, upstream }: Call): boolean => {
  if (/^(?:pkill|killall)$/.test(name)) return args.some((arg) => hostName.test(first(arg)))
  if (name !== "kill") return false
  const searches = args.flatMap(({ word }) =>
    word.flatMap((part) => (part.kind === "output" ? part.script.flat() : []))
  )
  return [...searches, ...(fed ? upstream : [])].some(({ words }) =>
    words.some((word) => expand(word, state).some((text) => hostName.test(text)))
  )
}

/** What a command does to the guards by being told so, in words. */
export const ordered = (call: Call): string | undefined => {
  const texts = told(call)
  const fed = call.fed && texts?.every((text) => text.startsWith("-")) ? [unknown] : []
  const command = texts === undefined ? undefined : weakened([...texts, ...fed])
  if (command !== undefined) return `runs \`${command}\`, which is for a person to decide`
  const words = call.args.map(first)
  if (
    managers.test(call.name) &&
    /^(?:un(?:install|link)?|rm|remove|r)$/.test(words[0] ?? "") &&
    words.some((word) => /^hooktape(?:@|$)/.test(word))
  )
    return "removes hooktape"
  if (dropsPlugin(call)) return `takes hooktape's plugin out of \`${call.name}\``
  if (replacesProgram(call.name, words, call.state.cwd)) return "puts another program in hooktape's place"
  if (endsHost(call)) return "ends hooktape's host"
  if (without(call)) return `starts \`${call.name}\` with other settings than its user's`
  const variable = variableOf(call)
  return variable === undefined ? undefined : `sets ${variable}, which can leave an agent without its hooks`
}
