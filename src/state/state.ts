/** Where hooktape keeps its state, and that nobody but its owner can get at it. Light: every hook pays for it. */
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  type Stats,
  unlinkSync,
  writeSync
} from "node:fs"
import { isAbsolute, join, resolve } from "node:path"
import { messageOf } from "./messageOf.ts"

/** A directory or file of the state that cannot be trusted or reached. Its message says what to do. */
export class StateError extends Error {
  override readonly name = "StateError"
  readonly path: string
  readonly reason: "symlink" | "foreign" | "mode" | "kind" | "io"
  constructor(path: string, reason: StateError["reason"], message: string, options?: ErrorOptions) {
    super(message, options)
    this.path = path
    this.reason = reason
  }
}

/** Loaded where it is needed: `node:crypto` costs milliseconds, and most hooks find their files made. */
const randomBytes = (count: number): Buffer => process.getBuiltinModule("node:crypto").randomBytes(count)

type Env = Readonly<Record<string, string | undefined>>

const absolute = (path: string | undefined): string | undefined =>
  path !== undefined && path !== "" && isAbsolute(path) ? path : undefined

/** An empty HOME is somebody's mistake, and no reason to look for state or hooks wherever a hook happens to run. */
export const userHome = (env: Env): string => {
  const own = absolute(env["HOME"])
  if (own !== undefined) return own
  const { homedir, userInfo } = process.getBuiltinModule("node:os")
  return absolute(homedir()) ?? userInfo().homedir
}

const findAccountHome = (): string | undefined => {
  try {
    return absolute(process.getBuiltinModule("node:os").userInfo().homedir)
  } catch {
    return undefined
  }
}

let home: string | undefined

/**
 * As the machine has it, whatever the environment says. An account that the machine does not know has none but the root. Asked once:
 * a process is one account's as long as it lives, and every hook call comes by here.
 */
export const accountHome = (): string => {
  home ??= findAccountHome()
  return home ?? "/"
}

/** `HOOKTAPE_HOME`, else the platform's directory for the state of a user's programs. */
export const stateDirectory = (
  env: Env = process.env,
  platform: NodeJS.Platform = process.platform,
  home: string = userHome(env)
): string => {
  const own = env["HOOKTAPE_HOME"]
  if (own !== undefined && own !== "") return resolve(own)
  if (platform === "win32") return join(env["LOCALAPPDATA"] ?? join(home, "AppData", "Local"), "hooktape")
  if (platform === "darwin") return join(home, "Library", "Application Support", "hooktape")
  return join(absolute(env["XDG_STATE_HOME"]) ?? join(home, ".local", "state"), "hooktape")
}

const uid = (): number | undefined => process.getuid?.()

const failed = (path: string, cause: unknown): StateError =>
  new StateError(path, "io", `cannot use ${path}: ${messageOf(cause)}`, { cause })

const wideOpen = 0o077

/** Makes a private directory, or checks that the one there is: ours, no symlink, 0700 (set again where it was wider). */
export const privateDirectory = (path: string): string => {
  let stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) {
    try {
      mkdirSync(path, { recursive: true, mode: 0o700 })
      stat = lstatSync(path)
    } catch (cause) {
      throw failed(path, cause)
    }
  }
  if (stat.isSymbolicLink())
    throw new StateError(
      path,
      "symlink",
      `${path} is a symbolic link: remove it or point HOOKTAPE_HOME elsewhere`
    )
  if (!stat.isDirectory()) throw new StateError(path, "kind", `${path} is not a directory: move it away`)
  if (process.platform === "win32") return path
  if (stat.uid !== uid())
    throw new StateError(path, "foreign", `${path} belongs to another user: point HOOKTAPE_HOME elsewhere`)
  if ((stat.mode & wideOpen) !== 0) {
    try {
      chmodSync(path, 0o700)
    } catch (cause) {
      throw new StateError(path, "mode", `${path} is open to others: run chmod 700 on it`, { cause })
    }
  }
  return path
}

/** The state directory itself, made and checked. */
export const openState = (path: string = stateDirectory()): string => privateDirectory(path)

