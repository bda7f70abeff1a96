/** Makes a state directory ready to be called by agents: what they start, what that starts, and the directories both need. */
import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { basename, join } from "node:path"
import * as Effect from "effect/Effect"
import { beginGaps, readGaps } from "../../log/gaps.ts"
import { alteredAddons } from "../../log/sqlite/addon.ts"
import { forgetFirst } from "../../log/sqlite/packedAddon.ts"
import { isWithoutAddon } from "../../log/sqlite/sqliteErrors.ts"
import { realPath } from "../../runtime/builds/discover.ts"
import { layout, reachedLayout } from "../../state/layout.ts"
import { messageOf } from "../../state/messageOf.ts"
import { alteredPrograms, nativeProgram } from "../../state/nativeProgram.ts"
import { hookFile, hostFile } from "../../state/startedFiles.ts"
import { digestKey, installationId, openState, privateDirectory } from "../../state/state.ts"
import { findCore } from "../../tools/build/core.ts"
import { hostNodeScript, hostScript } from "../../tools/install/hostScript.ts"
import { launcher } from "../../tools/install/launcher.ts"
import { runMigrations } from "../../tools/migrations/runMigrations.ts"
import { libraryVariables } from "../../trust/startVariables.ts"
import { CliError } from "./CliError.ts"
import { unwritable } from "./unwritable.ts"

const bin = (name: string) => (state: string) => join(state, "bin", name)
export const loaderOf = bin("load.cjs")
/** What agents call. */
export const hookOf = hookFile
/** The in-process entrypoint. */
export const entryOf = bin("entry")

const shipped =
  (...path: readonly string[]) =>
  (root: string = findCore().root): string =>
    join(root, "dist", ...path)
/** The compiled loader of this package. */
export const shippedLoader = shipped("load.cjs")
/** The native client for this machine, where this package has one. */
export const shippedClient = (root: string = findCore().root): string =>
  nativeProgram(join(root, "dist"), "hook")
/** The launcher for Windows. */
const shippedNodeHook = shipped("hook.cjs")
const shippedHost = shipped("host.cjs")
const shippedBuild = shipped("build-id")
const shippedBundles = shipped("shipped")

