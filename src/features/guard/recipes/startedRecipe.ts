/** Which recipe of which file a command starts: `npm run x`, `make x`, `just x`, `task x`. */
import { type Call, textsOf } from "../Call.ts"
import { absolute, placesOf } from "../paths.ts"
import { unknown } from "../script.ts"
import {
  type CommandWords,
  hasOption,
  type Options,
  optionNames,
  readWords,
  valueOf
} from "./commandWords.ts"
import { packageScript } from "./packageScript.ts"
import type { Reach, Recipe } from "./Recipe.ts"
import { scriptsByOthers } from "./scriptRunners.ts"

export interface StartedRecipe {
  /** Each that is searched for it. */
  readonly folders: readonly string[]
  readonly recipe: Recipe
  /** What the recipe itself is given. */
  readonly args: readonly string[]
}

interface Told {
  readonly kind: Recipe["kind"]
  readonly names: readonly string[]
  readonly args?: readonly string[]
  readonly folder?: string | undefined
  readonly file?: string | undefined
  readonly alone?: boolean
  readonly reach?: Reach | undefined
  readonly chosen?: readonly string[]
  readonly config?: readonly string[]
  readonly npm?: boolean
}

const isSetting = (text: string): boolean => /^[\w.]+[:?+]*=/.test(text)

const deno: Options = {
  letters: "c",
  longs: ["config", "cwd"],
  stops: (operands) => operands.length === 2
}
const denoElsewhere = optionNames("h help f filter r recursive")

const composer: Options = { letters: "d", longs: ["working-dir", "timeout"] }
const composerShows = optionNames("h help l list V version")

const make: Options = {
  letters: "CfIoWE",
  attached: "jlO",
  longs: [
    "directory",
    "file",
    "makefile",
    "include-dir",
    "eval",
    "old-file",
    "assume-old",
    "what-if",
    "new-file"
  ]
}
const makeShows = optionNames("n q t h v dry-run just-print recon question touch help version")

const just: Options = {
  letters: "fdE",
  longs: ["justfile", "working-directory", "dotenv-path", "dotenv-filename", "shell", "color", "chooser"],
  stops: (operands) => !isSetting(operands.at(-1) ?? "")
}
const justShows = optionNames(
  "n l s e g h V dry-run list show summary dump choose evaluate fmt help version init edit global-justfile variables completions man"
)

const task: Options = {
  letters: "dtCoI",
  longs: ["dir", "taskfile", "concurrency", "output", "interval", "sort"]
}
const taskShows = optionNames("n l a j i g h dry list list-all summary status help version init json global")

/** `--set x y` is `x=y`. */
const withSettings = (texts: readonly string[]): readonly string[] => {
  const at = texts.indexOf("--set")
  const [name, value, ...rest] = at < 0 ? [] : texts.slice(at + 1)
  return name === undefined || value === undefined
    ? texts
    : [...texts.slice(0, at), `${name}=${value}`, ...withSettings(rest)]
}

const byPackage = (name: string, texts: readonly string[]): Told | undefined => {
  const found = packageScript(name, texts)
  return found && { kind: "package", ...found, npm: name === "npm" }
}

const told = (
  texts: readonly string[],
  options: Options,
  shows: ReadonlySet<string>,
  as: (words: CommandWords) => Told | undefined
): Told | undefined => {
  const words = readWords(texts, options)
  return hasOption(words, shows) ? undefined : as(words)
}

/** They have npm run each script. */
const callsNpm = /^(?:run-[sp]|npm-run-all2?|conc(?:urrently)?|nr)$/

const ofAll = /^npm_config_(script_shell)$/i
const ofNpm = /^npm_config_(workspaces?|script_shell)$/i

/** What is set for a package manager is told to it in other words. */
const setAsOptions = ({ name: manager, set = [], state }: Call): readonly string[] => {
  const managerSetting = manager === "npm" ? ofNpm : ofAll
  const known = [
    ...Object.entries(state.place.environment ?? {}).map(([name, value = ""]) => `${name}=${value}`),
    ...[...state.variables].map(([name, [value = ""]]) => `${name}=${value}`)
  ]
  return [...known, ...textsOf(set)].flatMap((text) => {
    const at = text.indexOf("=")
    const [, name] = managerSetting.exec(text.slice(0, Math.max(0, at))) ?? []
    return name === undefined ? [] : [`--${name.toLowerCase().replaceAll("_", "-")}=${text.slice(at + 1)}`]
  })
}