/** Flags for a new file that must not have been there, nor be reached through a link. */
export const newFile =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0)

/** The bytes of a private file, or undefined where there is none. Links and foreign files are refused. */
export const readPrivate = (path: string): Buffer | undefined => {
  let stat: Stats | undefined
  try {
    stat = lstatSync(path, { throwIfNoEntry: false })
  } catch (cause) {
    throw failed(path, cause)
  }
  if (stat === undefined) return undefined
  if (stat.isSymbolicLink()) throw new StateError(path, "symlink", `${path} is a symbolic link: remove it`)
  if (!stat.isFile()) throw new StateError(path, "kind", `${path} is not a file: move it away`)
  if (uid() !== undefined && stat.uid !== uid())
    throw new StateError(path, "foreign", `${path} belongs to another user: remove it`)
  try {
    return readFileSync(path)
  } catch (cause) {
    throw failed(path, cause)
  }
}

/** Made once however many processes ask at the same time: written aside, linked into place, and whoever is first wins. */
const once = (path: string, bytes: () => Buffer, valid: (bytes: Buffer) => boolean): Buffer => {
  const there = readPrivate(path)
  if (there !== undefined && valid(there)) return there
  if (there !== undefined) throw new StateError(path, "kind", `${path} is damaged: remove it`)
  const aside = `${path}.${process.pid}.${randomBytes(6).toString("hex")}`
  try {
    const fd = openSync(aside, newFile, 0o600)
    try {
      writeSync(fd, bytes())
    } finally {
      closeSync(fd)
    }
    try {
      linkSync(aside, path)
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause
    } finally {
      unlinkSync(aside)
    }
  } catch (cause) {
    throw failed(path, cause)
  }
  return readPrivate(path) as Buffer
}

/** The key under which payload digests are made: 32 random bytes that never leave this installation. */
export const digestKey = (state: string): Buffer =>
  once(
    join(state, "key"),
    () => randomBytes(32),
    (bytes) => bytes.length === 32
  )

const hexId = /^[0-9a-f]{32}$/

/** A random name of this installation; neither host nor user can be told from it. */
export const installationId = (state: string): string =>
  once(
    join(state, "installation"),
    () => Buffer.from(randomBytes(16).toString("hex")),
    (bytes) => hexId.test(bytes.toString("latin1"))
  ).toString("latin1")

const runFile = (state: string, name: string): string => join(privateDirectory(join(state, "run")), name)

const secret = (state: string, name: string): string =>
  once(
    runFile(state, name),
    () => Buffer.from(randomBytes(16).toString("hex")),
    (bytes) => hexId.test(bytes.toString("latin1"))
  ).toString("latin1")

/** What a client proves with that it may read this directory. */
export const hostToken = (state: string): string => secret(state, "token")

/** The same for callers over HTTP: it stands in settings files of agents, and opens nothing but HTTP. */
export const httpToken = (state: string): string => secret(state, "http-token")

const aPort = /^[1-9]\d{0,4}$/

/** Where the host listens for HTTP; undefined where nobody was ever told to call it so. */
export const httpPort = (state: string): number | undefined => {
  // Only to look makes no directory.
  if (!existsSync(join(state, "run"))) return undefined
  const text = readPrivate(runFile(state, "port"))?.toString("latin1") ?? ""
  return aPort.test(text) && Number(text) < 65_536 ? Number(text) : undefined
}

/** Stays as it is once chosen, since it stands in settings files. */
export const keepHttpPort = (state: string, port: number): number =>
  Number(
    once(
      runFile(state, "port"),
      () => Buffer.from(String(port)),
      (bytes) => aPort.test(bytes.toString("latin1"))
    ).toString("latin1")
  )

/** It is somebody else's now. */
export const forgetHttpPort = (state: string): void => rmSync(runFile(state, "port"), { force: true })

/** Nobody is to call the host over HTTP any more: what is left of the token somewhere opens nothing. */
export const forgetHttp = (state: string): void => {
  forgetHttpPort(state)
  rmSync(runFile(state, "http-token"), { force: true })
}
