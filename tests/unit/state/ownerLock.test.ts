/** Who has a lock that is a folder: one at a time, the dead do not keep it, and whenever two come one of them has it. */
import { spawnSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import type { OwnerLock } from "../../../src/state/ownerLock.ts"
import { fill, readOnly, smallDisk, unmountAll, whyNoMounts } from "../../support/fire/mounts.ts"

/** `before`: what comes before each step of a process that takes or releases the lock. */
const walk = vi.hoisted(() => ({ steps: 0, before: (_step: number): void => undefined }))

vi.mock("node:fs", async (original) => {
  const real = await original<typeof import("node:fs")>()
  const stepping = (name: string) => {
    const act = real[name as "rmSync"] as (...given: unknown[]) => unknown
    return (...given: unknown[]) => {
      walk.before(walk.steps++)
      return act(...given)
    }
  }
  const names = [
    "mkdirSync",
    "writeFileSync",
    "renameSync",
    "readdirSync",
    "statSync",
    "unlinkSync",
    "rmdirSync"
  ]
  return { ...real, ...Object.fromEntries(names.map((name) => [name, stepping(name)])) }
})

let isOwned: typeof import("../../../src/state/ownerLock.ts").isOwned
let takeOwnerLock: typeof import("../../../src/state/ownerLock.ts").takeOwnerLock
// Files share a process: another one may have loaded it with the real file system, or may want to.
beforeAll(async () => {
  vi.resetModules()
  ;({ isOwned, takeOwnerLock } = await import("../../../src/state/ownerLock.ts"))
})
afterAll(() => void vi.resetModules())

let directory: string
let lock: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "owner-lock-"))
  lock = join(directory, "projects", "x.owner")
})
afterEach(() => {
  walk.before = () => undefined
  unmountAll()
  rmSync(directory, { recursive: true, force: true })
})

const ended = (): number => spawnSync(process.execPath, ["-e", "process.kill(process.pid, 'SIGKILL')"]).pid
const deadPid = ended()

/** As a process leaves it that is killed while it has the lock. */
const plant = (pid: number): string => {
  const owner = join(lock, `${pid}.0123456789ab`)
  mkdirSync(lock, { recursive: true })
  writeFileSync(owner, "")
  return owner
}

const longAgo = new Date(Date.now() - 121_000)
const ownerFile = (): string => join(lock, readdirSync(lock)[0] ?? "")

describe("the lock of an owner", () => {
  it("is one's until it is released, and then nothing is left of it", () => {
    expect(isOwned(lock)).toBe(false)
    const held = takeOwnerLock(lock)
    expect(held).toBeDefined()
    expect(isOwned(lock)).toBe(true)
    expect(takeOwnerLock(lock)).toBeUndefined()
    expect(readdirSync(join(directory, "projects"))).toEqual(["x.owner"])
    held?.release()
    expect(readdirSync(join(directory, "projects"))).toEqual([])
    expect(isOwned(lock)).toBe(false)
    expect(takeOwnerLock(lock)).toBeDefined()
  })

  it("is not kept by a process that was killed", () => {
    plant(deadPid)
    expect(isOwned(lock)).toBe(false)
    expect(takeOwnerLock(lock)).toBeDefined()
    expect(takeOwnerLock(lock)).toBeUndefined()
  })

  it("is not kept by a program that got the process id of one that was killed", () => {
    const owner = plant(process.ppid)
    expect(isOwned(lock)).toBe(true)
    expect(takeOwnerLock(lock)).toBeUndefined()
    utimesSync(owner, longAgo, longAgo)
    expect(isOwned(lock)).toBe(false)
    expect(takeOwnerLock(lock)).toBeDefined()
  })

  it("is not kept until a time to come, where the clock was set back", () => {
    const next = new Date(Date.now() + 86_400_000)
    utimesSync(plant(process.ppid), next, next)
    expect(isOwned(lock)).toBe(false)
    expect(takeOwnerLock(lock)).toBeDefined()
  })

  it("stays its owner's as long as that says so", () => {
    const held = takeOwnerLock(lock)
    utimesSync(ownerFile(), longAgo, longAgo)
    expect(isOwned(lock)).toBe(false)
    held?.renew()
    expect(isOwned(lock)).toBe(true)
    expect(takeOwnerLock(lock)).toBeUndefined()
  })

  it("that was taken from a silent owner is no longer that one's to renew or release", () => {
    const first = takeOwnerLock(lock)
    utimesSync(ownerFile(), longAgo, longAgo)
    const second = takeOwnerLock(lock)
    expect(second).toBeDefined()
    expect(() => first?.renew()).toThrow("ENOENT")
    first?.release()
    expect(isOwned(lock)).toBe(true)
    second?.release()
    expect(existsSync(lock)).toBe(false)
  })
})

