/** `hooktape forget`: what was taken out is in no byte of the state directory, the log says that something went, the rest is as it was. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openFindings } from "../../../src/features/findings/catchUp.ts"
import { backupName } from "../../../src/features/memory/backUp.ts"
import { shippedClient } from "../../../src/programs/cli/prepare.ts"
import { hiding } from "../../../src/tools/shipping/hiding.ts"
import { command } from "../../support/command.ts"
import { bash, type Station, station } from "../../support/entrypoint.ts"
import { equip, type RunningHost, startHost } from "../../support/host.ts"
import { openPlainly } from "../../support/log/plainSqlite.ts"

const text = 'the "orchid" plan'

let place: Station
let hosts: RunningHost[] = []
beforeEach(async () => {
  place = await station()
  await place.build(true)
})
afterEach(async () => {
  for (const host of hosts) await host.stop("SIGKILL")
  hosts = []
})

const hooktape = (...args: readonly string[]) => command(place, ...args)

const holding = (wanted: string, folder = place.state): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => {
    const path = join(folder, name)
    if (!statSync(path).isFile()) return false
    const bytes = readFileSync(path)
    return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).includes(wanted)
  })

const prompt = (session: string, said: string) =>
  place.fire({
    event: "UserPromptSubmit",
    input: JSON.stringify({
      session_id: session,
      transcript_path: "/nowhere",
      cwd: place.project,
      hook_event_name: "UserPromptSubmit",
      prompt: said
    })
  })

/** As the shipped hook leaves it, and what other parts of the state hold of what agents say. */
const besides = (session: string, said: string): void => {
  for (const folder of ["backups/sessions", "logs", "spool/errors"])
    mkdirSync(join(place.state, folder), { recursive: true, mode: 0o700 })
  const line = JSON.stringify({ sessionId: session, said })
  const backup = join(place.state, "backups", "sessions", backupName(session, "/x.jsonl"))
  writeFileSync(backup, gzipSync(`${line}\n`), { mode: 0o600 })
  writeFileSync(join(place.state, "logs", "host.log"), `before\n${said}\nafter\n`, { mode: 0o600 })
  const aside = JSON.stringify({
    file: "x",
    line: 1,
    reason: "no fact",
    text: JSON.stringify({ session, said })
  })
  writeFileSync(join(place.state, "spool", "errors", "x.1.json"), aside, { mode: 0o600 })
}

