/** Which recipe of which file a command starts: `npm run x`, `make x`, `just x`, `task x`. */
import { type Call, textsOf } from "../Call.ts"
import { absolute } from "../paths.ts"
import { unknown } from "../script.ts"
import type { Recipe } from "./Recipe.ts"

export interface StartedRecipe {
  readonly folder: string
  readonly recipe: Recipe
  /** What the recipe itself is given. */
  readonly args: readonly string[]
}

interface Words {
  readonly operands: readonly string[]
  /** What the options that name a folder or a file say. */
  readonly folder: string | undefined
  readonly file: string | undefined
  /** Behind `--`. */
  readonly behind: readonly string[]
}

interface Options {
  /** With their value in the next word, or behind `=`. */
  readonly valued: RegExp
  readonly folder: RegExp
  readonly file?: RegExp
}

const valueOf = (text: string, next: string | undefined, option: RegExp): string | undefined => {
  const [found] = option.exec(text) ?? []
  if (found === undefined) return undefined
  const rest = text.slice(found.length)
  return rest === "" ? next : rest.replace(/^=/, "")
}

const readWords = (texts: readonly string[], { file, folder, valued }: Options): Words => {
  const operands: string[] = []
  let [inFolder, ofFile]: (string | undefined)[] = []
  const end = texts.indexOf("--")
  const own = end < 0 ? texts : texts.slice(0, end)
  for (let at = 0; at < own.length; at++) {
    const text = own[at] as string
    if (!text.startsWith("-")) {
      operands.push(text)
      continue
    }
    inFolder ??= valueOf(text, own[at + 1], folder)
    ofFile ??= file && valueOf(text, own[at + 1], file)
    if (valued.test(text)) at++
  }
  return { operands, folder: inFolder, file: ofFile, behind: end < 0 ? [] : texts.slice(end + 1) }
}

const ofPackages: Options = {
  valued: /^(?:-C|--prefix|--cwd|--dir)$/,
  folder: /^(?:-C|--(?:prefix|cwd|dir)(?==|$))/
}
/** Another folder is meant then, or nothing of the package runs. */
const elsewhere =
  /^(?:-w|-ws|-r|-F|--workspaces?(?:=.*)?|--recursive|--filter(?:=.*)?|--ignore-scripts|-h|--help|-g|--global)$/

const lifecycles: Readonly<Record<string, readonly string[]>> = {
  test: ["test"],
  t: ["test"],
  tst: ["test"],
  start: ["start"],
  stop: ["stop"],
  restart: ["restart"],
  install: ["install", "prepare"],
  i: ["install", "prepare"],
  ci: ["install", "prepare"]
}

/** What the others call their own: anything else that they are told is a script. */
const ownVerbs = new Set(
  (
    "add remove rm uninstall install i ci update up upgrade dlx exec x create init why list ls outdated audit publish pack link unlink store config " +
    "cache info view login logout dedupe import rebuild prune set workspace workspaces global node npm pm patch plugin constraints version help deploy fetch approve-builds"
  ).split(" ")
)
const runs = /^(?:run|run-script|rum|urn)$/

const ofPackage = (
  name: string,
  operands: readonly string[]
): readonly [names: readonly string[], args: readonly string[]] => {
  const [verb = "", ...rest] = operands
  if (runs.test(verb)) return [rest.slice(0, 1), rest.slice(1)]
  if (Object.hasOwn(lifecycles, verb) && !(name === "bun" && verb === "test"))
    // With a package behind it, that is what is installed.
    return verb.includes("i") && rest.length > 0 ? [[], []] : [lifecycles[verb] ?? [], rest]
  const isScript = name !== "npm" && /^[\w:-]+$/.test(verb) && !ownVerbs.has(verb)
  return isScript && !(name === "bun" && /^(?:test|build|repl)$/.test(verb)) ? [[verb], rest] : [[], []]
}

const isDry = (texts: readonly string[], dry: RegExp): boolean => texts.some((text) => dry.test(text))

const isSetting = (text: string): boolean => /^[\w.]+[:?+]*=/.test(text)

/** Make never goes where its file lies; of the others some do not where they are told a folder besides. */
const stays = (kind: Recipe["kind"], { file, folder }: Words): boolean =>
  kind === "make" || (folder !== undefined && (kind === "deno" || file !== undefined))