describe("of two that come at the same time", () => {
  /** Runs `first`, and `second` as a whole before its step of that number; tells whether it came to that step. */
  const interleave = (step: number, first: () => void, second: () => void): boolean => {
    let hasCome = false
    walk.steps = 0
    walk.before = (at) => {
      if (at !== step) return
      walk.before = () => undefined
      hasCome = true
      second()
    }
    first()
    walk.before = () => undefined
    return hasCome
  }

  /** Before each step of `first`. */
  const everywhere = (
    prepare: () => void,
    first: () => void,
    second: () => void,
    look: () => void
  ): number => {
    for (let step = 0; ; step++) {
      lock = join(directory, randomUUID(), "x.owner")
      prepare()
      const hasCome = interleave(step, first, second)
      if (!hasCome) return step
      look()
    }
  }

  let one: OwnerLock | undefined
  let two: OwnerLock | undefined
  const takeOne = () => {
    one = takeOwnerLock(lock)
  }
  const takeTwo = () => {
    two = takeOwnerLock(lock)
  }
  const oneHasIt = () => {
    expect([one, two].filter((held) => held !== undefined)).toHaveLength(1)
    expect(isOwned(lock)).toBe(true)
    expect(takeOwnerLock(lock)).toBeUndefined()
    one?.release()
    two?.release()
    expect(existsSync(lock)).toBe(false)
  }

  it("one has it where nobody had it", () => {
    expect(everywhere(() => undefined, takeOne, takeTwo, oneHasIt)).toBeGreaterThanOrEqual(3)
  })

  it("one has it where its owner is dead", () => {
    expect(everywhere(() => plant(deadPid), takeOne, takeTwo, oneHasIt)).toBeGreaterThanOrEqual(7)
  })

  it("one has it where a third takes it and releases it meanwhile", () => {
    const inPassing = () => takeOwnerLock(lock)?.release()
    const look = () => {
      two = undefined
      // It may find the third, and go.
      if (one === undefined) takeOne()
      oneHasIt()
    }
    expect(everywhere(() => plant(deadPid), takeOne, inPassing, look)).toBeGreaterThanOrEqual(7)
  })

  it("the one that releases it takes nothing from the other", () => {
    let held: OwnerLock | undefined
    const prepare = () => {
      held = takeOwnerLock(lock)
      two = undefined
    }
    const look = () => {
      if (two === undefined) takeTwo()
      one = undefined
      oneHasIt()
    }
    expect(everywhere(prepare, () => held?.release(), takeTwo, look)).toBe(2)
  })
})

describe("what is no lock", () => {
  it("a folder with files in it is left as it is, and said", () => {
    mkdirSync(lock, { recursive: true })
    writeFileSync(join(lock, "letter.txt"), "dear")
    plant(deadPid)
    expect(isOwned(lock)).toBe(false)
    expect(() => takeOwnerLock(lock)).toThrow(`${lock} is in the place of a lock: move it away`)
    expect(readdirSync(lock)).toHaveLength(2)
    expect(readdirSync(join(directory, "projects"))).toEqual(["x.owner"])
  })

  it("a file and a link are left as they are, and said", () => {
    mkdirSync(join(directory, "projects"))
    writeFileSync(lock, "4711")
    expect(isOwned(lock)).toBe(false)
    expect(() => takeOwnerLock(lock)).toThrow("move it away")
    expect(readFileSync(lock, "utf8")).toBe("4711")
    const elsewhere = join(directory, "elsewhere")
    const linked = join(directory, "projects", "y.owner")
    mkdirSync(elsewhere)
    const owner = join(elsewhere, `${deadPid}.0123456789ab`)
    writeFileSync(owner, "")
    for (const target of [elsewhere, join(directory, "nowhere")]) {
      symlinkSync(target, linked)
      expect(() => takeOwnerLock(linked)).toThrow("move it away")
      rmSync(linked)
    }
    expect(existsSync(owner)).toBe(true)
  })

  it("a place that cannot be reached is owned by nobody, and taking it fails", () => {
    writeFileSync(join(directory, "projects"), "")
    expect(isOwned(lock)).toBe(false)
    expect(() => takeOwnerLock(lock)).toThrow(/ENOTDIR|EEXIST/)
  })
})

describe.skipIf(whyNoMounts !== "")(`a disk that takes nothing${whyNoMounts}`, () => {
  it("read-only: asking goes on, taking fails, and releasing is over at once", () => {
    const held = takeOwnerLock(lock)
    const undo = readOnly(directory)
    expect(isOwned(lock)).toBe(true)
    expect(() => takeOwnerLock(lock)).toThrow("EROFS")
    expect(() => held?.release()).not.toThrow()
    undo()
    expect(isOwned(lock)).toBe(true)
  })

  it("full: what has no content finds room in a full disk, too", () => {
    smallDisk(directory, 1)
    fill(directory)
    const held = takeOwnerLock(join(directory, "x.owner"))
    expect(held).toBeDefined()
    held?.release()
    expect(readdirSync(directory)).toEqual(["filling"])
  })
})
