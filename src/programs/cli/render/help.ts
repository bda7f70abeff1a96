/** What `hooktape --help` says, and what each command says of its options. */
import { about } from "../about.ts"
import { type CommandName, usage } from "../usage.ts"
import { pad, type Style } from "./style.ts"
import { hanging, wrapped } from "./wrap.ts"

export interface Drawing {
  readonly style: Style
  readonly width: number | undefined
}

const groups = {
  "Set up": ["init", "trust", "build", "install", "uninstall", "doctor", "import"],
  "Try out": ["run", "test", "explain"],
  "Look back": ["log", "show", "replay"],
  Remember: ["note", "notes", "search", "chains", "checkpoint", "checkpoints"],
  "Look after": ["hooks", "jobs", "actors", "host", "forget"],
  Reference: ["docs"]
} as const

const operands: Readonly<Record<string, string>> = {
  run: "run <agent> <Event>",
  test: "test [fixtures…]",
  explain: "explain <command>",
  show: "show <ref>",
  replay: "replay <ref>",
  note: "note <text>",
  notes: "notes list|show|…",
  search: "search <query>",
  chains: "chains list|show|…",
  checkpoints: "checkpoints list",
  hooks: "hooks list|enable|…",
  jobs: "jobs list|retry",
  host: "host start|stop|status",
  forget: "forget <ref>",
  docs: "docs delivery"
}

const rows = (
  lines: readonly (readonly [string, string])[],
  { style, width }: Drawing,
  least = 0
): readonly string[] => {
  const widest = Math.max(least, ...lines.map(([name]) => name.length))
  return lines.map(([name, text]) =>
    hanging(`  ${style.accent(pad(name, widest))}  `, text, widest + 4, width)
  )
}

const ended = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("")

export const helpText = (version: string, drawing: Drawing): string => {
  const { style, width } = drawing
  const sections = Object.entries(groups).flatMap(([title, names]) => [
    "",
    style.strong(title),
    ...rows(
      names.map((name) => [operands[name] ?? name, about[name]]),
      drawing,
      19
    )
  ])
  return ended([
    ...wrapped(
      `${style.strong("hooktape")} ${version}: runs the hooks of AI coding agents, and remembers what they did.`,
      width
    ),
    "",
    ...wrapped(`Usage: hooktape <command> [options]. "hooktape <command> --help" tells its options.`, width),
    ...sections
  ])
}

export const commandHelp = (command: CommandName, drawing: Drawing): string => {
  const { style, width } = drawing
  const { examples = [], line, operands: taken = [], options = [] } = usage[command]
  const widest = Math.max(0, ...[...taken, ...options].map(([name]) => name.length))
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", style.strong(title), ...lines]
  return ended([
    ...wrapped(about[command], width),
    "",
    `Usage: hooktape ${style.strong(command)} ${line}`,
    ...(taken.length === 0 ? [] : ["", ...rows(taken, drawing, widest)]),
    ...section("Options", rows(options, drawing, widest)),
    ...section(
      examples.length === 1 ? "Example" : "Examples",
      examples.map((example) => `  ${example}`)
    )
  ])
}
