/** All steps in their order, on the states that released versions left behind: done, cut off anywhere, resumed, taken back. */
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import Sqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import { afterAll, describe, expect, it } from "vitest"
import { isSealed, openFrame } from "../../../src/log/sealedFrame.ts"
import { verifyLog } from "../../../src/log/verify.ts"
import { prepareState } from "../../../src/programs/cli/prepare.ts"
import { layout, reachedLayout } from "../../../src/state/layout.ts"
import { digestKey } from "../../../src/state/state.ts"
import { recordFile } from "../../../src/tools/install/store.ts"
import { dueMigrations, standingOf } from "../../../src/tools/migrations/due.ts"
import { digestOf } from "../../../src/tools/migrations/fingerprint.ts"
import type { Migration } from "../../../src/tools/migrations/Migration.ts"
import { migrations } from "../../../src/tools/migrations/migrations.ts"
import { rollBack } from "../../../src/tools/migrations/rollBack.ts"
import { type Ports, realPorts, runMigrations } from "../../../src/tools/migrations/runMigrations.ts"
import { readTrust } from "../../../src/trust/store.ts"
import {
  contentsOf,
  currentVersions,
  differences,
  earlierVersions,
  type Golden,
  modesOf,
  unpack
} from "../../support/goldenState.ts"
import { killedAtEach, removeBundle } from "../../support/killed.ts"
import { quickDisk } from "../../support/steppedDisk.ts"

/** As a release before time-outs had their today's length would have written them, and the record of what it wrote. */
const withOlderRegistrations = (golden: Golden): Golden => {
  const file = join(golden.home, ".codex", "hooks.json")
  const text = readFileSync(file, "utf8")
  const older = text.replaceAll('"timeout": 10', '"timeout": 6')
  expect(older).not.toBe(text)
  writeFileSync(file, older)
  const record = recordFile(golden.state, file)
  const { after, ...rest } = JSON.parse(readFileSync(record, "utf8"))
  expect(after).toBe(digestOf(Buffer.from(text)))
  writeFileSync(record, `${JSON.stringify({ ...rest, after: digestOf(Buffer.from(older)) }, null, 2)}\n`)
  return golden
}

const asItIs = (golden: Golden) => contentsOf(golden.home)

/** As it was, but for what tells of it; and every file that was there is. */
const expectAsBefore = ({ home }: Golden, was: Readonly<Record<string, string>>, at = ""): void =>
  expect(differences(home, was), at).toEqual([])

const framesIn = (state: string) =>
  readdirSync(join(state, "spool"))
    .filter((name) => name.endsWith(".frame"))
    .map((name) => [name.replace(".frame", ""), readFileSync(join(state, "spool", name))] as const)

const tablesOf = (state: string): unknown => {
  const db = new Sqlite(join(state, "log.sqlite"))
  try {
    return db.pragma("user_version", { simple: true })
  } finally {
    db.close()
  }
}

/** The facts that tell of it, by the spool's files. */
const factsIn = (state: string): readonly { readonly id: string; readonly data: Record<string, unknown> }[] =>
  readdirSync(join(state, "spool"))
    .filter((name) => name.endsWith(".ndjson"))
    .flatMap((name) =>
      readFileSync(join(state, "spool", name), "utf8")
        .trim()
        .split("\n")
    )
    .map((line) => JSON.parse(line))
    .filter(({ type }) => String(type).startsWith("MIGRATION_"))

const named = (state: string, type: string): readonly unknown[] => [
  ...new Map(
    factsIn(state)
      .filter(({ data }) => data["type"] === type)
      .map(({ data, id }) => [id, data["name"] ?? data["names"]])
  ).values()
]

const expectMigrated = (golden: Golden, calls: ReturnType<typeof framesIn>): void => {
  const { home, state } = golden
  expect(reachedLayout(state)).toBe(layout)
  expect(standingOf(state)).toEqual({ kind: "current", reached: layout, newest: layout })
  expect(JSON.parse(readFileSync(join(state, "trust.json"), "utf8")).version).toBe(2)
  expect(Object.keys(readTrust(state).before)).not.toEqual([])
  const sealed = framesIn(state)
  expect(sealed.map(([name]) => name)).toEqual(calls.map(([name]) => name))
  sealed.forEach(([name, bytes], at) => {
    expect(isSealed(bytes)).toBe(true)
    expect(openFrame(digestKey(state), name, bytes)).toEqual(calls[at]?.[1])
  })
  expect(tablesOf(state)).toBe(3)
  expect(readFileSync(join(home, ".codex", "hooks.json"), "utf8")).not.toContain('"timeout": 6')
  expect(named(state, "MIGRATION_APPLIED").toSorted()).toEqual(migrations.map(({ name }) => name).toSorted())
  const left = Object.keys(contentsOf(home)).filter((name) => /\.(?:migrating|tmp)$|-wal$|-shm$/.test(name))
  expect(left).toEqual([])
}

