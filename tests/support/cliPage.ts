/**
 * Writes docs/reference/cli.md anew from the declarations of the commands: heading, example and table of options of each. What
 * people wrote between them stays; a command without a section gets one.
 */
import { type Action, type Command, type Commands, groups } from "../../src/programs/cli/syntax/Command.ts"
import { type Option, writtenAs } from "../../src/programs/cli/syntax/parameters.ts"

const cell = (text: string): string => text.replaceAll("|", "\\|")

const lowered = (text: string): string => text.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase())

const withOption = (example: string, written: string, given: string): string =>
  `${example} `.includes(` ${written} `) ? example : `${example} ${given}`

const optionRow = (key: string, option: Option<unknown>, example: string): string => {
  const written = writtenAs(key)
  const name = option.kind === "flag" ? written : `${written} ${option.value}`
  const words = option.details ?? lowered(option.help).replace(/\.$/, "")
  const given = option.kind === "flag" ? written : `${written} ${option.sample}`
  const line = option.example ?? withOption(example, written, given)
  return `| \`${cell(name)}\`: ${cell(words)} | \`npx ${cell(line)}\` |`
}

const table = ({ examples, options = {} }: Action): string => {
  // What stands before a pipe is no part of the command.
  const example = `${examples[0]}`.replace(/^.*\| /, "")
  const lines = Object.entries(options).map(([key, option]) => optionRow(key, option, example))
  return lines.length === 0 ? "" : ["| option | example |", "| --- | --- |", ...lines].join("\n")
}

const example = ({ examples }: Action): string =>
  `\`\`\`sh\n${`${examples[0]}`.replace(/(^|\| )hooktape /, "$1npx hooktape ")}\n\`\`\``

const isTable = (part: string): boolean => part.startsWith("| option | example |")

/** The text below a heading, in parts: paragraphs, tables, and code with its fences. */
const partsOf = (text: string): readonly string[] =>
  (text.match(/```[\s\S]*?\n```|[^\n]+(?:\n(?!```)[^\n]+)*/g) ?? []).map((part) => part.trim())

const section = (title: string, action: Action, old: string | undefined): string => {
  const parts = old === undefined ? [example(action), action.summary] : partsOf(old)
  const [first = "", ...others] = parts
  // Further lines of the first example are its author's.
  const head = first.startsWith(example(action).slice(0, -4)) ? first : example(action)
  const rest = first.startsWith("```sh") ? others : parts
  const at = rest.findIndex(isTable)
  const kept = rest.filter((part) => !isTable(part))
  const rows = table(action)
  const place = at === -1 ? Math.min(1, kept.length) : at
  const body = rows === "" ? kept : [...kept.slice(0, place), rows, ...kept.slice(place)]
  return [`### ${title}`, head, ...body].join("\n\n")
}

const actionsOf = (
  name: string,
  { action, subcommands = {} }: Command
): readonly (readonly [string, Action])[] => [
  ...(action === undefined ? [] : [[name, action] as const]),
  ...Object.entries(subcommands).map(([below, one]) => [`${name} ${below}`, one] as const)
]

export const writeCliPage = (old: string, commands: Commands): string => {
  const [before = "", ...chapters] = old.split(/^## /m)
  const chapterOf = (title: string) => chapters.find((one) => one.startsWith(`${title}\n`)) ?? `${title}\n`
  const isGroup = (chapter: string) => groups.some((group) => chapter.startsWith(`${group}\n`))
  const others = chapters.filter((one) => !isGroup(one)).map((one) => `## ${one.trim()}`)
  const written = groups.map((group) => {
    const [head = "", ...olds] = chapterOf(group).split(/^### /m)
    const oldOf = (title: string) => olds.find((one) => one.startsWith(`${title}\n`))?.slice(title.length)
    const sections = Object.entries(commands)
      .filter(([, command]) => command.group === group)
      .flatMap(([name, command]) => actionsOf(name, command))
      .map(([title, action]) => section(title, action, oldOf(title)))
    return [`## ${head.trim()}`, ...sections].join("\n\n")
  })
  return `${[before.trim(), ...others, ...written].join("\n\n")}\n`
}