describe("a text that is forgotten", () => {
  beforeEach(async () => {
    await prompt("one", `The matter of ${text}, ever and ever.`)
    await place.fire({ input: bash(`echo '${text}'`) })
    await prompt("two", "The roses are for everybody.")
    await hooktape("note", `Remember ${text}`)
    // Into the tables of the search.
    expect((await hooktape("search", "ever")).stdout).toContain("orchid")
    await prompt("one", `Once more ${text}: it lies in the spool.`)
    besides("one", text)
  })

  it("is in no byte that is kept, the rest stays, and the log says that it went", async () => {
    expect(holding("orchid").length).toBeGreaterThan(3)
    const before = await place.facts()
    const done = await hooktape("forget", "--matching", text, "--yes", "--json")
    expect(done).toMatchObject({ code: 0, stderr: "" })
    const { affected, compacted, files, left } = JSON.parse(done.stdout)
    expect({ compacted, left }).toEqual({ compacted: true, left: [] })
    expect(files.length).toBe(3)
    expect(holding("orchid")).toEqual([])
    const after = await place.facts()
    const own = after.filter(({ type }) => type === "FACT_REDACTED")
    expect(own).toHaveLength(affected.length)
    expect(own.map(({ data }) => data)).toEqual(
      affected.map(({ fact, facts, stream }: { fact: string; facts: number; stream: string }) => ({
        type: "FACT_REDACTED",
        fact,
        facts,
        stream,
        extent: "text",
        reason: "forgotten by its user"
      }))
    )
    expect(after.slice(0, before.length).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    expect(JSON.stringify(after)).toContain("The matter of ‹forgotten›, ever and ever.")
    const found = await hooktape("search", "ever")
    expect(found.stdout).toContain("The matter of ‹forgotten›, ever and ever.")
    expect((await hooktape("search", "roses")).stdout).toContain("roses")
    expect((await hooktape("notes", "list")).stdout).toContain("Remember ‹forgotten›")
    expect((await hooktape("doctor", "--json")).stdout).not.toMatch(/"log","status":"fail"/)
  })

  it("is only told of in a dry run, and not taken out without a yes", async () => {
    const told = await hooktape("forget", "--matching", text, "--dry-run")
    expect(told).toMatchObject({ code: 0, stderr: "" })
    expect(told.stdout).toMatch(/^would forget this text: [1-9]\d* facts of \d+ invocations?/)
    expect(told.stdout).toContain("log.sqlite")
    const refused = await hooktape("forget", "--matching", text)
    expect(refused).toMatchObject({ code: 1, stdout: "" })
    expect(refused.stderr).toMatch(/takes --yes/)
    expect(holding("orchid").length).toBeGreaterThan(3)
    expect((await place.facts()).filter(({ type }) => type === "FACT_REDACTED")).toEqual([])
    const affected = async (...args: readonly string[]): Promise<unknown> =>
      JSON.parse((await hooktape("forget", "--matching", text, "--json", ...args)).stdout).affected
    const planned = await affected("--dry-run")
    expect(planned).toEqual(await affected("--yes"))
    expect(planned).not.toEqual([])
    expect(await affected("--dry-run")).toEqual([])
  })

  it("that stands in what undoes an installation is named, and that file left as it is", async () => {
    const backup = join(place.state, "backups", "settings.json")
    writeFileSync(backup, JSON.stringify({ text }), { mode: 0o600 })
    const done = await hooktape("forget", "--matching", text, "--yes")
    expect(done.code).toBe(1)
    expect(done.stderr).toContain(backup)
    expect(holding("orchid")).toEqual([join("backups", "settings.json")])
  })
})

it("is in nothing that was worked out of payloads to be shipped, the words of what was tried among it", async () => {
  const file = join(place.state, "log.sqlite")
  const fired = (event: string, more: object) =>
    place.fire({
      event,
      input: JSON.stringify({
        session_id: "one",
        transcript_path: "/nowhere",
        cwd: place.project,
        hook_event_name: event,
        ...more
      })
    })
  const called = async (id: string, name: string, input: object, end: readonly [string, object]) => {
    const call = { tool_name: name, tool_input: input, tool_use_id: id }
    await fired("PreToolUse", call)
    await fired(end[0], { ...call, ...end[1] })
  }
  const failure = { error: "Exit code 1\nTypeError: orchid is not a function", is_interrupt: false }
  await called("t1", "Bash", { command: "npm test -- orchid" }, ["PostToolUseFailure", failure])
  const change = { file_path: "/p/orchid.ts", old_string: "old", new_string: "const orchid = 1" }
  await called("t2", "Edit", change, ["PostToolUse", { tool_response: { filePath: "/p/orchid.ts" } }])
  await hooktape("log")
  const steps = openFindings(file, { hide: hiding(Buffer.alloc(32, 7)), shippedBy: "ship/collector" })
  while (steps.step());
  steps.close()
  const kept = () => {
    const db = openPlainly(file)
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE name GLOB 'findings*' AND type = 'table'")
    const rows = (tables.all() as readonly { name: string }[]).map(({ name }) => [
      name,
      JSON.stringify(db.prepare(`SELECT * FROM ${name}`).all()).includes("orchid")
    ])
    db.close()
    return Object.fromEntries(rows) as Record<string, boolean>
  }
  expect(kept()).toMatchObject({ findings: false, findings_chains: true, findings_steps: true })
  const done = await hooktape("forget", "--matching", "orchid", "--yes", "--json")
  expect(done).toMatchObject({ code: 0, stderr: "" })
  expect(kept()).toEqual({})
  expect(holding("orchid")).toEqual([])
})

it.each([
  [["forget"], /a session, a ref, or --matching/],
  [["forget", "last", "--matching", "abcdef"], /a session, a ref, or --matching/],
  [["forget", "--matching", "abc", "--yes"], /fewer than 4 characters/],
  [["forget", "none-such", "--yes"], /no invocation/]
])("refuses %j in words", async (args, why) => {
  await prompt("one", "hello")
  const refused = await hooktape(...args)
  expect(refused).toMatchObject({ code: 1, stdout: "" })
  expect(refused.stderr).toMatch(why)
})

describe("a session that is forgotten", () => {
  it("takes its calls, notes and copies with it, and nobody else's", async () => {
    await prompt("one", `Of ${text}.`)
    await prompt("two", "The roses are for everybody.")
    besides("one", text)
    const before = await place.facts()
    const done = await hooktape("forget", "one", "--yes")
    expect(done).toMatchObject({ code: 0, stderr: "" })
    expect(done.stdout).toMatch(/forgot session one: \d+ facts of /)
    // The host's own log is no session's.
    expect(holding("orchid")).toEqual([join("logs", "host.log")])
    const after = await place.facts()
    expect(after.filter(({ session }) => session === "one")).toEqual([])
    const gone = new Set(before.filter(({ session }) => session === "one").map(({ stream }) => stream))
    expect(after.filter(({ type }) => type !== "FACT_REDACTED")).toEqual(
      before.filter(({ stream }) => !gone.has(stream))
    )
    expect(
      after
        .filter(({ type }) => type === "FACT_REDACTED")
        .map(({ data }) => (data as { stream: string }).stream)
    ).toEqual([...gone])
  })

  it("is named by its whole id, which its beginning tells", async () => {
    await prompt("4444-one", `Of ${text}.`)
    const done = await hooktape("forget", "4444", "--yes")
    expect(done).toMatchObject({ code: 1, stdout: "" })
    expect(done.stderr).toContain(
      '"4444" is a part of the session 4444-one. A session is named by its whole id'
    )
    expect(holding("orchid").length).toBeGreaterThan(0)
  })

  it("may be one call", async () => {
    await prompt("one", "The roses stay.")
    await prompt("one", `Of ${text}.`)
    expect(await hooktape("forget", "last", "--yes")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("the last call")
    })
    expect(holding("orchid")).toEqual([])
    expect(holding("roses").length).toBeGreaterThan(0)
  })
})

describe.skipIf(!existsSync(shippedClient()))("while a host runs", () => {
  it("nothing of it is left either, and the next call is answered", async () => {
    await equip(place)
    hosts.push(await startHost(place))
    await prompt("one", `Of ${text}.`)
    const done = await hooktape("forget", "--matching", text, "--yes")
    expect(done).toMatchObject({ code: 0, stderr: "" })
    expect(holding("orchid")).toEqual([])
    expect(await prompt("one", "The roses are for everybody.")).toMatchObject({ code: 0 })
    await hooktape("host", "stop")
    expect(JSON.stringify(await place.facts())).toContain("The roses are for everybody.")
  })
})
