/** Programs that are given as text to an interpreter that is no shell, and commands that hide in the options of others. */
import { quoted } from "../../state/shellWord.ts"
import { type Call, textsOf } from "./Call.ts"
import { scriptText, standardInput, writtenText } from "./input.ts"
import { madeBy } from "./make.ts"
import { commandLines, optionPrograms, readsCommands } from "./optionPrograms.ts"
import { powershellCommands, powershellText } from "./powershell.ts"
import { givenRecipe } from "./recipes/givenRecipe.ts"
import { unknown } from "./script.ts"

const languages: Readonly<Record<string, RegExp>> = {
  python: /^-\w*c$/,
  pypy: /^-\w*c$/,
  node: /^(?:-e|--eval|-p|-pe|--print)$/,
  nodejs: /^(?:-e|--eval|-p|-pe|--print)$/,
  bun: /^(?:-e|--eval|-p|--print)$/,
  deno: /^eval$/,
  tsx: /^(?:-e|--eval|-p)$/,
  "ts-node": /^(?:-e|--eval|-p)$/,
  ruby: /^-\w*e$/,
  perl: /^-\w*[eE]$/,
  php: /^(?:-r|-B|-R|-E)$/,
  lua: /^-e$/,
  luajit: /^-e$/,
  R: /^-e$/,
  octave: /^--eval$/,
  gnuplot: /^-e$/,
  raku: /^-e$/,
  erl: /^-eval$/,
  guile: /^-c$/,
  racket: /^-e$/,
  clojure: /^-e$/,
  clj: /^-e$/,
  bb: /^-e$/,
  sbcl: /^--eval$/,
  swift: /^-e$/,
  kotlin: /^-e$/,
  crystal: /^eval$/,
  ghc: /^-e$/,
  julia: /^(?:-e|-E|--eval)$/,
  Rscript: /^-e$/,
  osascript: /^-e$/,
  groovy: /^-e$/,
  elixir: /^(?:-e|--eval)$/,
  scala: /^-e$/,
  tclsh: /^never$/,
  emacs: /^--?(?:eval|execute)$/,
  emacsclient: /^(?:-e|--eval)$/,
  ipython: /^-c$/
}

const languageOf = (name: string): RegExp | undefined => {
  const plain = name.replace(/^(python|pypy)[\d.]+$/, "$1")
  return Object.hasOwn(languages, plain) ? languages[plain] : undefined
}

/** `rake -f /dev/stdin`: a rakefile is a program. */
const rakefileOf = (call: Call, texts: readonly string[]): string | undefined => {
  const at = texts.findIndex((text) => /^(?:-f|--rakefile)$/.test(text))
  return at < 0 ? undefined : scriptText(call, call.args[at + 1])
}

/** The text of a program, if this is an interpreter that is given one. */
export const programOf = (call: Call): string | undefined => {
  const { name } = call
  const texts = textsOf(call.args)
  if (/^g?m?awk$/.test(name)) return texts.find((text) => text.includes("{") || text.includes("system"))
  if (name === "rake") return rakefileOf(call, texts)
  const given = languageOf(name)
  if (given === undefined) return undefined
  const programs = texts.filter((_, at) => given.test(texts[at - 1] ?? ""))
  if (programs.length > 0) return programs.join("\n")
  const attached = texts.find((text) =>
    (name === "node" ? /^--(?:eval|print)=./ : /^(?:-[ce]|--eval=)./).test(text)
  )
  if (attached !== undefined) return attached.replace(/^(?:-[ce]|--\w+=)/, "")
  const script = texts.find((text) => !text.startsWith("-") || text === "-")
  return script === undefined || script === "-" || script === "/dev/stdin"
    ? standardInput(call)
    : writtenText(script, call.state)
}

/** Words that are known, as a shell would have to be given them. */
const asText = (texts: readonly string[]): string => texts.map(quoted).join(" ")

/** What `git bisect run` starts: all that stands behind it. */
const bisected = (texts: readonly string[]): readonly string[] => {
  const at = texts.findIndex((text, place) => text === "run" && texts[place - 1] === "bisect")
  return at < 0 ? [] : [asText(texts.slice(at + 1))]
}

/** Commands in the options of programs that are there for something else. */
export const optionCommands = (call: Call): readonly string[] => {
  const texts = textsOf(call.args)
  return [...optionPrograms(call.name, texts), ...toldLines(call, texts), ...commandsIn(call, texts)]
}

/** What an editor or a client of a database is told to start, on standard input or in an option. */
const toldLines = (call: Call, texts: readonly string[]): readonly string[] =>
  readsCommands(call.name)
    ? [...texts, standardInput(call) ?? ""].flatMap((text) => commandLines(call.name, text))
    : []

