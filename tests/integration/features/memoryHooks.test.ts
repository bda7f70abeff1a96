/** The shipped hooks that remember: what they keep of a session, and what the next one is told. */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { takeChanged } from "../../../src/features/checkpoints/takeChanged.ts"
import { backUp, backupsFolder } from "../../../src/features/memory/backUp.ts"
import { sessionBackup } from "../../../src/features/memory/sessionBackup.ts"
import { storeSummary } from "../../../src/features/memory/storeSummary.ts"
import { storeNote } from "../../../src/features/notes/storeNote.ts"
import { catchUp } from "../../../src/features/search/catchUp.ts"
import type { Services } from "../../../src/hooks/Services.ts"
import { scriptedServices } from "../../../src/hooks/scripted.ts"
import { openReader, type Reader } from "../../../src/log/reader.ts"
import { notesIn } from "../../../src/runtime/services/Note.ts"
import { settle } from "../../../src/runtime/services/place.ts"
import { buildHooks } from "../../../src/tools/build/build.ts"
import { bash, dataOf, type Station, station } from "../../support/entrypoint.ts"

const equipped = async (hooks: Readonly<Record<string, string>> = {}): Promise<Station> => {
  const at = await station()
  for (const [name, text] of Object.entries(hooks)) at.putUser(`hooks/${name}.ts`, text)
  await Effect.runPromise(buildHooks({ state: at.state, userFolder: at.userFolder, defaults: true }))
  return at
}

const raw = (at: Station, event: string, payload: object) =>
  at.fire({ agent: "raw", event, input: JSON.stringify(payload) })

const command = (at: Station, session: string, command: string, exitCode: number, response = "") =>
  raw(at, "tool.after", { session, tool: { name: "sh", kind: "shell", command, exitCode, response } })

const reading = async <A>(at: Station, work: (reader: Reader) => Promise<A>): Promise<A> => {
  const reader = openReader(at.state)
  try {
    return await work(reader)
  } finally {
    reader.close()
  }
}

/** What the model is told. */
const told = async (at: Station, event: string, payload: object): Promise<string> => {
  const { stdout } = await raw(at, event, payload)
  return (JSON.parse(stdout) as { context?: string }).context ?? ""
}

const ready = async (at: Station) => {
  await at.facts()
  catchUp(join(at.state, "log.sqlite"))
}

const ends = ["Stop", "SessionEnd", "PreCompact"]

/** The sessions for which a hook has a job, where each had an event: those at which something ends, and one in the midst. */
const askedFor = async (hook: string): Promise<readonly (string | null)[]> => {
  const at = await equipped()
  for (const event of ends) {
    const input = { session_id: `s-${event}`, transcript_path: at.put(`../${event}.jsonl`, "{}") }
    await at.fire({ event, input: JSON.stringify({ hook_event_name: event, ...input }) })
  }
  await at.fire({ event: "PostToolUse", input: bash("true") })
  return (await at.facts())
    .filter(
      ({ data, type }) => type === "JOB_ENQUEUED" && (data as { readonly handler?: string }).handler === hook
    )
    .map(({ session }) => session)
}

describe("session-summary", () => {
  it("is written when a turn or a session of an agent ends, and before it forgets", async () => {
    expect(await askedFor("session-summary")).toEqual(ends.map((event) => `s-${event}`))
  })

  it("keeps one note of a session: told from its facts, the newest in place of those before, and none where nothing is new", async () => {
    const at = await equipped()
    const place = { state: at.state, project: at.project, cwd: at.project, session: "s-1" }
    const store = () => reading(at, (reader) => storeSummary(reader, place))
    expect(await store()).toEqual({ skipped: "nothing was asked for or done" })
    await raw(at, "prompt.submit", { session: "s-1", prompt: "Fix the login" })
    await raw(at, "prompt.submit", { session: "other", prompt: "Something else" })
    expect(await store()).toEqual({ stored: "Goal: Fix the login" })
    expect(await store()).toEqual({ skipped: "nothing is new" })
    await command(at, "s-1", "npm test", 1, "Error: no")
    expect((await store()).stored).toContain("Unresolved:\n- `npm test`: Error: no")
    await raw(at, "prompt.submit", { session: "s-1", prompt: "Now the tests" })
    expect((await store()).stored).toContain("Goal: Fix the login\nLast asked: Now the tests\n")
    const notes = notesIn(await at.facts())
    expect(notes.map(({ kind, retracted, session, source }) => [kind, session, source, retracted])).toEqual([
      ["summary", "s-1", "hook session-summary", "there is a newer one"],
      ["summary", "s-1", "hook session-summary", "there is a newer one"],
      ["summary", "s-1", "hook session-summary", null]
    ])
  })

  it("is what the hooks on reflection.before make of it", async () => {
    const at = await equipped({
      veto: `import { blockingFeedback, defineHook } from "hooktape"
        export default defineHook({ name: "veto", on: "reflection.before", run: ({ kind, source }) => blockingFeedback(kind + " of " + source) })\n`
    })
    await raw(at, "prompt.submit", { session: "s-1", prompt: "x" })
    const place = { state: at.state, project: at.project, cwd: at.project, session: "s-1" }
    expect(await reading(at, (reader) => storeSummary(reader, place))).toEqual({
      skipped: "hook veto refused it: summary of hook session-summary"
    })
  })
})