const told = (kind: Recipe["kind"], words: Words, names: readonly string[], args: readonly string[]) => ({
  folder: words.folder,
  args,
  recipe: {
    kind,
    names: names.filter((name) => !isSetting(name)),
    ...(words.file === undefined ? {} : { file: words.file }),
    ...(stays(kind, words) ? { stays: true as const } : {}),
    ...(names.some(isSetting) ? { set: names.filter(isSetting) } : {})
  }
})

type Told = ReturnType<typeof told>

const byPackages = (name: string, texts: readonly string[]): Told | undefined => {
  const words = readWords(texts, ofPackages)
  if (isDry(texts.slice(0, texts.length - words.behind.length), elsewhere)) return undefined
  const [names, args] = ofPackage(name, words.operands)
  return names.length === 0 ? undefined : told("package", words, names, [...args, ...words.behind])
}

const toldBy = ({ args, by, name, path = "" }: Call): Told | undefined => {
  const texts = textsOf(args)
  // Of `yarn run x` only `x` is left.
  if (by === "yarn" && /^[\w:-]+$/.test(path))
    return told("package", readWords([], ofPackages), [path], texts)
  switch (name) {
    case "npm":
    case "pnpm":
    case "yarn":
    case "bun":
      return byPackages(name, texts)
    case "run-s":
    case "run-p":
    case "npm-run-all":
      return told(
        "package",
        readWords([], ofPackages),
        texts.filter((text) => !text.startsWith("-")),
        []
      )
    case "node": {
      const at = texts.indexOf("--run")
      return at < 0 ? undefined : byPackages("npm", ["run", ...texts.slice(at + 1)])
    }
    case "deno": {
      const words = readWords(texts, { valued: /^(?:-c|--config|--cwd)$/, folder: /^--cwd/ })
      return words.operands[0] === "task"
        ? told("deno", words, words.operands.slice(1, 2), words.operands.slice(2))
        : undefined
    }
    case "composer": {
      const words = readWords(texts, { valued: /^(?:-d|--working-dir)$/, folder: /^(?:-d|--working-dir)/ })
      const [verb = "", second = ""] = words.operands
      return told("composer", words, [/^run(?:-script)?$/.test(verb) ? second : verb], [])
    }
    case "make":
    case "gmake": {
      if (isDry(texts, /^(?:-[a-zA-Z]*[nqt]|--(?:dry-run|just-print|recon|question|touch|help|version))$/))
        return undefined
      const words = readWords(texts, {
        valued: /^(?:-[CfIoWE]|--(?:directory|file|makefile|include-dir|eval))$/,
        folder: /^(?:-C|--directory)/,
        file: /^(?:-f|--(?:file|makefile))/
      })
      return told("make", words, words.operands, [])
    }
    case "just": {
      if (
        isDry(
          texts,
          /^(?:-n|-l|-s|--(?:dry-run|list|show|summary|dump|choose|evaluate|fmt|help|version|init|edit))$/
        )
      )
        return undefined
      const words = readWords(texts, {
        valued: /^(?:-[fd]|--(?:justfile|working-directory))$/,
        folder: /^(?:-d|--working-directory)/,
        file: /^(?:-f|--justfile)/
      })
      return told("just", words, [...words.operands, ...words.behind], [])
    }
    case "task":
    case "go-task": {
      if (isDry(texts, /^(?:-n|-l|-a|--(?:dry|list|list-all|summary|status|help|version|init))$/))
        return undefined
      const words = readWords(texts, {
        valued: /^(?:-[dt]|--(?:dir|taskfile))$/,
        folder: /^(?:-d|--dir)/,
        file: /^(?:-t|--taskfile)/
      })
      return told("task", words, words.operands, words.behind)
    }
    default:
      return undefined
  }
}

/** Only where every word of it is known. */
export const startedRecipe = (call: Call): StartedRecipe | undefined => {
  const found = toldBy(call)
  if (found === undefined) return undefined
  const { args } = found
  // Only make goes to the folder first, and looks for the file from there.
  const file =
    found.recipe.file === undefined || found.recipe.kind === "make"
      ? found.recipe.file
      : (absolute(found.recipe.file, call.state) ?? unknown)
  const recipe: Recipe = { ...found.recipe, ...(file === undefined ? {} : { file }) }
  const folder = absolute(found.folder ?? ".", call.state)
  const all = [...args, ...recipe.names, ...(recipe.set ?? []), recipe.file ?? "", folder ?? unknown]
  return folder === undefined || all.some((text) => text.includes(unknown))
    ? undefined
    : { folder, recipe, args }
}
