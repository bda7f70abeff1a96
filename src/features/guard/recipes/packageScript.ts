/** Which script of a package npm, pnpm, yarn or bun starts, and what it is given. */

import {
  type CommandWords,
  hasOption,
  type Options,
  optionNames,
  readWords,
  valueOf
} from "./commandWords.ts"
import { isOn, npmValues } from "./npmValues.ts"
import type { Reach } from "./Recipe.ts"

export interface PackageScript {
  readonly folder: string | undefined
  readonly names: readonly string[]
  readonly args: readonly string[]
  readonly alone: boolean
  readonly reach?: Reach | undefined
  /** Words for the packages that it is started in. */
  readonly chosen: readonly string[]
  /** What scripts find set of the options, `key=value`. */
  readonly config: readonly string[]
}

/** With each, the scripts that it runs. */
const lifecycles: Readonly<Record<string, readonly string[]>> = {
  test: ["test"],
  t: ["test"],
  tst: ["test"],
  start: ["start"],
  stop: ["stop"],
  restart: ["restart", "stop", "start"],
  version: ["version"],
  pack: ["prepack", "prepare", "postpack"],
  publish: ["prepublishOnly", "prepack", "prepare", "postpack", "publish"],
  install: ["install", "prepare"],
  i: ["install", "prepare"],
  ci: ["install", "prepare"],
  it: ["install", "prepare", "test"],
  cit: ["install", "prepare", "test"],
  "install-test": ["install", "prepare", "test"],
  "install-ci-test": ["install", "prepare", "test"]
}
const installs = /^(?:install|i|ci)$/
/** What is given to these is not for their scripts. */
const keepsArguments = /^(?:version|pack|publish)$/