export const contentOf = (file: string): Buffer | undefined => {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

/**
 * A file that is right already keeps its inode: agents may be starting it at this moment. Another one is tried before it takes
 * the place, and takes it in one step. False where it did not stand the trial.
 */
const ensureFile = (
  file: string,
  content: string | Buffer,
  mode: number,
  works: (file: string) => boolean = () => true
): boolean => {
  if (contentOf(file)?.equals(Buffer.from(content))) {
    if ((statSync(file).mode & 0o777) !== mode) chmodSync(file, mode)
    return true
  }
  const aside = `${file}.${randomBytes(6).toString("hex")}.tmp`
  try {
    writeFileSync(aside, content, { mode, flag: "wx" })
    chmodSync(aside, mode)
    if (!works(aside)) return false
    renameSync(aside, file)
    return true
  } finally {
    rmSync(aside, { force: true })
  }
}

let needsLibraries: boolean | undefined
const asksForLibraries = (): boolean => {
  const { status } = spawnSync(process.execPath, ["-e", "0"], {
    env: {},
    stdio: "ignore",
    timeout: 10_000,
    windowsHide: true
  })
  // One that did not come to an end in time says nothing.
  return status !== 0 && status !== null
}

/** What this Node was started with and does not start without; most do. */
const neededLibraries = (): Readonly<Record<string, string>> => {
  const given = libraryVariables.flatMap((name) => {
    const value = process.env[name]
    return value === undefined || value === "" ? [] : [[name, value] as const]
  })
  if (given.length === 0) return {}
  needsLibraries ??= asksForLibraries()
  return needsLibraries ? Object.fromEntries(given) : {}
}

/** What stands behind a Mac's `/bin/sh`, and `/bin/sh` elsewhere. */
const shells = ["/private/var/select/sh", "/bin/sh"]

/** Bash and zsh are what takes functions and options out of the environment, and what knows how not to. */
const shellOptions = (): "" | " -p" => {
  const real = realPath(shells.find((file) => existsSync(file)) ?? "")
  return /^(?:bash|zsh)/.test(basename(real ?? "")) ? " -p" : ""
}

const paths = (state: string) => ({
  node: process.execPath,
  state,
  options: shellOptions(),
  libraries: neededLibraries()
})

/** What stands at `bin/entry`, and at `bin/hook` where no native client runs. */
export const launcherText = (state: string): string => launcher(paths(state))

const hostText = (state: string): string => hostScript({ ...paths(state), host: shippedHost() })

/** A client of another machine, or on a file system that runs no programs, is none. */
const answers = (program: string): boolean => {
  const { status, stdout } = spawnSync(program, ["--version"], {
    encoding: "utf8",
    timeout: 10_000,
    windowsHide: true
  })
  return status === 0 && /^\S+\n$/.test(stdout)
}

const altered = (): readonly string[] => alteredPrograms(join(findCore().root, "dist"))

const placeForShell = (state: string): void => {
  // Without a host to start, clients must not find one to start.
  if (existsSync(shippedHost())) ensureFile(bin("host")(state), hostText(state), 0o700)
  const file = shippedClient()
  const client = altered().includes(file) ? undefined : contentOf(file)
  if (client !== undefined && ensureFile(hookOf(state), client, 0o700, answers)) return
  ensureFile(hookOf(state), launcherText(state), 0o700)
}

/** Before the loader, which refuses what an earlier launcher starts. Where no native client runs both are launchers. */
const placeLaunchers = (state: string): void => {
  ensureFile(entryOf(state), launcherText(state), 0o700)
  if (isScript(hookOf(state))) ensureFile(hookOf(state), launcherText(state), 0o700)
}

/** On Windows there is no shell to count on: all that is started is a script for Node, and there is no client. */
const placeForNode = (state: string): void => {
  const host = shippedHost()
  if (existsSync(host)) ensureFile(hostFile(state, "win32"), hostNodeScript({ host, state }), 0o600)
  ensureFile(hookOf(state, "win32"), readFileSync(shippedNodeHook()), 0o600)
}

const isScript = (file: string): boolean => contentOf(file)?.subarray(0, 2).toString("latin1") === "#!"

/** Guards that answer while there is no build. */
const placeShipped = (state: string): void => {
  const from = shippedBundles()
  if (!existsSync(from)) return
  const dir = privateDirectory(bin("shipped")(state))
  for (const name of readdirSync(from)) {
    const content = readFileSync(join(from, name))
    const isManifest = name === "manifest.json"
    const placed = () => ({ ...JSON.parse(content.toString()), dir, cli: findCore().cli })
    ensureFile(join(dir, name), isManifest ? `${JSON.stringify(placed())}\n` : content, 0o600)
  }
}

/** Another version has made this directory ready since this one did: it may have written in its own way. */
const isOfAnother = (state: string): boolean =>
  contentOf(shippedBuild())?.equals(contentOf(bin("build")(state)) ?? Buffer.alloc(0)) !== true

/** Before it is loaded for the first time. */
const refuseAltered = (): void => {
  const [one] = [...alteredAddons(findCore().cli), ...altered()]
  if (one !== undefined)
    throw new CliError({
      what: `${one} is not to be loaded`,
      reason: "it is not the file that came with hooktape",
      remedy: "Install hooktape anew."
    })
}

export interface Preparing {
  /** Somebody asks for this very thing: what they had taken back is migrated again. */
  readonly asked?: boolean
  /** What is stored only beside what is there: as an earlier version left it, that is nobody's to bring up to date on the way. */
  readonly migrates?: false
  /** Whose registrations are brought up to date besides the user's. */
  readonly projects?: readonly string[]
  /** Whose agents are to start what lies there; this process's own unless given. */
  readonly platform?: NodeJS.Platform
}

const cannotSetUp = (cause: unknown): CliError => {
  if (cause instanceof CliError) return cause
  if (isWithoutAddon(cause))
    return new CliError({
      what: "there is nothing to keep the log with",
      reason: messageOf(cause),
      remedy: "Do that where hooktape is installed, then run the command again.",
      cause
    })
  return new CliError({
    what: "the state directory cannot be set up",
    reason: unwritable(cause) ?? messageOf(cause),
    remedy: "Check it, or point HOOKTAPE_HOME at another directory.",
    cause
  })
}

const requireMigrated = (state: string): void => {
  const reached = reachedLayout(state)
  if (reached !== undefined && reached < layout)
    throw new CliError({
      what: state,
      reason: "it is as an earlier version left it",
      remedy: 'Run "hooktape migrate", which keeps a copy of what it changes, and then the command again.'
    })
}

/** Answers with what was migrated on the way, if anything was. */
export const prepareState = Effect.fn("cli.prepareState")((state: string, preparing: Preparing = {}) =>
  Effect.try({
    try: () => {
      if (preparing.migrates === false) requireMigrated(state)
      openState(state)
      for (const part of ["bin", "run", "spool"]) privateDirectory(join(state, part))
      if (readGaps(state) === undefined) beginGaps(state)
      digestKey(state)
      installationId(state)
      const { asked = false, platform = process.platform, projects = [] } = preparing
      const isWindows = platform === "win32"
      if (asked) {
        refuseAltered()
        forgetFirst(state)
      }
      const migrated = runMigrations({ state, projects, again: isOfAnother(state), byItself: !asked })
      if (!isWindows) placeLaunchers(state)
      ensureFile(loaderOf(state), readFileSync(shippedLoader()), 0o600)
      placeShipped(state)
      // Last: from here on agents and hosts go by what was placed before.
      if (isWindows) placeForNode(state)
      else placeForShell(state)
      if (existsSync(shippedBuild())) ensureFile(bin("build")(state), readFileSync(shippedBuild()), 0o600)
      return migrated
    },
    catch: cannotSetUp
  })
)