const commandsIn = (call: Call, texts: readonly string[]): readonly string[] => {
  const { budget } = call.state
  switch (call.name) {
    case "tar":
    case "gtar":
    case "bsdtar":
      return texts.flatMap((text, at) => {
        const inside =
          /^--(?:checkpoint-action=exec=|to-command=|use-compress-program=|rmt-command=|rsh-command=)(.+)/s.exec(
            text
          )?.[1]
        if (inside !== undefined) return [inside]
        if (/^--checkpoint-action$/.test(texts[at - 1] ?? "") && text.startsWith("exec="))
          return [text.slice(5)]
        return /^(?:-I|--to-command|--use-compress-program)$/.test(texts[at - 1] ?? "") ? [text] : []
      })
    case "sed":
    case "gsed":
      return texts.flatMap((given) => {
        const text = given.replace(/^(?:-[nErsuz]*e|--expression=)/, "")
        const alone = /^(?:\d*|\$|\/[^/]*\/)e\s+(.+)/s.exec(text)?.[1]
        const replaced = /^s(.)(?:(?!\1).)*\1((?:(?!\1).)*)\1\w*e\w*$/s.exec(text)?.[2]
        return [alone, replaced].filter((one) => one !== undefined)
      })
    case "vim":
    case "vi":
    case "nvim":
    case "ex":
    case "view":
    case "less":
    case "emacs":
      return texts.flatMap((text) => {
        const inside =
          /(?:^|[|:+ ])!\s*(.+)/s.exec(text)?.[1] ??
          /system\(["'](.+)["']\)/s.exec(text)?.[1] ??
          /shell-command "(.+)"/s.exec(text)?.[1]
        return inside === undefined ? [] : [inside]
      })
    case "make":
    case "gmake":
      return madeBy(call)
    case "just":
    case "task":
    case "go-task": {
      const recipe = givenRecipe(call)
      return recipe === undefined ? [] : [recipe]
    }
    case "at":
    case "batch": {
      const input = standardInput(call)
      return input === undefined ? [] : [input]
    }
    case "crontab": {
      const file = texts.at(-1)
      const input = file === "-" || file === undefined ? standardInput(call) : writtenText(file, call.state)
      return (input ?? "")
        .split("\n")
        .map((line) => line.replace(/^\s*(?:@\w+|(?:[\d*/,LW#?-]+\s+){5})\s*/, ""))
    }
    case "npm":
    case "npx":
    case "pnpm":
    case "yarn": {
      const at = texts.findIndex((text) => /^(?:-[a-zA-Z]*c|--call)$/.test(text))
      const inside = texts.flatMap((text) => /^--call=(.+)/s.exec(text)?.[1] ?? [])
      // What is put into a package's scripts is there to be run.
      const scripts = texts.flatMap((text) => /^scripts\.[\w:.-]+=(.+)/s.exec(text)?.[1] ?? [])
      return [...scripts, ...(at >= 0 && texts[at + 1] !== undefined ? [texts[at + 1] as string] : inside)]
    }
    case "script":
    case "sg":
    case "chokidar":
    case "flock":
    case "nix-shell":
    case "runuser":
    case "entr":
    case "hyperfine":
    case "nodemon":
    case "concurrently":
    case "wsl":
    case "adb":
      return texts.filter(
        (text, at) =>
          /^(?:-c|--command|--run|--exec|-x|--prepare)$/.test(texts[at - 1] ?? "") ||
          (/^(?:script|runuser|entr)$/.test(call.name) && /^-\w*[cs]$/.test(texts[at - 1] ?? "")) ||
          (/^(?:hyperfine|concurrently)$/.test(call.name) && /\s/.test(text))
      )
    case "gdb":
    case "lldb":
      return texts.flatMap((text) => /^(?:shell|!|platform shell)\s*(.+)/s.exec(text)?.[1] ?? [])
    case "git":
      return texts
        .flatMap((text, at) => {
          const [, alias = "", body = ""] = /^alias\.([\w-]+)=([^!].*)/s.exec(text) ?? []
          // Each of many aliases would be given all that stands behind it.
          const used = alias === "" || budget.left < 0 ? -1 : texts.indexOf(alias, at)
          if (used >= 0) {
            const line = `git ${body} ${asText(texts.slice(used + 1))}`
            budget.left -= line.length
            return [line]
          }
          const inside =
            /^(?:alias\.\w+=!|core\.(?:pager|editor|sshCommand|fsmonitor)=)(.+)/is.exec(text)?.[1] ??
            /^!(.+)/s.exec(text)?.[1]
          return inside !== undefined ? [inside] : []
        })
        .concat(
          texts.filter(
            (_, at) =>
              /^(?:--exec|-x|--tree-filter|--index-filter|--msg-filter)$/.test(texts[at - 1] ?? "") ||
              (texts[at - 1] === "foreach" && texts.includes("submodule"))
          ),
          bisected(texts)
        )
    case "ssh":
      return texts.flatMap((text) => /^(?:-o)?(?:ProxyCommand|LocalCommand)[= ](.+)/is.exec(text)?.[1] ?? [])
    case "env": {
      const at = texts.findIndex((text) => /^(?:-\w*S|--split-string)$/.test(text))
      const inside = texts.flatMap((text) => /^(?:-S|--split-string=)(.+)/s.exec(text)?.[1] ?? [])
      return at >= 0 ? [texts.slice(at + 1).join(" ")] : inside
    }
    case "ansible": {
      return texts.filter((_, at) => /^(?:-a|--args)$/.test(texts[at - 1] ?? ""))
    }
    case "rsync":
      return texts.flatMap((text, at) =>
        /^(?:-e|--rsh|--rsync-path)$/.test(texts[at - 1] ?? "") ? [text] : []
      )
    case "pwsh":
    case "powershell":
    case "powershell.exe":
    case "cmd":
    case "cmd.exe": {
      const told = powershellText(texts)
      const text = told === undefined || told === "-" ? standardInput(call) : told
      return text === undefined ? [] : [text.replaceAll("\\", "/"), ...powershellCommands(text)]
    }
    case "socat":
      return texts.flatMap(
        (text) => /^(?:exec|system|shell):(.+?)(?:,[\w-]+(?:=[^,]*)?)*$/is.exec(text)?.[1] ?? []
      )
    case "expect":
    case "tclsh":
      return [...texts, standardInput(call) ?? ""].flatMap((text) =>
        Array.from(
          text.matchAll(/(?:^|[;\n])[ \t]*(?:exec|spawn)[ \t]+([^\n;]+)/g),
          ([, inside = ""]) => inside
        )
      )
    default:
      return []
  }
}

export const isKnown = (text: string): boolean => text !== "" && text !== unknown
