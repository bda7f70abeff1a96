/** Completions for shells, written from the declarations: names of commands, options, and the values that an option may have. */
import type { Action, Commands } from "./Command.ts"
import { type Options, writtenAs } from "./parameters.ts"
import { optionsWithin } from "./read.ts"

export const shells = ["bash", "zsh", "fish"] as const
export type Shell = (typeof shells)[number]

/** A line of words so far, the name of a command or of it and its subcommand, and what may follow. */
interface Place {
  readonly path: readonly string[]
  readonly subcommands: Readonly<Record<string, Action>>
  readonly options: Options
}

const placesOf = (commands: Commands): readonly Place[] =>
  Object.entries(commands).flatMap(([name, command]) => [
    {
      path: [name],
      subcommands: command.subcommands ?? {},
      options: command.action?.options ?? (command.subcommands === undefined ? optionsWithin(command) : {})
    },
    ...Object.entries(command.subcommands ?? {}).map(
      ([below, { options = {} }]): Place => ({ path: [name, below], subcommands: {}, options })
    )
  ])

const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** In fish a backslash escapes within single quotes. */
const fishQuoted = (text: string): string => `'${text.replaceAll(/['\\]/g, "\\$&")}'`

const valuesFor = (options: Options): readonly (readonly [string, readonly string[] | undefined])[] =>
  Object.entries(options).flatMap(([key, { choices, kind }]) =>
    kind === "flag" ? [] : [[writtenAs(key), choices] as const]
  )

/** Directories and files are left to the shell: `compopt -o default` gives what it would have offered. */
const bash = (commands: Commands): string => {
  const places = placesOf(commands)
  const values = places.flatMap(({ options, path }) =>
    valuesFor(options).map(([option, choices]) => {
      const words =
        choices === undefined
          ? "compopt -o default"
          : `COMPREPLY=($(compgen -W ${single(choices.join(" "))} -- "$word"))`
      return `    ${single(`${path.join(" ")} ${option}`)}) ${words}; return ;;`
    })
  )
  const words = places.map(({ options, path, subcommands }) => {
    const offered = [...Object.keys(subcommands), ...Object.keys(options).map(writtenAs), "--help"]
    return `    ${single(path.join(" "))}) offered=${single(offered.join(" "))} ;;`
  })
  const groups = Object.entries(commands).filter(([, { subcommands }]) => subcommands !== undefined)
  const below = groups.flatMap(([name, { subcommands = {} }]) =>
    Object.keys(subcommands).map((one) => single(`${name} ${one}`))
  )
  return `# Completions of hooktape for bash: source <(hooktape completions bash)
_hooktape() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" offered=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W ${single([...Object.keys(commands), "help", "--help", "--log", "--version"].join(" "))} -- "$word"))
    return
  fi
  local path="\${COMP_WORDS[1]}"
  if ((COMP_CWORD > 2)); then
    case "$path \${COMP_WORDS[2]}" in
    ${below.join(" | ")}) path="$path \${COMP_WORDS[2]}" ;;
    esac
  fi
  case "$path $before" in
${values.join("\n")}
  esac
  case "$path" in
${words.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$offered" -- "$word"))
  if ((\${#COMPREPLY[@]} == 0)); then compopt -o default; fi
}
complete -F _hooktape hooktape
`
}

/** One line of \`_arguments\`: an option with its words and what may follow it. */
const zshOptions = (options: Options): readonly string[] =>
  Object.entries(options).map(([key, { choices, help, isRepeated, kind, value }]) => {
    const words = help.replaceAll(/[[\]:\\]/g, "\\$&")
    const follows =
      kind === "flag" ? "" : `:${value}:${choices === undefined ? "_files" : `(${choices.join(" ")})`}`
    return single(`${isRepeated === true ? "*" : ""}${writtenAs(key)}[${words}]${follows}`)
  })

const zshDescribed = (all: Readonly<Record<string, { readonly summary: string }>>): string =>
  Object.entries(all)
    .map(([name, { summary }]) => `    ${single(`${name}:${summary}`)}`)
    .join("\n")

const zshArguments = (options: Options): string =>
  ["_arguments", ...zshOptions(options), single("--help[Show the help.]"), single("*:file:_files")].join(" ")

const zsh = (commands: Commands): string => {
  const cases = Object.entries(commands).map(([name, { action, subcommands }]) => {
    const own = zshArguments(action?.options ?? {})
    if (subcommands === undefined) return `  ${name})\n    ${own} ;;`
    const each = Object.entries(subcommands).map(
      ([below, { options = {} }]) => `      ${below}) shift words; ((CURRENT--)); ${zshArguments(options)} ;;`
    )
    return `  ${name})
    if ((CURRENT == 2)); then
      below=(
${zshDescribed(subcommands)}
      )
      _describe -t commands 'hooktape ${name}' below
      ${own}
    else
      case "$words[2]" in
${each.join("\n")}
      *) ${own} ;;
      esac
    fi ;;`
  })
  return `#compdef hooktape
# Completions of hooktape for zsh: hooktape completions zsh > "\${fpath[1]}/_hooktape"
_hooktape() {
  local -a commands below
  if ((CURRENT == 2)); then
    commands=(
${zshDescribed(commands)}
    )
    _describe -t commands 'hooktape' commands
    _arguments '--help[Show the help.]' '--log[Ask a log of your fleet.]:name:' '--version[Show the version.]'
    return
  fi
  shift words
  ((CURRENT--))
  case "$words[1]" in
${cases.join("\n")}
  esac
}
if [ "$funcstack[1]" = _hooktape ]; then _hooktape "$@"; else compdef _hooktape hooktape; fi
`
}

const fish = (commands: Commands): string => {
  const line = (condition: string, rest: string) => `complete -c hooktape -n ${fishQuoted(condition)} ${rest}`
  const named = Object.entries(commands).map(([name, { summary }]) =>
    line("__fish_use_subcommand", `-f -a ${name} -d ${fishQuoted(summary)}`)
  )
  const each = placesOf(commands).flatMap(({ options, path, subcommands }) => {
    const [name = "", below] = path
    const others = Object.keys(subcommands)
    const isThere =
      below === undefined
        ? `__fish_seen_subcommand_from ${name}${others.length === 0 ? "" : `; and not __fish_seen_subcommand_from ${others.join(" ")}`}`
        : `__fish_seen_subcommand_from ${name}; and __fish_seen_subcommand_from ${below}`
    return [
      ...Object.entries(subcommands).map(([one, { summary }]) =>
        line(isThere, `-f -a ${one} -d ${fishQuoted(summary)}`)
      ),
      ...Object.entries(options).map(([key, { choices, help, kind }]) => {
        const values = choices === undefined ? " -r" : ` -x -a ${fishQuoted(choices.join(" "))}`
        return line(
          isThere,
          `-l ${writtenAs(key).slice(2)}${kind === "flag" ? "" : values} -d ${fishQuoted(help)}`
        )
      })
    ]
  })
  return `# Completions of hooktape for fish: hooktape completions fish > ~/.config/fish/completions/hooktape.fish
${[...named, ...each].join("\n")}
complete -c hooktape -l help -d 'Show the help.'
complete -c hooktape -n __fish_use_subcommand -x -l log -d 'Ask a log of your fleet.'
`
}

const writers: Readonly<Record<Shell, (commands: Commands) => string>> = { bash, zsh, fish }

export const completionsFor = (shell: Shell, commands: Commands): string => writers[shell](commands)