const toldBy = (call: Call): Told | undefined => {
  const { args, by, name, path = "" } = call
  const texts = textsOf(args)
  // Of `yarn run x` only `x` is left.
  if (by === "yarn" && /^[\w:-]+$/.test(path)) return { kind: "package", names: [path], args: texts }
  switch (name) {
    case "npm":
    case "pnpm":
    case "yarn":
    case "bun":
      return byPackage(name, [...setAsOptions(call), ...texts])
    case "node": {
      const at = texts.indexOf("--run")
      const run = at < 0 ? undefined : byPackage("npm", ["run", ...texts.slice(at + 1)])
      return run && { ...run, npm: false }
    }
    case "deno":
      return told(texts, deno, denoElsewhere, (words) =>
        words.operands[0] === "task"
          ? {
              kind: "deno",
              names: words.operands.slice(1),
              args: words.behind,
              folder: valueOf(words, "--cwd")
            }
          : undefined
      )
    case "composer":
      return told(texts, composer, composerShows, (words) => {
        const [verb = "", second = ""] = words.operands
        return {
          kind: "composer",
          names: [/^run(?:-script)?$/.test(verb) ? second : verb],
          folder: valueOf(words, "-d", "--working-dir")
        }
      })
    case "make":
    case "gmake":
      return told(texts, make, makeShows, (words) => ({
        kind: "make",
        names: [...words.operands, ...words.behind],
        folder: valueOf(words, "-C", "--directory"),
        file: valueOf(words, "-f", "--file", "--makefile")
      }))
    case "just":
      return told(withSettings(texts), just, justShows, (words) => {
        const names = [...words.operands, ...words.behind]
        // `just sub/x` is x of the file there.
        const [, sub] = isSetting(names[0] ?? "") ? [] : (/^(.*\/)[\w:-]*$/.exec(names[0] ?? "") ?? [])
        return {
          kind: "just",
          names:
            sub === undefined
              ? names
              : [names[0]?.slice(sub.length) ?? "", ...names.slice(1)].filter(Boolean),
          folder: sub ?? valueOf(words, "-d", "--working-directory"),
          file: valueOf(words, "-f", "--justfile")
        }
      })
    case "task":
    case "go-task":
      return told(texts, task, taskShows, (words) => ({
        kind: "task",
        names: words.operands,
        args: words.behind,
        folder: valueOf(words, "-d", "--dir"),
        file: valueOf(words, "-t", "--taskfile")
      }))
    default: {
      const found = scriptsByOthers(name, texts)
      return found && { kind: "package", ...found, npm: callsNpm.test(name) }
    }
  }
}

/** Make never goes where its file lies; of the others some do not where they are told a folder besides. */
const stays = ({ file, folder, kind }: Told): boolean =>
  kind === "make" || (folder !== undefined && (kind === "deno" || file !== undefined))

/** What is set, and what is started. Behind the name of a recipe of just stand its own words. */
const split = ({ kind, names }: Told) => {
  const first = names.findIndex((name) => !isSetting(name))
  const at = kind === "just" && first >= 0 ? first : names.length
  const own = names.slice(0, at)
  return {
    set: own.filter(isSetting),
    names: [...own.filter((name) => !isSetting(name)), ...names.slice(at)]
  }
}

const isKnown = (text: string): boolean => !text.includes(unknown)

/** Undefined where nobody can tell which it is. Of what it is given some may be left to the run. */
export const startedRecipe = (call: Call): StartedRecipe | undefined => {
  const found = toldBy(call)
  if (found === undefined) return undefined
  const { alone, args = [], kind } = found
  const { names, set } = split(found)
  const known = kind === "just" ? (isKnown(names[0] ?? "") ? names : []) : names.filter(isKnown)
  if (known.length === 0 && names.length > 0) return undefined
  // Only make goes to the folder first, and looks for the file from there.
  const file =
    found.file === undefined || kind === "make" ? found.file : (absolute(found.file, call.state) ?? unknown)
  const folders = placesOf(found.folder ?? ".", call.state)
  if (folders.length === 0 || !folders.every(isKnown) || !isKnown(file ?? "")) return undefined
  const { chosen = [], config = [], reach } = found
  const recipe: Recipe = {
    kind,
    names: known,
    ...(file === undefined ? {} : { file }),
    ...(stays(found) ? { stays: true as const } : {}),
    ...(set.length > 0 ? { set } : {}),
    ...(alone === true ? { alone: true as const } : {}),
    ...(found.npm === true ? { npm: true as const } : {}),
    ...(reach === undefined ? {} : { reach }),
    ...(chosen.length > 0 ? { chosen } : {}),
    ...(config.length > 0 ? { config } : {})
  }
  return { folders, recipe, args }
}
