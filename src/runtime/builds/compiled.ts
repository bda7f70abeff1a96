/** A file of a build, compiled with what V8 kept of it when it last ran: without that, compiling takes longer than the call. */
import { isAscii } from "node:buffer"
import { renameSync, rmSync, writeFileSync } from "node:fs"
import { constants, Script } from "node:vm"
import { readRegular } from "../../state/readRegular.ts"
import { crc32 } from "./crc32.ts"

type Run = (require: (name: string) => unknown, module: object, exports: object) => void

export interface Compiled {
  readonly run: Run
  /** Whether what V8 kept of this very part was there, and was taken. */
  readonly isKept: boolean
  /** Called when all has run that will: what is kept holds it compiled. */
  readonly keep: () => void
}

/**
 * In front of what V8 kept: a sum over it, then one over the source, in as many bytes as V8 aligns what it reads to. V8 runs whatever it
 * is given, and a damaged cache would end every call with a trap; of the source it looks at the length only.
 */
const sumsBytes = 8

const readCache = (path: string, sourceSum: number): Buffer | undefined => {
  try {
    const kept = readRegular(path)
    const data = kept.subarray(sumsBytes)
    return kept.readUInt32LE(4) === sourceSum && crc32(data) === kept.readUInt32LE() ? data : undefined
  } catch {
    return undefined
  }
}

/** False where it cannot be kept there. */
const keepCache = (path: string, compiled: Script, sourceSum: number): boolean => {
  const partial = `${path}.${process.pid}`
  try {
    const data = compiled.createCachedData()
    const sums = Buffer.alloc(sumsBytes)
    sums.writeUInt32LE(crc32(data))
    sums.writeUInt32LE(sourceSum, 4)
    writeFileSync(partial, Buffer.concat([sums, data]), { mode: 0o600 })
    renameSync(partial, path)
    return true
  } catch {
    // Without a cache the next call is slower, and tries again.
    try {
      rmSync(partial, { force: true })
    } catch {
      // Nothing could be written there in the first place.
    }
    return false
  }
}

/** Of every cache that this Node can use with the flags it was given. */
const suffixOf = (flags: readonly string[]): string =>
  `.${process.version}-${process.arch}${flags.join("").replace(/[^\w=-]/g, "_")}.cache`

/**
 * V8 rejects a cache made under other flags; those that were given are part of its name, so that two kinds do not take turns. So is
 * `part`, which says what of the file runs.
 */
export const cacheOf = (file: string, part: string, flags: readonly string[] = process.execArgv): string =>
  `${file}.${part}${suffixOf(flags)}`

/** Of the names in a folder those of caches of this file, whatever part of it they were made for. */
export const cachesAmong = (names: readonly string[], file: string): readonly string[] =>
  names.filter((name) => name.startsWith(`${file}.`) && name.endsWith(suffixOf(process.execArgv)))

/** What is plain ASCII, as all is that we ship, need not be decoded, and V8 keeps it in half the space. */
export const sourceOf = (bytes: Buffer): string => bytes.toString(isAscii(bytes) ? "latin1" : "utf8")

export const readSource = (file: string): string => sourceOf(readRegular(file))

const firstCache = (paths: readonly string[], sourceSum: number): Buffer | undefined => {
  for (const path of paths) {
    const kept = readCache(path, sourceSum)
    if (kept !== undefined) return kept
  }
  return undefined
}

/**
 * `caches`: where what V8 kept is looked for, and kept in the first place that takes it. `sourceSum`: where the name of the file does not
 * tell what is in it. `others`: what was kept for other parts of the file, asked for where there is none of this one; most of it fits.
 */
export const compileSource = (
  file: string,
  source: string,
  caches: readonly string[],
  sourceSum = 0,
  others: () => readonly string[] = () => []
): Compiled => {
  const own = firstCache(caches, sourceSum)
  const cachedData = own ?? firstCache(others(), sourceSum)
  const compiled = new Script(`(function(require,module,exports){${source}\n})`, {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData ? { cachedData } : {})
  })
  const isKept = own !== undefined && compiled.cachedDataRejected !== true
  return {
    run: compiled.runInThisContext() as Run,
    isKept,
    keep: () => {
      if (!isKept) caches.some((path) => keepCache(path, compiled, sourceSum))
    }
  }
}

export const compile = (file: string, part: string): Compiled =>
  compileSource(file, readSource(file), [cacheOf(file, part)])
