/** Settings files on disk: read whole or not at all, backed up, replaced in one step, links followed. */
import { randomUUID } from "node:crypto"
import { promises as fs } from "node:fs"
import { basename, dirname, join, resolve, sep } from "node:path"
import * as Effect from "effect/Effect"
import { messageOf } from "../../state/messageOf.ts"
import { readRegular } from "../../state/readRegular.ts"
import { InstallError } from "./InstallError.ts"

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "the system does not permit it",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EISDIR: "it is a directory",
  ENOTDIR: "a part of the path is not a directory",
  ELOOP: "its symbolic links lead in a circle"
}

const codeOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""

const describe = (cause: unknown): string => reasons[codeOf(cause)] ?? messageOf(cause)

export const attempt = <A>(
  op: InstallError["op"],
  file: string,
  doing: string,
  remedy: string,
  run: () => Promise<A>
): Effect.Effect<A, InstallError> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) => new InstallError({ op, file, reason: `cannot ${doing}: ${describe(cause)}`, remedy })
  })

const absent = async <A>(promise: Promise<A>): Promise<A | undefined> =>
  promise.catch((cause: unknown) => {
    if (codeOf(cause) === "ENOENT") return undefined
    throw cause
  })

/** A device has no end, and a pipe keeps its reader for ever. */
const bytesOf = async (file: string): Promise<Uint8Array> => {
  const stat = await fs.stat(file)
  if (stat.isDirectory()) return fs.readFile(file)
  if (!stat.isFile()) throw new Error("it is not a regular file")
  return readRegular(file)
}

export interface Settings {
  /** The file itself, behind any symbolic links. */
  readonly target: string
  /** `undefined`: there is no such file. */
  readonly text: string | undefined
  readonly mode: number | undefined
  readonly owner: Owner | undefined
}

interface Owner {
  readonly uid: number
  readonly gid: number
}

/** Follows links even to a file that is not there yet: such a link must not be replaced by a file. */
const targetOf = async (file: string): Promise<string> => {
  let at = file
  for (let hops = 0; hops < 40; hops++) {
    const link = await fs.readlink(at).catch((cause: unknown) => {
      if (["EINVAL", "ENOENT", "UNKNOWN"].includes(codeOf(cause))) return undefined
      throw cause
    })
    if (link === undefined) return at
    at = resolve(dirname(at), link)
  }
  throw Object.assign(new Error("too many links"), { code: "ELOOP" })
}

/** Throws on bytes that are not UTF-8: read leniently and written back they would be lost. */
const decode = (bytes: Uint8Array): string =>
  new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)

/** `named`: as whoever reads of a failure knows it. */
export const readText = (file: string, named = file): Effect.Effect<string | undefined, InstallError> =>
  Effect.flatMap(
    attempt("read", named, "read it", "Make it readable for you, then run the command again.", () =>
      absent(bytesOf(file))
    ),
    (bytes) =>
      bytes === undefined
        ? Effect.succeed(undefined)
        : Effect.try({
            try: () => decode(bytes),
            catch: () =>
              new InstallError({
                op: "read",
                file: named,
                reason: "it is not UTF-8 text",
                remedy: "Save it as UTF-8, then run the command again; nothing was changed."
              })
          })
  )

export const readSettings = Effect.fn("install.readSettings")(function* (file: string) {
  const remedy = "Check the path and its permissions, then run the command again."
  const target = yield* attempt("read", file, "find it", remedy, () => targetOf(file))
  const text = yield* readText(target, file)
  const stat = yield* attempt("read", file, "look at it", remedy, () => absent(fs.stat(target)))
  const known =
    stat === undefined ? undefined : { mode: stat.mode & 0o7777, owner: { uid: stat.uid, gid: stat.gid } }
  return { target, text, mode: known?.mode, owner: known?.owner } satisfies Settings
})

/** Makes the directory; answers with the topmost one that was not there. */
export const ensureDirectory = (
  directory: string,
  mode: number
): Effect.Effect<string | undefined, InstallError> =>
  attempt("write", directory, "make the directory", "Check the permissions of its parent.", () =>
    fs.mkdir(directory, { recursive: true, mode })
  )

const syncDirectory = async (directory: string): Promise<void> => {
  const handle = await fs.open(directory, "r")
  await handle.sync().finally(() => handle.close())
}

const replace = async (
  target: string,
  text: string,
  mode: number,
  owner: Owner | undefined
): Promise<void> => {
  const aside = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`)
  try {
    const handle = await fs.open(aside, "wx", mode)
    try {
      await handle.writeFile(text)
      // The umask took its part from the mode at opening.
      await handle.chmod(mode)
      // Only root can give a file back to whom it belongs; for everybody else it is their own already.
      if (owner !== undefined) await handle.chown(owner.uid, owner.gid).catch(() => undefined)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await fs.rename(aside, target)
  } catch (cause) {
    await fs.rm(aside, { force: true })
    throw cause
  }
  // The content is safe without it; not every file system lets a directory be opened.
  await syncDirectory(dirname(target)).catch(() => undefined)
}

export const writeAtomically = (
  op: "write" | "record",
  target: string,
  text: string,
  mode: number,
  owner?: Owner
): Effect.Effect<void, InstallError> =>
  attempt(
    op,
    target,
    "write it",
    "Make the file and its directory writable for you, then run the command again.",
    () => replace(target, text, mode, owner)
  )

export const deleteFile = (target: string): Effect.Effect<void, InstallError> =>
  attempt(
    "write",
    target,
    "delete it",
    "Make its directory writable for you, then run the command again.",
    () => fs.rm(target, { force: true })
  )

/** From the file's own directory up to `top`, as far as they are empty. */
export const removeEmptyDirectories = (file: string, top: string): Effect.Effect<void> =>
  Effect.promise(async () => {
    for (let at = dirname(file); at === top || at.startsWith(top + sep); at = dirname(at)) {
      // Only ever an empty one: rmdir refuses the others.
      if (
        !(await fs
          .rmdir(at)
          .then(() => true)
          .catch(() => false))
      )
        return
    }
  })
