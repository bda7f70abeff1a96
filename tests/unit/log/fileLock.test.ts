/** Who holds a file: one at a time, by the kernel, and the killed do not keep it. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Sqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { takeFileLock } from "../../../src/log/fileLock.ts"
import { isLocked, takeLock } from "../../../src/log/hostLock.ts"
import { fill, readOnly, smallDisk, unmountAll, whyNoMounts } from "../../support/fire/mounts.ts"

const library = createRequire(import.meta.url).resolve("better-sqlite3")
const options = { library: Sqlite }
let directory: string
let file: string
let children: ChildProcess[] = []

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "file-lock-"))
  file = join(directory, "x.lock")
})
afterEach(() => {
  for (const child of children) child.kill("SIGKILL")
  children = []
  unmountAll()
  rmSync(directory, { recursive: true, force: true })
})

/** Another process that holds it, as versions before did: with a journal file, which stays behind when it is killed. */
const holder = async () => {
  const child = spawn(
    process.execPath,
    [
      "-e",
      `const db = new (require(process.argv[1]))(process.argv[2])
       db.pragma("journal_mode = DELETE")
       db.exec("BEGIN EXCLUSIVE")
       console.log("held")
       setInterval(() => undefined, 1000)`,
      library,
      file
    ],
    { stdio: ["ignore", "pipe", "inherit"] }
  )
  children.push(child)
  await once(child.stdout, "data")
  return child
}

/** Whether another process gets it, as things are. */
const isFree = async (): Promise<boolean> => {
  const program = `
    const db = new (require(process.argv[1]))(process.argv[2], { timeout: 0 })
    try {
      db.pragma("journal_mode = MEMORY")
      db.exec("BEGIN EXCLUSIVE")
    } catch (error) {
      process.exitCode = error.code === "SQLITE_BUSY" ? 5 : 1
    }`
  const child = spawn(process.execPath, ["-e", program, library, file], { stdio: "ignore" })
  const [code] = await once(child, "exit")
  expect([0, 5]).toContain(code)
  return code === 0
}

describe("a file that is held", () => {
  it("is one's until it is let go of; the file stays, for nobody else to read", () => {
    const release = takeFileLock(file, options)
    expect(release).toBeDefined()
    expect(takeFileLock(file, options)).toBeUndefined()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    release?.()
    expect(existsSync(file)).toBe(true)
    expect(takeFileLock(file, options)).toBeDefined()
  })

  it("stays held however often its own process asks", async () => {
    const release = takeFileLock(file, options)
    for (let nth = 0; nth < 3; nth++) expect(takeFileLock(file, options)).toBeUndefined()
    expect(await isFree()).toBe(false)
    release?.()
    expect(await isFree()).toBe(true)
  })

  it("is free once its process was killed", async () => {
    const child = await holder()
    expect(takeFileLock(file, options)).toBeUndefined()
    child.kill("SIGKILL")
    await once(child, "exit")
    expect(takeFileLock(file, options)).toBeDefined()
  })

  it("is waited for where that is asked", async () => {
    const child = await holder()
    child.kill("SIGKILL")
    expect(takeFileLock(file, { ...options, waitMs: 30_000 })).toBeDefined()
  })

  it("is no less a lock for what stood in the file", async () => {
    writeFileSync(file, "this is no database, and longer than the head of one would be. ".repeat(30))
    expect(takeFileLock(file, options)).toBeDefined()
    expect(takeFileLock(file, options)).toBeUndefined()
    expect(await isFree()).toBe(false)
  })

  it("is a file: a folder and a link in its place are left as they are, and said", () => {
    mkdirSync(file)
    expect(() => takeFileLock(file, options)).toThrow(`${file} is not a file: move it away`)
    rmSync(file, { recursive: true })
    const target = join(directory, "letter.txt")
    writeFileSync(target, "dear ".repeat(300))
    for (const to of [target, join(directory, "nowhere")]) {
      symlinkSync(to, file)
      expect(() => takeFileLock(file, options)).toThrow(`${file} is not a file: move it away`)
      rmSync(file)
    }
    expect(readFileSync(target, "utf8")).toBe("dear ".repeat(300))
    expect(readdirSync(directory)).toEqual(["letter.txt"])
  })
})

describe.skipIf(whyNoMounts !== "")(`a disk that takes nothing${whyNoMounts}`, () => {
  it("read-only: nobody gets it, where SQLite would give it to everybody", () => {
    takeFileLock(file, options)?.()
    readOnly(directory)
    const shared = () => {
      const db = new Sqlite(file, { timeout: 0 })
      db.exec("BEGIN EXCLUSIVE")
      return db
    }
    for (const db of [shared(), shared()]) db.close()
    expect(() => takeFileLock(file, options)).toThrow("EROFS")
    expect(() => takeFileLock(join(directory, "new.lock"), options)).toThrow("EROFS")
  })

  it("full: it is a lock there, too", async () => {
    smallDisk(directory, 1)
    fill(directory)
    const release = takeFileLock(file, options)
    expect(release).toBeDefined()
    expect(await isFree()).toBe(false)
    release?.()
    expect(await isFree()).toBe(true)
  })
})

describe("the host's place", () => {
  it("is held until the scope closes, and to ask, also in its own process, does not release it", async () => {
    expect(await Effect.runPromise(isLocked(file))).toBe(false)
    expect(existsSync(file)).toBe(false)
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          yield* takeLock(file, 0)
          expect(yield* isLocked(file)).toBe(true)
          expect(yield* isLocked(file)).toBe(true)
          expect(yield* Effect.promise(isFree)).toBe(false)
          const error = yield* Effect.flip(Effect.scoped(takeLock(file, "60 millis")))
          expect(error.reason).toBe("held")
        })
      )
    )
    expect(await Effect.runPromise(isLocked(file))).toBe(false)
  })

  it("that cannot be asked for is said", async () => {
    const why = (at: string) => Effect.runPromise(Effect.flip(Effect.scoped(takeLock(at, 0))))
    expect(await why(join(directory, "no", "lock"))).toMatchObject({
      reason: "io",
      message: expect.stringContaining("cannot be locked: ENOENT")
    })
    expect(await why(directory)).toMatchObject({
      reason: "io",
      message: `${directory} is not a file: move it away`
    })
  })
})
