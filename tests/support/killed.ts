/** The work of a migration in a process of its own, which is killed before each of its operations on the disk in turn, and amid each that writes. */
import { spawnSync } from "node:child_process"
import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { setImmediate as turn } from "node:timers/promises"
import { buildSync } from "esbuild"
import { expect } from "vitest"
import { rollBack } from "../../src/tools/migrations/rollBack.ts"
import {
  type Ports,
  type Request,
  realPorts,
  runMigrations
} from "../../src/tools/migrations/runMigrations.ts"
import { keep } from "./goldenState.ts"
import { steppedDisk } from "./steppedDisk.ts"

export interface KilledWork {
  readonly work: "on" | "back"
  readonly request: Request
  /** Before its so-manieth operation. */
  readonly at: number
  /** Half of that operation is done. */
  readonly half: boolean
}

const root = join(import.meta.dirname, "..", "..")
const cache = join(root, "node_modules", ".cache", "hooktape")
/** Inside node_modules, so that SQLite is found from there. Whole: to look for hundreds of modules takes three times as long as the work. */
const bundle = join(cache, `killed-${process.pid}.cjs`)

let isBundled = false

const bundled = (): string => {
  if (isBundled) return bundle
  mkdirSync(cache, { recursive: true })
  buildSync({
    entryPoints: [join(root, "tests", "support", "killedMigration.ts")],
    outfile: bundle,
    bundle: true,
    minify: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    mainFields: ["module", "main"],
    external: ["better-sqlite3"],
    logLevel: "error"
  })
  isBundled = true
  return bundle
}

export const removeBundle = (): void => {
  rmSync(bundle, { force: true })
  isBundled = false
}

const start = (work: KilledWork) => {
  const { signal, status, stderr } = spawnSync(process.execPath, [bundled(), JSON.stringify(work)], {
    encoding: "utf8",
    windowsHide: true
  })
  return { signal, status, stderr }
}

interface Operation {
  readonly name: string
  readonly canBeHalf: boolean
}

/** What it does from here to its end. */
const operationsOf = (work: KilledWork["work"], request: Request): readonly Operation[] => {
  const operations: Operation[] = []
  const disk = steppedDisk((name, half) => operations.push({ name, canBeHalf: half !== undefined }))
  const ports: Ports = { ...realPorts, disk }
  if (work === "back") rollBack(request, ports)
  else runMigrations(request, ports)
  return operations
}

/** From how `home` is now, and each time from there again; each of `looks` sees what was left. */
export const killedAtEach = async (
  home: string,
  work: KilledWork["work"],
  request: Request,
  ...looks: readonly ((at: string) => void)[]
): Promise<void> => {
  const reset = keep({ home })
  const operations = operationsOf(work, request)
  reset()
  expect(operations.length).toBeGreaterThan(5)
  const killed = async (at: number, half: boolean): Promise<void> => {
    // The runner gets to say what it heard.
    await turn()
    const name = `${half ? "amid" : "before"} ${operations[at]?.name}`
    expect(start({ work, request, at, half }), name).toEqual({ signal: "SIGKILL", status: null, stderr: "" })
    const left = looks.length > 1 ? keep({ home }) : reset
    for (const look of looks) {
      look(name)
      left()
    }
    reset()
  }
  for (const [at, { canBeHalf }] of operations.entries()) {
    await killed(at, false)
    if (canBeHalf) await killed(at, true)
  }
  // A process does the same: not one operation more than were tried.
  const whole = start({ work, request, at: operations.length, half: false })
  expect(whole).toEqual({ signal: null, status: 0, stderr: "" })
  reset()
}