describe("session-backup", () => {
  const limits = { mostBytes: 1000, mostSessions: 2, mostDays: 30 }

  it("keeps no secret of the transcript in its copy, neither of a line of JSON nor of plain text", async () => {
    const at = await station()
    const secret = ["hunter2", "Xy9Qw"].join("-")
    const line = JSON.stringify({ type: "user", text: `DB_PASSWORD=${secret}` })
    const transcript = at.put("../t.jsonl", `${line}\npassword: ${secret}\nlast\n`)
    const { file = "" } = await backUp({ state: at.state, session: "s", transcript, ...limits }, Date.now())
    const copy = gunzipSync(readFileSync(file)).toString()
    expect(copy).not.toContain(secret)
    expect(copy).toMatch(
      /\{"type":"user","text":"DB_PASSWORD=‹redacted:password›"\}\npassword: ‹redacted:password›\nlast\n$/
    )
  })

  it("keeps a private, compressed copy, of a long transcript the end, one for each session", async () => {
    const at = await station()
    const transcript = at.put("../t.jsonl", `${"x".repeat(1500)}end`)
    const keep = () => backUp({ state: at.state, session: "../../s", transcript, ...limits }, Date.now())
    const { bytes, file = "" } = await keep()
    expect(bytes).toBe(1000)
    expect(gunzipSync(readFileSync(file)).toString()).toBe(`${"x".repeat(997)}end`)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    writeFileSync(transcript, "short")
    expect((await keep()).file).toBe(file)
    expect(gunzipSync(readFileSync(file)).toString()).toBe("short")
    expect(readdirSync(backupsFolder(at.state))).toEqual([
      expect.stringMatching(/^_+s-[0-9a-f]{8}\.jsonl\.gz$/)
    ])
  })

  it("keeps by its hook what the agent names, as much of it as the settings say", async () => {
    const at = await station()
    const transcript = at.put("../t.jsonl", `${"x".repeat(2000)}end`)
    const services: Services = {
      ...scriptedServices({ now: Date.now() }),
      call: async (_name, _input, act) => act()
    }
    settle(services, () => ({
      state: at.state,
      get reader(): Reader {
        throw new Error("no log is asked")
      }
    }))
    const run = (settings: object) =>
      sessionBackup.run({
        payload: { transcript_path: transcript },
        session: "s",
        services,
        settings
      } as never)
    const copy = () => {
      const [name = ""] = readdirSync(backupsFolder(at.state))
      return gunzipSync(readFileSync(join(backupsFolder(at.state), name))).toString()
    }
    expect(await run({})).toMatchObject({ message: expect.stringMatching(/^2003 bytes kept in /) })
    expect(copy()).toBe(readFileSync(transcript, "utf8"))
    // A thousandth of a megabyte is no whole number of bytes.
    expect(await run({ megabytes: 0.001 })).toMatchObject({
      message: expect.stringMatching(/^1048 bytes kept in /)
    })
    expect(copy()).toBe(`${"x".repeat(1045)}end`)
  })

  it("is asked for when a turn or a session of an agent ends, and before it forgets", async () => {
    expect(await askedFor("session-backup")).toEqual(ends.map((event) => `s-${event}`))
  })

  it("takes no link, no directory and no missing file, and says so", async () => {
    const at = await station()
    const target = at.put("../secret", "key")
    symlinkSync(target, join(at.home, "link"))
    const of = (transcript: string) =>
      backUp({ state: at.state, session: "s", transcript, ...limits }, Date.now())
    expect(await of(join(at.home, "link"))).toMatchObject({ skipped: "the transcript is not a plain file" })
    expect(await of(at.home)).toMatchObject({ skipped: "the transcript is not a plain file" })
    expect(await of(join(at.home, "none"))).toMatchObject({ skipped: "there is no transcript at this place" })
    expect(await of("relative")).toMatchObject({ skipped: "the agent names no transcript" })
    expect(readdirSync(backupsFolder(at.state))).toEqual([])
  })

  it("keeps so many sessions, for so long", async () => {
    const at = await station()
    const transcript = at.put("../t.jsonl", "x")
    const now = Date.now()
    const of = (session: string) => backUp({ state: at.state, session, transcript, ...limits }, now)
    const old = (await of("old")).file ?? ""
    utimesSync(old, new Date(now - 31 * 86_400_000), new Date(now - 31 * 86_400_000))
    expect((await of("one")).removed).toBe(1)
    const first = (await of("two")).file ?? ""
    utimesSync(first, new Date(now - 60_000), new Date(now - 60_000))
    expect((await of("three")).removed).toBe(1)
    expect(readdirSync(backupsFolder(at.state))).toHaveLength(2)
  })
})

