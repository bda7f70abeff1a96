/**
 * The environment of a program that works on a repository's files: where things lie, and how the user wants to be spoken to.
 * Everything else stays out, since the agent settings of a repository can set any variable: NODE_OPTIONS, LD_PRELOAD, PYTHONPATH,
 * BIOME_BINARY and their like load code into whatever starts.
 */
import { delimiter, dirname, isAbsolute } from "node:path"
import { callEnvironment, type Environment } from "../state/callEnvironment.ts"
import { realPlace, rootsOf } from "../state/userFolder.ts"
import { isShifting, isWithin } from "../state/within.ts"
import { programsOnPath } from "./programOnPath.ts"
import { repositoryAbove } from "./repositoryAbove.ts"

const texts = /^(USER|LOGNAME|USERNAME|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLORTERM|NO_COLOR|PATHEXT)$/

/** Folders: what they hold is used as programs or as settings. */
const folders =
  /^(HOME|USERPROFILE|TMPDIR|TEMP|TMP|XDG_(CONFIG|CACHE|DATA|STATE)_HOME|XDG_RUNTIME_DIR|SYSTEMROOT|WINDIR|SYSTEMDRIVE|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES(\(X86\))?|RUSTUP_HOME|CARGO_HOME|PYENV_ROOT|RBENV_ROOT|NODENV_ROOT|ASDF_DIR|ASDF_DATA_DIR|MISE_DATA_DIR|VOLTA_HOME|NVM_DIR|FNM_DIR|JAVA_HOME|GOROOT)$/

/**
 * For a program that needs the rest of its environment, such as keys of the user's: the variables by which runtimes and linkers load
 * code, made empty, which each of them takes for not set.
 */
export const withoutLoaders = {
  NODE_OPTIONS: "",
  NODE_PATH: "",
  LD_PRELOAD: "",
  LD_AUDIT: "",
  LD_LIBRARY_PATH: "",
  DYLD_INSERT_LIBRARIES: "",
  DYLD_LIBRARY_PATH: "",
  BASH_ENV: "",
  ENV: "",
  PYTHONPATH: "",
  RUBYOPT: "",
  PERL5OPT: ""
} as const

/** Set for all: nothing is imported from the working directory, nothing is fetched, nobody is asked. */
const always: Readonly<Record<string, string>> = {
  PYTHONSAFEPATH: "1",
  GOTOOLCHAIN: "local",
  GIT_TERMINAL_PROMPT: "0",
  COREPACK_ENABLE_NETWORK: "0"
}

/** An absolute path to what no repository brought, wherever links lead. A relative one means another place wherever a program starts. */
const isOutside = (path: string, repository: string): boolean => {
  if (!isAbsolute(path) || isShifting(path) || isWithin(path, repository)) return false
  const real = realPlace(path)
  const around = [realPlace(repository), ...rootsOf(repository)]
  return !isShifting(real) && !around.some((root) => isWithin(real, root))
}

/** The folders in which programs may be looked for; those within the repository are not among them. */
export const pathOutside = (path: string | undefined, repository: string): readonly string[] =>
  (path ?? "").split(delimiter).filter((folder) => isOutside(folder, repository))

/** The program of that name, unless it is the repository's: a link to it may lie anywhere. */
export const programOutside = (
  name: string,
  repository: string,
  env: Environment = callEnvironment()
): string | undefined =>
  programsOnPath(name, pathOutside(env["PATH"] ?? env["Path"], repository)).find((program) =>
    isOutside(program, repository)
  )

/** `folder`: where it works; the repository around it brings no part of the environment. */
export const plainEnvironment = (
  folder: string,
  env: Environment = callEnvironment()
): Record<string, string | undefined> => {
  const repository = repositoryAbove(folder) ?? folder
  const kept: Record<string, string | undefined> = { ...always }
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue
    const known = name.toUpperCase()
    if (texts.test(known) || (folders.test(known) && isOutside(value, repository))) kept[name] = value
  }
  // First, since scripts start with `/usr/bin/env node`, and what stands for Node there may ask the repository for a version.
  const path = [dirname(process.execPath), ...pathOutside(env["PATH"] ?? env["Path"], repository)]
  kept["PATH"] = [...new Set(path)].join(delimiter)
  return kept
}
