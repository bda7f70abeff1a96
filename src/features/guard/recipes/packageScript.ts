/** Which script of a package npm, pnpm, yarn or bun starts, and what it is given. */
import {
  type CommandWords,
  hasOption,
  type Options,
  optionNames,
  readWords,
  valueOf
} from "./commandWords.ts"

export interface PackageScript {
  readonly words: CommandWords
  readonly folder: string | undefined
  readonly names: readonly string[]
  readonly args: readonly string[]
  readonly alone: boolean
}

/** With each, the scripts that it runs. */
const lifecycles: Readonly<Record<string, readonly string[]>> = {
  test: ["test"],
  t: ["test"],
  tst: ["test"],
  start: ["start"],
  stop: ["stop"],
  restart: ["restart"],
  install: ["install", "prepare"],
  i: ["install", "prepare"],
  ci: ["install", "prepare"],
  it: ["install", "prepare", "test"],
  cit: ["install", "prepare", "test"],
  "install-test": ["install", "prepare", "test"],
  "install-ci-test": ["install", "prepare", "test"]
}
const installs = /^(?:install|i|ci)$/

/** What the others call their own: anything else that they are told is a script. */
const ownVerbs = new Set(
  (
    "add remove rm uninstall install i ci update up upgrade dlx exec x create init why list ls outdated audit publish pack link unlink store config " +
    "cache info view login logout dedupe import rebuild prune set workspace workspaces global node npm pm patch plugin constraints version help deploy fetch approve-builds"
  ).split(" ")
)
const runs = /^(?:run|run-script|rum|urn)$/
const ofBun = /^(?:test|build|repl)$/

const isVerb = (text: string): boolean =>
  runs.test(text) || Object.hasOwn(lifecycles, text) || ownVerbs.has(text)

/** Whether these are all that a manager takes for its own: what follows is the script's. npm takes options wherever they stand. */
const endsOwn = ([verb = "", name]: readonly string[]): boolean =>
  runs.test(verb) ? name !== undefined : !ownVerbs.has(verb)

interface Manager {
  readonly options: Options
  /** It runs nothing then, or in other packages. */
  readonly elsewhere: ReadonlySet<string>
}

const common = "prefix registry cache loglevel"
const managers: Readonly<Record<string, Manager>> = {
  npm: {
    options: {
      letters: "wC",
      longs:
        `${common} workspace userconfig globalconfig script-shell tag otp omit include node-options before scope`.split(
          " "
        ),
      isVerb
    },
    elsewhere: optionNames("w workspace workspaces h ? help usage v version")
  },
  pnpm: {
    options: {
      letters: "CF",
      longs:
        `${common} dir filter filter-prod reporter store-dir modules-dir virtual-store-dir workspace-concurrency network-concurrency use-node-version package-import-method resume-from`.split(
          " "
        ),
      isVerb,
      stops: endsOwn
    },
    elsewhere: optionNames("r recursive F filter filter-prod w workspace-root h help v version g global")
  },
  yarn: {
    options: {
      letters: "",
      longs: `${common} cwd cache-folder modules-folder mutex network-timeout use-yarnrc`.split(" "),
      isVerb,
      stops: endsOwn
    },
    elsewhere: optionNames("h help v version")
  },
  bun: {
    options: {
      letters: "crF",
      longs: `${common} cwd config preload env-file filter shell elide-lines`.split(" "),
      isVerb,
      stops: endsOwn
    },
    elsewhere: optionNames("F filter workspaces h help v version")
  }
}

const withoutScripts = optionNames("ignore-scripts")
const global = optionNames("g global")

/** The scripts' names, and what the last of them is given. */
const scriptsOf = (
  manager: string,
  [verb = "", ...rest]: readonly string[]
): readonly [names: readonly string[], args: readonly string[]] => {
  if (runs.test(verb)) return [rest.slice(0, 1), rest.slice(1)]
  if (Object.hasOwn(lifecycles, verb) && !(manager === "bun" && verb === "test"))
    // With a package behind it, that is what is installed.
    return installs.test(verb) && rest.length > 0 ? [[], []] : [lifecycles[verb] ?? [], rest]
  const isScript = manager !== "npm" && /^[\w:-]+$/.test(verb) && !ownVerbs.has(verb)
  return isScript && !(manager === "bun" && ofBun.test(verb)) ? [[verb], rest] : [[], []]
}

/** What is no word of the manager's own: a script, or a program of a package. */
export const packagedProgram = (name: string, texts: readonly string[]): string | undefined => {
  const manager = Object.hasOwn(managers, name) ? managers[name] : undefined
  const [verb] = manager === undefined ? [] : readWords(texts, manager.options).operands
  return verb === undefined || isVerb(verb) ? undefined : verb
}

export const packageScript = (name: string, texts: readonly string[]): PackageScript | undefined => {
  const manager = Object.hasOwn(managers, name) ? managers[name] : undefined
  if (manager === undefined) return undefined
  const words = readWords(texts, manager.options)
  if (hasOption(words, manager.elsewhere)) return undefined
  const [names, args] = scriptsOf(name, words.operands)
  const alone = hasOption(words, withoutScripts)
  const isInstall = installs.test(words.operands[0] ?? "")
  if (names.length === 0 || (isInstall && (alone || hasOption(words, global)))) return undefined
  const folder = valueOf(words, "-C", "--prefix", "--cwd", "--dir")
  return { words, folder, names, args: [...args, ...words.behind], alone }
}