describe("auto-checkpoint", () => {
  it("takes one where something was done since the last, and none where nothing was", async () => {
    const at = await equipped()
    const take = () =>
      reading(at, (reader) =>
        takeChanged(reader, {
          state: at.state,
          project: at.project,
          cwd: at.project,
          trigger: "turn.stop",
          session: "s-1"
        })
      )
    const nothing = { skipped: "nothing was done since the last one" }
    expect(await take()).toEqual(nothing)
    await command(at, "s-1", "npm test", 0)
    expect(await take()).toEqual({ quality: 100 })
    expect(await take()).toEqual(nothing)
    await command(at, "s-1", "npm test", 1)
    expect(await take()).toMatchObject({
      refused: expect.stringMatching(/^quality-gate: quality \d+ is under 60/)
    })
    expect(await take()).toEqual(nothing)
  })
})

describe("session-brief", () => {
  it("tells a new session what those before it left, and nothing where there is nothing", async () => {
    const at = await equipped()
    expect(await told(at, "session.start", { session: "s-1", source: "startup" })).toBe("")
    await raw(at, "prompt.submit", { session: "s-1", prompt: "Fix the login" })
    await command(at, "s-1", "npm test", 1, "Error: no login")
    await reading(at, (reader) =>
      storeSummary(reader, { state: at.state, project: at.project, cwd: at.project, session: "s-1" })
    )
    at.put(".git/HEAD", "")
    at.putUser("preferences.md", "Use pnpm.")
    mkdirSync(join(at.project, ".hooktape"), { recursive: true })
    symlinkSync(at.put("../secret.md", "SECRET"), join(at.project, ".hooktape", "preferences.md"))
    const text = await told(at, "session.start", { session: "s-2", source: "startup" })
    for (const part of ["Use pnpm.", "- `npm test`: Error: no login", "Goal: Fix the login"])
      expect(text).toContain(part)
    expect(text).not.toContain("SECRET")
    expect(await told(at, "session.start", { session: "s-2", source: "resume" })).toBe("")
  })
})

describe("context", () => {
  it("gives what has to do with the prompt, once in a session, and is silent where there is nothing", async () => {
    const at = await equipped()
    const ask = (session: string, prompt: string) => told(at, "prompt.submit", { session, prompt })
    expect(await ask("s-0", "the redis tests fail")).toBe("")
    await storeNote({
      state: at.state,
      project: at.project,
      cwd: at.project,
      text: "Redis tests need port 6379",
      source: "operator"
    })
    await command(at, "s-0", "npm run redis-tests", 1, "connection refused")
    await command(at, "s-0", "redis-server", 0)
    await command(at, "s-0", "npm run redis-tests", 0)
    await ready(at)
    const first = await ask("s-1", "why do the redis tests fail?")
    expect(first).toContain("- note: Redis tests need port 6379")
    expect(first).toContain("- fixed before: `npm run redis-tests` failed, and succeeded later.")
    expect(await ask("s-1", "the redis tests fail again")).toBe("")
    expect(await ask("s-1", "paint the button blue")).toBe("")
    expect(await ask("s-2", "the redis tests fail")).toContain("6379")
    expect(await ask("s-3", "/redis tests")).toBe("")
    const [run] = (await at.runs()).filter((one) =>
      dataOf(one, "HANDLER_SUCCEEDED").some(({ patch }) => patch?.["recalled"])
    )
    expect(run?.types).toContain("SERVICE_CALLED")
  })

  it("looks for what the hooks on search.before make of a prompt", async () => {
    const at = await equipped({
      wider: `import { defineHook } from "hooktape"
        export default defineHook({ name: "wider", on: "search.before", run: ({ query }) => ({ metadata: { query: query.replace("cache", "redis") } }) })\n`
    })
    await storeNote({
      state: at.state,
      project: at.project,
      cwd: at.project,
      text: "Redis tests need port 6379",
      source: "operator"
    })
    await ready(at)
    expect(await told(at, "prompt.submit", { session: "s-1", prompt: "the cache tests fail" })).toContain(
      "6379"
    )
  })
})