const wentBack = { ".local/state/hooktape/layout": "0\n" }

const quick: Ports = { ...realPorts, disk: quickDisk }

afterAll(removeBundle)

describe("the list of migrations", () => {
  it("has each file of its folder once, in the order of their numbers, and its last number is the layout", () => {
    const numbers = migrations.map(({ number }) => number)
    const files = readdirSync(join(import.meta.dirname, "..", "..", "..", "src", "tools", "migrations"))
    const steps = files.filter((name) => /^\d{4}-/.test(name)).toSorted()
    expect(steps).toEqual(
      migrations.map(({ name, number }) => `${String(number).padStart(4, "0")}-${name}.ts`)
    )
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(numbers.at(-1)).toBe(layout)
  })

  it("says of each from which version to which it leads", () => {
    for (const { about, from, to } of migrations) {
      expect(from).toMatch(/^\d+\.\d+\.\d+$/)
      expect(to).toMatch(/^\d+\.\d+\.\d+$/)
      expect(to > from).toBe(true)
      expect(about).toMatch(/\.$/)
    }
  })
})

describe.each(earlierVersions)("the state that %s left", (version) => {
  const unpacked = () => withOlderRegistrations(unpack(version))

  it("is behind, and looking at it changes nothing", () => {
    const golden = unpacked()
    const was = asItIs(golden)
    expect(standingOf(golden.state)).toEqual({ kind: "behind", reached: 0, newest: layout })
    const due = dueMigrations(golden.state, [], false)
    expect(due.map(({ migration }) => migration.name)).toEqual(migrations.map(({ name }) => name))
    expect(due.every(({ files }) => files.length > 0)).toBe(true)
    expect(contentsOf(golden.home)).toEqual(was)
  })

  it("becomes today's, each step with a result, and once more nothing happens", () => {
    const golden = unpacked()
    const calls = framesIn(golden.state)
    const report = runMigrations({ state: golden.state })
    expect(report).toMatchObject({ from: 0, to: layout })
    expect(report.results.map(({ name, status }) => `${name}: ${status}`)).toEqual(
      migrations.map(({ name }) => `${name}: done`)
    )
    expectMigrated(golden, calls)
    const once = contentsOf(golden.home)
    expect(runMigrations({ state: golden.state })).toEqual({ from: layout, to: layout, results: [] })
    expect(contentsOf(golden.home)).toEqual(once)
    // Looked at again, nobody finds anything either.
    const again = runMigrations({ state: golden.state, again: true })
    expect(again.results.map(({ status }) => status)).toEqual(migrations.map(() => "nothing to do"))
    expect(contentsOf(golden.home)).toEqual(once)
  })

  it("brought to layout 3 by the version that knew no more, is looked at by the steps after it alone", () => {
    const { state } = unpacked()
    const looked: string[] = []
    const ports = (steps: readonly Migration[]): Ports => ({
      ...realPorts,
      migrations: steps.map((step) => ({
        ...step,
        plan: (place) => {
          looked.push(step.name)
          return step.plan(place)
        }
      }))
    })
    const until3 = migrations.filter(({ number }) => number <= 3)
    expect(runMigrations({ state }, ports(until3))).toMatchObject({ from: 0, to: 3 })
    looked.length = 0
    const report = runMigrations({ state }, ports(migrations))
    expect(report).toMatchObject({ from: 3, to: layout })
    expect(report.results.map(({ number, status }) => [number, status])).toEqual([
      [4, "done"],
      [5, "done"]
    ])
    expect(looked).toEqual(["sealed-log", "registrations"])
    expect(reachedLayout(state)).toBe(layout)
  })

  it("keeps its log as it is where a copy of it has no room, and is brought on when there is some", () => {
    const { state } = unpacked()
    const log = join(state, "log.sqlite")
    const was = readFileSync(log)
    const full: Ports = { ...realPorts, disk: { ...quickDisk, room: () => 2 * was.length - 1 } }
    expect(JSON.stringify(runMigrations({ state }, full))).toMatch(
      /there is no room for a copy of [^"]*log\.sqlite \(\d+ MB\)/
    )
    expect(readFileSync(log).equals(was)).toBe(true)
    expect(reachedLayout(state)).not.toBe(layout)
    runMigrations({ state }, { ...full, disk: { ...quickDisk, room: () => 3 * was.length } })
    expect(reachedLayout(state)).toBe(layout)
    expect(readFileSync(log).equals(was)).toBe(false)
  })

  it("is taken back to the byte, and waits then until somebody asks", () => {
    const golden = unpacked()
    const { state } = golden
    const was = asItIs(golden)
    const calls = framesIn(state)
    // Not as a new file would be: an agent's settings are as open as their owner has them.
    const file = join(golden.home, ".codex", "hooks.json")
    chmodSync(file, 0o640)
    const modes = modesOf(golden.home)
    runMigrations({ state })
    expect(modesOf(golden.home)).toMatchObject({ [relative(golden.home, file)]: 0o640 })
    expect(rollBack({ state })).toMatchObject({ to: 0 })
    expectAsBefore(golden, { ...was, ...wentBack })
    expect(modesOf(golden.home)).toMatchObject(modes)
    expect(named(state, "MIGRATION_ROLLED_BACK")).toHaveLength(1)
    expect(standingOf(state).kind).toBe("held")
    expect(runMigrations({ state, byItself: true })).toMatchObject({ refused: "held", results: [] })
    expect(rollBack({ state })).toBeUndefined()
    runMigrations({ state })
    expect(standingOf(state).kind).toBe("current")
    expect(framesIn(state).length).toBe(calls.length)
  })

  it("is brought to the same end, or taken back to the byte, wherever the work was cut off", {
    timeout: 300_000
  }, async () => {
    const golden = unpacked()
    const { home, state } = golden
    const calls = framesIn(state)
    const was = asItIs(golden)
    const isBroughtOn = (at: string): void => {
      runMigrations({ state, byItself: true }, quick)
      expectMigrated(golden, calls)
      rollBack({ state }, quick)
      expectAsBefore(golden, { ...was, ...wentBack }, at)
    }
    const isTakenBack = (at: string): void => {
      rollBack({ state }, quick)
      // Whoever opens the log next clears away what a killed connection left beside it.
      tablesOf(state)
      expectAsBefore(golden, { ...was, ...(existsSync(join(state, "layout")) ? wentBack : {}) }, at)
    }
    // Of each kill both are looked at: a process takes longer to start than to do all of it.
    await killedAtEach(home, "on", { state }, isBroughtOn, isTakenBack)
  })

  it("is taken back to the byte wherever the taking back was cut off", { timeout: 300_000 }, async () => {
    const golden = unpacked()
    const { home, state } = golden
    const was = asItIs(golden)
    runMigrations({ state })
    await killedAtEach(home, "back", { state }, (at) => {
      rollBack({ state }, quick)
      tablesOf(state)
      expectAsBefore(golden, { ...was, ...wentBack }, at)
    })
  })

  it("keeps the facts of its log as they are, unsealed and sound", () => {
    const { state } = unpacked()
    runMigrations({ state })
    const { findings, last, unsealed } = verifyLog(join(state, "log.sqlite"))
    expect(findings).toEqual([])
    expect(unsealed).toBeGreaterThan(20)
    expect(last).toBeGreaterThanOrEqual(unsealed)
  })

  it("is migrated where a state directory is made ready, and a damaged trust record holds nothing up", () =>
    Effect.gen(function* () {
      const golden = unpacked()
      const { state } = golden
      const calls = framesIn(state)
      writeFileSync(join(state, "trust.json"), "{ damaged")
      yield* prepareState(state)
      expect(reachedLayout(state)).toBe(layout)
      expect(framesIn(state).length).toBe(calls.length)
      expect(readFileSync(join(state, "trust.json"), "utf8")).toBe("{ damaged")
      expect(readTrust(state).trusted).toEqual({})
    }).pipe(Effect.runPromise))
})

describe.each(currentVersions)("the state that %s left, which is today's", (version) => {
  it("is left as it is, whoever looks, and can be read", () => {
    const { home, state } = unpack(version)
    const was = contentsOf(home)
    expect(standingOf(state)).toEqual({ kind: "current", reached: layout, newest: layout })
    expect(runMigrations({ state })).toEqual({ from: layout, to: layout, results: [] })
    const again = runMigrations({ state, again: true })
    expect(again.results.map(({ status }) => status)).toEqual(migrations.map(() => "nothing to do"))
    expect(rollBack({ state })).toBeUndefined()
    expect(differences(home, was)).toEqual([])
    expect(verifyLog(join(state, "log.sqlite"))).toMatchObject({ findings: [] })
    expect(Object.keys(readTrust(state).trusted)).not.toEqual([])
    for (const [name, bytes] of framesIn(state))
      expect(openFrame(digestKey(state), name, bytes)?.toString()).toContain("s-golden")
  })
})
