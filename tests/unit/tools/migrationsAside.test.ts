/** What goes another way than the straight one: files that changed since, a log that was written since, steps that fail, a newer state, projects. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import Sqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { checkMigrations } from "../../../src/programs/cli/doctor/migrations.ts"
import { layout, reachedLayout } from "../../../src/state/layout.ts"
import { forgetLogCopies } from "../../../src/tools/forget/forgetFiles.ts"
import { planInstall } from "../../../src/tools/install/plan.ts"
import { backUp, recordFile } from "../../../src/tools/install/store.ts"
import { registeredProjects } from "../../../src/tools/migrations/0005-registrations.ts"
import { readJournal } from "../../../src/tools/migrations/journal.ts"
import { takeMigrationLock } from "../../../src/tools/migrations/lock.ts"
import type { Migration } from "../../../src/tools/migrations/Migration.ts"
import { MigrationError } from "../../../src/tools/migrations/MigrationError.ts"
import { rollBack } from "../../../src/tools/migrations/rollBack.ts"
import { realPorts, runMigrations } from "../../../src/tools/migrations/runMigrations.ts"
import { contentsOf, unpack } from "../../support/goldenState.ts"
import { registerAsBefore } from "../../support/registeredProject.ts"

const logOf = (state: string): string => join(state, "log.sqlite")

const ask = (file: string, sql: string): unknown => {
  const db = new Sqlite(file)
  try {
    return db.prepare(sql).pluck().get()
  } finally {
    db.close()
  }
}

const schemaOf = (file: string): unknown => {
  const db = new Sqlite(file)
  try {
    return db.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY name").raw().all()
  } finally {
    db.close()
  }
}

const append = (file: string): void => {
  const db = new Sqlite(file)
  try {
    const { kind, marks, stream } = db
      .prepare("SELECT stream, kind, marks FROM recorded LIMIT 1")
      .get() as Record<string, number>
    db.prepare(
      "INSERT INTO recorded (id, stream, stream_version, kind, occurred_at, recorded_at, marks, data) VALUES ('new', ?, 9999, ?, 1, 1, ?, '{}')"
    ).run(stream, kind, marks)
  } finally {
    db.close()
  }
}

describe("a log that was written since", () => {
  it("is taken back by statements: its tables are the former ones, and no fact is lost", () => {
    const { state } = unpack()
    const file = logOf(state)
    const before = schemaOf(file)
    const facts = Number(ask(file, "SELECT count(*) FROM recorded"))
    runMigrations({ state })
    append(file)
    rollBack({ state })
    expect(ask(file, "PRAGMA user_version")).toBe(2)
    expect(ask(file, "SELECT count(*) FROM recorded")).toBe(facts + 1)
    expect(schemaOf(file)).toEqual(before)
    // And up again.
    runMigrations({ state })
    expect(ask(file, "PRAGMA user_version")).toBe(3)
    expect(ask(file, "SELECT count(*) FROM recorded")).toBe(facts + 1)
  })

  it("is taken back without its copy, which goes with the first thing that is forgotten", () => {
    const { state } = unpack()
    runMigrations({ state })
    expect(forgetLogCopies(state)).toHaveLength(1)
    expect(forgetLogCopies(state)).toEqual([])
    rollBack({ state })
    expect(ask(logOf(state), "PRAGMA user_version")).toBe(2)
  })

  it("by another process right now, holds its step up and all behind it; the next run goes on", () => {
    const { state } = unpack()
    const db = new Sqlite(logOf(state))
    db.exec("BEGIN IMMEDIATE")
    const report = runMigrations({ state })
    db.exec("ROLLBACK")
    db.close()
    expect(report.to).toBe(3)
    expect(report.results.map(({ status }) => status)).toEqual(["done", "done", "failed"])
    expect(report.results.at(-1)?.reason).toContain("another process is writing")
    expect(runMigrations({ state }).to).toBe(layout)
    expect(rollBack({ state })?.names.toSorted()).toEqual(["sealed-calls", "sealed-log", "trust-by-content"])
    expect(reachedLayout(state)).toBe(0)
  })
})

describe("a file that was changed since", () => {
  it("is not put back unless that is wanted, and is kept then", () => {
    const { state } = unpack()
    const trust = join(state, "trust.json")
    const before = readFileSync(trust, "utf8")
    runMigrations({ state })
    const since = '{"version":2,"trusted":{},"revoked":{},"before":{}}\n'
    writeFileSync(trust, since)
    const was = contentsOf(state)
    expect(() => rollBack({ state })).toThrow(/changed since: .*trust\.json/)
    expect(contentsOf(state)).toEqual(was)
    rollBack({ state, force: true })
    expect(readFileSync(trust, "utf8")).toBe(before)
    const kept = readdirSync(join(state, "backups")).filter((name) => name.endsWith("-trust.json"))
    expect(kept.map((name) => readFileSync(join(state, "backups", name), "utf8"))).toContain(since)
  })

  it("is not said to be put back where it was a call that a host has taken in", () => {
    const { state } = unpack()
    runMigrations({ state })
    const spool = join(state, "spool")
    const isCall = (name: string): boolean => name.endsWith(".frame")
    for (const name of readdirSync(spool).filter(isCall)) rmSync(join(spool, name))
    const files = rollBack({ state })?.files ?? []
    expect(files).toContain(join(state, "trust.json"))
    expect(files.filter(isCall)).toEqual([])
  })

  it("is not put back where its backup is gone", () => {
    const { state } = unpack()
    runMigrations({ state })
    for (const name of readdirSync(join(state, "backups")))
      if (name.endsWith("-trust.json")) rmSync(join(state, "backups", name))
    const was = contentsOf(state)
    expect(() => rollBack({ state })).toThrow(/backup of .*trust\.json is gone/)
    expect(contentsOf(state)).toEqual(was)
  })

  it("is not put back where its backup is not what was kept", () => {
    const { state } = unpack()
    runMigrations({ state })
    for (const name of readdirSync(join(state, "backups")))
      if (name.endsWith("-trust.json")) writeFileSync(join(state, "backups", name), "{}")
    const was = contentsOf(state)
    expect(() => rollBack({ state })).toThrow(/backup of .*trust\.json .* is not what was kept/)
    expect(contentsOf(state)).toEqual(was)
  })
})

describe("a record of what was migrated that is damaged", () => {
  it("is not written over unasked, and is put aside where somebody asks", () => {
    const { state } = unpack()
    writeFileSync(join(state, "migrations.json"), "{ damaged")
    expect(runMigrations({ state, byItself: true })).toMatchObject({ refused: "held", results: [] })
    expect(readFileSync(join(state, "migrations.json"), "utf8")).toBe("{ damaged")
    runMigrations({ state })
    const aside = readdirSync(state).filter((name) => name.startsWith("migrations.json.damaged-"))
    expect(aside.map((name) => readFileSync(join(state, name), "utf8"))).toEqual(["{ damaged"])
  })

  it.each(["{ damaged", "", '{"version":1,"runs":"all"}'])(
    "such as %j takes nothing back, and says so",
    (text) => {
      const { state } = unpack()
      runMigrations({ state })
      writeFileSync(join(state, "migrations.json"), text)
      const was = contentsOf(state)
      for (const dryRun of [true, false])
        expect(() => rollBack({ state, dryRun })).toThrow(/migrations\.json is damaged/)
      expect(contentsOf(state)).toEqual(was)
      expect(checkMigrations(state)).toMatchObject([
        {
          status: "warn",
          message: expect.stringContaining("migrations.json is damaged"),
          fix: expect.stringContaining(join(state, "backups"))
        }
      ])
    }
  )
})

describe("backups behind a symbolic link", () => {
  const linked = (state: string, to: string): void => {
    mkdirSync(to)
    rmSync(join(state, "backups"), { recursive: true, force: true })
    symlinkSync(to, join(state, "backups"))
  }

  it("hold a migration up: nothing is written where it leads, and nothing is changed without a copy", () => {
    const { home, state } = unpack()
    const elsewhere = join(home, "elsewhere")
    linked(state, elsewhere)
    writeFileSync(join(elsewhere, ".migrating"), "not ours")
    const { results, to } = runMigrations({ state })
    expect(results.at(-1)).toMatchObject({
      name: "trust-by-content",
      status: "failed",
      reason: expect.stringContaining("backups is a symbolic link")
    })
    expect(to).toBe(0)
    expect(contentsOf(elsewhere)).toEqual({ ".migrating": Buffer.from("not ours").toString("latin1") })
    rmSync(join(state, "backups"))
    expect(runMigrations({ state }).to).toBe(layout)
  })

  it("take no settings file of an agent", async () => {
    const { home, state } = unpack()
    const elsewhere = join(home, "elsewhere")
    linked(state, elsewhere)
    const error = await Effect.runPromise(Effect.flip(backUp(state, join(home, "settings.json"), "{}")))
    expect(String(error.reason)).toContain("backups is a symbolic link")
    expect(readdirSync(elsewhere)).toEqual([])
  })
})

describe("only one migrates", () => {
  it("at a time: another process waits, and says so when it waited long", () => {
    const { state } = unpack()
    const release = takeMigrationLock(state)
    try {
      expect(() => takeMigrationLock(state, 50)).toThrow("another process is migrating")
    } finally {
      release()
    }
    takeMigrationLock(state, 50)()
  })
})

describe("a state of a newer version", () => {
  it("is left as it is, and said", () => {
    const { state } = unpack()
    writeFileSync(join(state, "layout"), `${layout + 1}\n`)
    writeFileSync(join(state, "migrations.json"), '{ "version": 2, "what": "ever" }')
    const was = contentsOf(state)
    expect(runMigrations({ state, again: true })).toMatchObject({ refused: "newer", results: [] })
    expect(() => rollBack({ state })).toThrow(MigrationError)
    expect(() => readJournal(state)).toThrow("written by a newer hooktape")
    expect(checkMigrations(state)).toMatchObject([
      { status: "warn", message: expect.stringContaining("newer hooktape") }
    ])
    const { "run/migrate.lock": _, ...is } = contentsOf(state)
    expect(is).toEqual(was)
  })
})

const failing: Migration = {
  number: layout + 1,
  name: "planted",
  from: "0.2.0",
  to: "0.3.0",
  of: "trust",
  about: "Planted.",
  plan: () => {
    throw new MigrationError("it cannot be done", "Do it by hand.")
  }
}

describe("doctor", () => {
  it("names what is due, what was cut off and what was taken back", () => {
    const { state } = unpack()
    const [due] = checkMigrations(state)
    expect(due).toMatchObject({ status: "warn", fix: 'Run "hooktape migrate".' })
    expect(due?.message).toBe("due: trust-by-content, sealed-calls, sealed-log, registrations")
    runMigrations({ state })
    expect(checkMigrations(state)).toMatchObject([{ status: "ok" }])
    rollBack({ state })
    expect(checkMigrations(state)).toMatchObject([
      { status: "warn", message: expect.stringContaining("taken back") }
    ])
  })

  it("names a step that was begun and not brought to its end", () => {
    const { state } = unpack()
    const disk = {
      ...realPorts.disk,
      moment: (name: string): void => {
        if (name === "before the commit") throw Object.assign(new Error("no space left"), { code: "ENOSPC" })
      }
    }
    const report = runMigrations({ state }, { ...realPorts, disk })
    expect(report.results.at(-1)).toMatchObject({ name: "sealed-log", status: "failed" })
    expect(checkMigrations(state)).toMatchObject([
      { status: "fail", message: "a migration of sealed-log was not brought to its end: no space left" }
    ])
    expect(ask(logOf(state), "PRAGMA user_version")).toBe(2)
  })
})

describe("a step that fails", () => {
  it("says why and what to do, and the number stays at the last that succeeded", () => {
    const { state } = unpack()
    const ports = { ...realPorts, migrations: [...realPorts.migrations, failing] }
    const report = runMigrations({ state }, ports)
    expect(report.to).toBe(layout)
    expect(report.results.at(-1)).toMatchObject({
      name: "planted",
      status: "failed",
      reason: "it cannot be done",
      remedy: "Do it by hand."
    })
  })
})

describe("a project's own part", () => {
  const withProject = () => {
    const { home, state } = unpack()
    return { ...registerAsBefore(state, join(home, "shop")), state }
  }

  it("is found wherever its agent keeps settings in a project", () => {
    const { project, state } = withProject()
    const file = join(project, ".github", "hooks", "hooktape.json")
    const bin = join(state, "bin", "hook")
    const input = { agent: "copilot", scope: "project", file, bin, events: ["Stop"], currentText: undefined }
    const plan = planInstall(input as Parameters<typeof planInstall>[0])
    if (plan._tag === "Left") throw plan.left
    writeFileSync(recordFile(state, file), JSON.stringify(plan.right.record))
    expect(registeredProjects(state)).toEqual([project])
  })

  it("is migrated where it is asked for, and its number is kept for that project", () => {
    const { file, project, state, today } = withProject()
    const before = readFileSync(file, "utf8")
    expect(before).not.toBe(today)
    expect(registeredProjects(state)).toEqual([project])
    runMigrations({ state })
    expect(readFileSync(file, "utf8")).toBe(before)
    expect(readJournal(state).projects).toEqual({})
    runMigrations({ state, projects: registeredProjects(state) })
    expect(readFileSync(file, "utf8")).toBe(today)
    expect(readJournal(state).projects).toEqual({ [project]: layout })
    rollBack({ state })
    expect(readFileSync(file, "utf8")).toBe(before)
    expect(readJournal(state).projects).toEqual({})
  })

  it("is left alone where its settings are broken, or were taken out of them by hand", () => {
    for (const text of ["{ broken", "{}\n"]) {
      const { file, project, state } = withProject()
      writeFileSync(file, text)
      runMigrations({ state, projects: [project] })
      expect(readFileSync(file, "utf8")).toBe(text)
      expect(existsSync(recordFile(state, file))).toBe(true)
    }
  })
})