/** What the others call their own: anything else that they are told is a script. */
const ownVerbs = new Set(
  (
    "add remove rm uninstall install i ci update up upgrade dlx exec x create init why list ls outdated audit publish pack link unlink store config " +
    "cache info view login logout dedupe import rebuild prune set workspace workspaces recursive multi m global node npm pm patch plugin constraints version help deploy fetch approve-builds"
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
  /** It runs nothing then. */
  readonly shows: ReadonlySet<string>
  /** It runs in each package of the workspace then, or in those that the option's value names. */
  readonly inPackages: ReadonlySet<string>
}

/** `-ws` and `-iwr` are no letters. */
const inFull = (texts: readonly string[]): readonly string[] =>
  texts.map((text) => (text === "-ws" ? "--workspaces" : text === "-iwr" ? "--include-workspace-root" : text))

const common = "prefix registry cache loglevel"
const managers: Readonly<Record<string, Manager>> = {
  npm: {
    options: {
      letters: "wC",
      longs: npmValues,
      isVerb
    },
    shows: optionNames("h ? help usage v version"),
    inPackages: optionNames("w workspace workspaces")
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
    shows: optionNames("h help v version g global"),
    inPackages: optionNames("r recursive F filter filter-prod")
  },
  yarn: {
    options: {
      letters: "",
      longs: `${common} cwd cache-folder modules-folder mutex network-timeout use-yarnrc`.split(" "),
      isVerb,
      stops: endsOwn
    },
    shows: optionNames("h help v version"),
    inPackages: new Set()
  },
  bun: {
    options: {
      letters: "crF",
      longs: `${common} cwd config preload env-file filter shell elide-lines`.split(" "),
      isVerb,
      stops: endsOwn
    },
    shows: optionNames("h help v version"),
    inPackages: optionNames("F filter workspaces")
  }
}

const withoutScripts = optionNames("ignore-scripts")
const global = optionNames("g global")

/** The scripts' names, and what the last of them is given. */
const scriptsOf = (
  manager: string,
  [verb = "", ...rest]: readonly string[]
): readonly [names: readonly string[], args: readonly string[]] => {
  // Alone, yarn installs.
  if (verb === "") return [manager === "yarn" ? (lifecycles["install"] ?? []) : [], []]
  if (runs.test(verb)) return [rest.slice(0, 1), rest.slice(1)]
  if (Object.hasOwn(lifecycles, verb) && !(manager === "bun" && verb === "test"))
    // With a package behind it, that is what is installed.
    return installs.test(verb) && rest.length > 0
      ? [[], []]
      : [lifecycles[verb] ?? [], keepsArguments.test(verb) ? [] : rest]
  const isScript = manager !== "npm" && /^[\w:.*/^$-]+$/.test(verb) && !ownVerbs.has(verb)
  return isScript && !(manager === "bun" && ofBun.test(verb)) ? [[verb], rest] : [[], []]
}

/** What is no word of the manager's own: a script, or a program of a package. */
export const packagedProgram = (name: string, texts: readonly string[]): string | undefined => {
  const manager = Object.hasOwn(managers, name) ? managers[name] : undefined
  const [verb] = manager === undefined ? [] : readWords(texts, manager.options).operands
  return verb === undefined || isVerb(verb) ? undefined : verb
}

const rootOnly = optionNames("w workspace-root")
const withRoot = optionNames("include-workspace-root")

/** Behind the word for several packages stands what is done in each: the words that choose some, and what is left. */
const inEach = (
  name: string,
  texts: readonly string[]
): { readonly texts: readonly string[]; readonly chosen: readonly string[] } | undefined => {
  const at = texts.findIndex((text) => !text.startsWith("-"))
  const [verb = "", next = "", ...rest] = at < 0 ? [] : texts.slice(at)
  const before = texts.slice(0, Math.max(0, at))
  if (name === "pnpm" && /^(?:recursive|multi|m)$/.test(verb))
    return { texts: [...before, next, ...rest], chosen: [] }
  if (name !== "yarn") return undefined
  if (verb === "workspace") return { texts: rest, chosen: [next] }
  if (verb !== "workspaces") return undefined
  if (next === "run") return { texts: [next, ...rest], chosen: [] }
  const run = next === "foreach" ? rest.findIndex((text) => runs.test(text)) : -1
  return run < 0 ? undefined : { texts: rest.slice(run), chosen: [] }
}

/** Of the others the value only says whether. */
const hasNames = /^(?:-[wF]|--workspace|--filter(?:-prod)?)$/

interface InPackages {
  readonly reach?: Reach
  readonly chosen: readonly string[]
}

const inPackages = (name: string, words: CommandWords, { inPackages: names }: Manager): InPackages => {
  if (name === "pnpm" && hasOption(words, rootOnly)) return { reach: "root", chosen: [] }
  if (!hasOption(words, names)) return { chosen: [] }
  const told = words.options.filter((one) => names.has(one.name))
  const isEach = told.some(
    ({ name: one, value }) => value === undefined || (!hasNames.test(one) && isOn(value))
  )
  const chosen = told.flatMap(({ name: one, value }) => (hasNames.test(one) && isOn(value) ? [value] : []))
  if (!isEach && chosen.length === 0) return { chosen: [] }
  return { reach: "all", chosen: isEach || hasOption(words, withRoot) ? [] : chosen }
}

/** Options that a manager does not know, or whose value only its scripts use. */
const configOf = (
  texts: readonly string[],
  { behind }: CommandWords,
  { options: { longs } }: Manager
): readonly string[] => {
  const own = texts.slice(0, texts.length - behind.length)
  return own.flatMap((text, at) => {
    const [, key = "", value] = /^--([\w-]+)(?:=(.*))?$/s.exec(text) ?? []
    const isOwn = longs.includes(key) && key !== "script-shell"
    if (key === "" || isOwn || /^(?:if-present|silent|workspaces)$/.test(key)) return []
    const next = own[at + 1] ?? ""
    return [`${key}=${value ?? (next === "" || next.startsWith("-") ? "true" : next)}`]
  })
}

export const packageScript = (name: string, given: readonly string[]): PackageScript | undefined => {
  const manager = Object.hasOwn(managers, name) ? managers[name] : undefined
  if (manager === undefined) return undefined
  const each = inEach(name, given)
  const texts = inFull(each?.texts ?? given)
  const words = readWords(texts, manager.options)
  if (hasOption(words, manager.shows)) return undefined
  const [names, args] = scriptsOf(name, words.operands)
  const alone = hasOption(words, withoutScripts)
  const [verb = ""] = words.operands
  const isInstall = verb === "" || installs.test(verb)
  if (names.length === 0 || (isInstall && (alone || hasOption(words, global)))) return undefined
  const told = inPackages(name, words, manager)
  const { chosen, reach } = each === undefined ? told : { chosen: each.chosen, reach: "all" as const }
  return {
    folder: valueOf(words, "-C", "--prefix", "--cwd", "--dir"),
    names,
    args: [...args, ...words.behind],
    alone,
    reach: reach ?? (isInstall ? "declared" : undefined),
    chosen,
    config: configOf(texts, words, manager)
  }
}
