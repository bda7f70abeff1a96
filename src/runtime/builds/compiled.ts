/** A file of a build, compiled with what V8 kept of it when it last ran: without that, compiling takes longer than the call. */
import { isAscii } from "node:buffer"
import { readFileSync, renameSync, writeFileSync } from "node:fs"
import { constants, Script } from "node:vm"
import { crc32 } from "node:zlib"

type Run = (require: (name: string) => unknown, module: object, exports: object) => void

export interface Compiled {
  readonly run: Run
  /** Called when all has run that will: what is kept holds it compiled. */
  readonly keep: () => void
}

/** In front of what V8 kept: a sum over it, in as many bytes as V8 aligns what it reads to. V8 runs whatever it is given, and a damaged cache would end every call with a trap. */
const sumBytes = 8

const readCache = (path: string): Buffer | undefined => {
  try {
    const kept = readFileSync(path)
    const data = kept.subarray(sumBytes)
    return crc32(data) === kept.readUInt32LE() ? data : undefined
  } catch {
    return undefined
  }
}

const keepCache = (path: string, compiled: Script): void => {
  try {
    const partial = `${path}.${process.pid}`
    const data = compiled.createCachedData()
    const sum = Buffer.alloc(sumBytes)
    sum.writeUInt32LE(crc32(data))
    writeFileSync(partial, Buffer.concat([sum, data]), { mode: 0o600 })
    renameSync(partial, path)
  } catch {
    // Without a cache the next call is slower, and tries again.
  }
}

/**
 * V8 rejects a cache made under other flags; those that were given are part of its name, so that two kinds do not take turns. So is
 * `part`, which says what of the file runs.
 */
const cacheOf = (file: string, part: string): string =>
  `${file}.${part}.${process.version}-${process.arch}${process.execArgv.join("").replace(/[^\w=-]/g, "_")}.cache`

/** What is plain ASCII, as all is that we ship, need not be decoded, and V8 keeps it in half the space. */
export const readSource = (file: string): string => {
  const bytes = readFileSync(file)
  return bytes.toString(isAscii(bytes) ? "latin1" : "utf8")
}

export const compile = (file: string, part: string): Compiled => {
  const source = readSource(file)
  const cachePath = cacheOf(file, part)
  const cachedData = readCache(cachePath)
  const compiled = new Script(`(function(require,module,exports){${source}\n})`, {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData ? { cachedData } : {})
  })
  return {
    run: compiled.runInThisContext() as Run,
    keep: () => {
      if (!cachedData || compiled.cachedDataRejected) keepCache(cachePath, compiled)
    }
  }
}
