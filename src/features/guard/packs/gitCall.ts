/** How git is called: its command, what stands behind it, where it works, and what is set for it alone. */
import { type Call, type Options, readOptions, textsOf } from "../Call.ts"
import type { Argument } from "../expand.ts"
import { absolute } from "../paths.ts"
import { handedSettings } from "../runVariables.ts"
import { unknown } from "../script.ts"
import { valuesOf } from "../shellState.ts"

/** Options of git itself, before its command, that take a value. */
const valued = new Set(
  "-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env --attr-source".split(" ")
)

export interface Git {
  readonly call: Call
  readonly verb: string
  readonly args: readonly Argument[]
  readonly texts: readonly string[]
  readonly options: Options
  /** Where it works, where that can be told. */
  readonly folder: string | undefined
  /** What is set for this one command: `name=value`. */
  readonly settings: readonly string[]
}

/** `GIT_CONFIG_KEY_0=… GIT_CONFIG_VALUE_0=…`, set earlier in the line or in front of the command. */
const settingsInVariables = ({ variables }: Call["state"]): readonly string[] => [
  ...handedSettings(variables.get("GIT_CONFIG_PARAMETERS")?.[0] ?? ""),
  ...(variables.has("GIT_CONFIG_KEY_0")
    ? [...variables.keys()].flatMap((name) => {
        const [, at] = /^GIT_CONFIG_KEY_(\d+)$/.exec(name) ?? []
        return at === undefined
          ? []
          : [`${variables.get(name)?.[0]}=${variables.get(`GIT_CONFIG_VALUE_${at}`)?.[0]}`]
      })
    : [])
]

/** Whether a variable takes git to files that are not those of the directory that it is started in. */
const leadsElsewhere = (name: string, own: string, call: Call, folder: string | undefined): boolean =>
  (call.state.variables.get(name) ?? []).some((value) => {
    const path =
      value === "" || value.includes(unknown) ? undefined : absolute(value, { ...call.state, cwd: folder })
    return (
      value !== "" &&
      (path === undefined || ![folder, call.state.place.project].some((one) => path === `${one}${own}`))
    )
  })

/** Where git works: nobody can tell, where a variable or a setting names another place. */
const worksIn = (folder: string | undefined, settings: readonly string[], call: Call): string | undefined =>
  leadsElsewhere("GIT_WORK_TREE", "", call, folder) ||
  leadsElsewhere("GIT_DIR", "/.git", call, folder) ||
  settings.some((setting) => /^core\.worktree=/i.test(setting))
    ? undefined
    : folder

/** `-c name=value`, `--config-env=name=VARIABLE`. */
const settingsIn = (option: string, next: string, state: Call["state"]): readonly string[] => {
  const setting = option === "-c" ? next : /^-c(.+=.*)$/s.exec(option)?.[1]
  if (setting !== undefined) return [setting]
  const named = option === "--config-env" ? next : /^--config-env=(.+)$/s.exec(option)?.[1]
  const [, name, variable = ""] = /^(.+)=(\w+)$/s.exec(named ?? "") ?? []
  return name === undefined ? [] : [`${name}=${valuesOf(state, variable)?.[0] ?? unknown}`]
}

export const readGit = (call: Call): Git | undefined => {
  const texts = textsOf(call.args)
  let at = 0
  let folder = call.state.cwd
  const settings = [...settingsInVariables(call.state)]
  while (texts[at]?.startsWith("-")) {
    const given = texts[at + 1] ?? ""
    if (texts[at] === "-C") folder = given.includes(unknown) ? undefined : absolute(given, call.state)
    settings.push(...settingsIn(texts[at] as string, given, call.state))
    if (/^--(?:git-dir|work-tree)/.test(texts[at] as string)) folder = undefined
    at += valued.has(texts[at] as string) ? 2 : 1
  }
  const verb = texts[at]
  if (verb === undefined) return undefined
  const args = call.args.slice(at + 1)
  return {
    call,
    verb,
    args,
    texts: textsOf(args),
    options: readOptions(args, verb === "push" ? "o" : ""),
    folder: worksIn(folder, settings, call),
    settings
  }
}

/** Git takes a long option that is cut short for the whole one. */
export const has = ({ options }: Git, ...flags: readonly string[]): boolean =>
  flags.some((flag) => options.flags.has(flag)) ||
  [...options.flags].some((given) => given.length > 4 && flags.some((flag) => flag.startsWith(given)))
