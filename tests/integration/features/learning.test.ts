/** The shipped hooks that learn: from answers, from what is said of them, from good checkpoints; and what later sessions are told. */
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { MemoryFact } from "../../../events/facts.ts"
import { takeChanged } from "../../../src/features/checkpoints/takeChanged.ts"
import { confidenceOf } from "../../../src/features/learning/confidence.ts"
import { learn } from "../../../src/features/learning/hooks/learn.ts"
import { learnFromCheckpoint } from "../../../src/features/learning/hooks/learnFromCheckpoint.ts"
import { learnCheckpoint } from "../../../src/features/learning/learnCheckpoint.ts"
import { learnAnswer, learnFeedback } from "../../../src/features/learning/learnFromAnswers.ts"
import { catchUp } from "../../../src/features/search/catchUp.ts"
import { openReader, type Reader } from "../../../src/log/reader.ts"
import { keep } from "../../../src/runtime/dispatch/keep.ts"
import { dispatchSources } from "../../../src/runtime/dispatch/sources.ts"
import { type Note, noteStream, notesIn } from "../../../src/runtime/services/Note.ts"
import { buildHooks } from "../../../src/tools/build/build.ts"
import { dataOf, type Station, station } from "../../support/entrypoint.ts"
import { openPlainly } from "../../support/log/plainSqlite.ts"

afterEach(() => void vi.unstubAllEnvs())

const equipped = async (hooks: Readonly<Record<string, string>> = {}, config?: object): Promise<Station> => {
  const at = await station()
  for (const [name, text] of Object.entries(hooks)) at.putUser(`hooks/${name}.ts`, text)
  if (config !== undefined) at.putUser("config.json", JSON.stringify(config))
  await Effect.runPromise(buildHooks({ state: at.state, userFolder: at.userFolder, defaults: true }))
  return at
}

/** As a hook that its agent waits for: what it does is done when the call is answered. */
const inTheForeground = {
  hooks: { learn: { background: false }, "learn-from-checkpoint": { background: false } }
}

const raw = (at: Station, event: string, payload: object) =>
  at.fire({ agent: "raw", event, input: JSON.stringify(payload) })

const answer = (at: Station, session: string, lastMessage: string) =>
  raw(at, "turn.stop", { session, stopHookActive: false, lastMessage })

const told = async (at: Station, event: string, payload: object): Promise<string> => {
  const { stdout } = await raw(at, event, payload)
  return stdout === "" ? "" : ((JSON.parse(stdout) as { context?: string }).context ?? "")
}

const reading = async <A>(at: Station, work: (reader: Reader) => Promise<A>): Promise<A> => {
  const reader = openReader(at.state)
  try {
    return await work(reader)
  } finally {
    reader.close()
  }
}

const learnerAt = (at: Station, session: string | null) => ({
  state: at.state,
  project: at.project,
  cwd: at.project,
  session,
  source: "hook learn"
})

const learned = (at: Station, session: string | null, from: string, text: string) =>
  reading(at, (reader) => learnAnswer(reader, learnerAt(at, session), { from, text }))

const patterns = async (at: Station): Promise<readonly Note[]> =>
  notesIn(await at.facts()).filter(({ kind }) => kind === "pattern")

const append = (at: Station, fact: Extract<MemoryFact, { readonly note: string }>) =>
  keep(at.state, { stream: noteStream(fact.note), fact, marks: { project: at.project } }, dispatchSources)

const pnpm = "This project uses pnpm, not npm."
const found = (more: object) => ({ found: 1, stored: 0, confirmed: 0, doubted: 0, left: 0, ...more })

describe("what an answer says", () => {
  it("becomes a note with its source, what it is about and a first confidence, and an answer without is nothing", async () => {
    const at = await equipped({}, inTheForeground)
    await answer(at, "s-1", `Done. ${pnpm} The root cause was a stale lock.`)
    await answer(at, "s-1", "All tests pass.")
    const notes = await patterns(at)
    const [run] = await at.runs()
    expect(notes).toMatchObject([
      {
        text: pnpm,
        kind: "pattern",
        tags: ["convention"],
        confidence: 0.5,
        source: "hook learn",
        session: "s-1",
        project: at.project,
        from: run?.id,
        evidence: []
      },
      { text: "The root cause was a stale lock.", tags: ["cause"] }
    ])
    const said = (await at.runs()).flatMap((one) =>
      dataOf(one, "HANDLER_SUCCEEDED").filter(({ handler }) => handler === "learn")
    )
    expect(said.map(({ intents }) => intents)).toEqual([
      [{ type: "DIAGNOSTIC", level: "info", message: "2 patterns found: 2 new" }],
      []
    ])
  })

  it("is confirmed when it is said again: once in a session, in other words it is the same, and doing it again changes nothing", async () => {
    const at = await equipped()
    expect(await learned(at, "s-1", "a", pnpm)).toEqual(found({ stored: 1 }))
    expect(await learned(at, "s-1", "a", pnpm)).toEqual(found({}))
    expect(await learned(at, "s-1", "b", "this project uses `pnpm`, not `npm`")).toEqual(
      found({ confirmed: 1 })
    )
    expect(await learned(at, "s-1", "c", pnpm)).toEqual(found({}))
    expect(await learned(at, "s-2", "d", pnpm)).toEqual(found({ confirmed: 1 }))
    expect(await learned(at, "s-2", "d", pnpm)).toEqual(found({}))
    const [note, ...others] = await patterns(at)
    expect(others).toEqual([])
    expect(note).toMatchObject({ text: pnpm, confirmed: 2 })
    expect(await learned({ ...at, project: `${at.project}-b` }, "s-2", "e", pnpm)).toEqual(
      found({ stored: 1 })
    )
  })

  it("is never stored again once it was retracted, nor where a hook refuses it or it holds a secret", async () => {
    const at = await equipped({
      veto: `import { blockingFeedback, defineHook } from "hooktape"
        export default defineHook({ name: "veto", on: "reflection.before",
          run: ({ text, source }) => text.includes("yarn") ? blockingFeedback(source) : undefined })\n`
    })
    await learned(at, "s-1", "a", pnpm)
    const [note] = await patterns(at)
    append(at, { type: "NOTE_RETRACTED", note: note?.note ?? "", by: "operator" })
    for (const from of ["a", "b"]) expect(await learned(at, "s-2", from, pnpm)).toEqual(found({ left: 1 }))
    expect(await learned(at, "s-1", "c", "This project uses yarn.")).toEqual(found({ left: 1 }))
    const token = `ghp_${"a1B2".repeat(9)}`
    expect(await learned(at, "s-1", "d", `This project uses ${token} for npm.`)).toEqual(found({ left: 1 }))
    expect(await patterns(at)).toHaveLength(1)
  })

  it("is praised or corrected by the prompt after it, also where its own job is late", async () => {
    const at = await equipped()
    await answer(at, "s-1", pnpm)
    await raw(at, "prompt.submit", { session: "s-1", prompt: "Perfect, exactly what I wanted." })
    await answer(at, "s-1", "I chose SQLite over Postgres because it is one machine.")
    await raw(at, "prompt.submit", { session: "s-1", prompt: "No, that's wrong." })
    await raw(at, "prompt.submit", { session: "s-2", prompt: "No, that's wrong." })
    const prompts = (await at.facts()).filter(
      ({ event, type }) => type === "PAYLOAD_BUFFERED" && event === "prompt.submit"
    )
    const judge = (nth: number, session: string, polarity: "positive" | "negative") =>
      reading(at, (reader) =>
        learnFeedback(reader, learnerAt(at, session), {
          invocation: (prompts[nth]?.stream ?? "").slice("invocation/".length),
          polarity
        })
      )
    expect(await judge(0, "s-1", "positive")).toEqual(found({ confirmed: 1 }))
    expect(await judge(1, "s-1", "negative")).toEqual(found({ doubted: 1 }))
    expect(await judge(1, "s-1", "negative")).toEqual(found({}))
    expect(await judge(2, "s-2", "negative")).toBeUndefined()
    const notes = await patterns(at)
    expect(notes.map(({ evidence }) => evidence.map(({ because, holds }) => [because, holds]))).toEqual([
      [["praised", true]],
      [["corrected", false]]
    ])
    const now = Date.now()
    const [praised = 0, corrected = 1] = notes.map((note) => confidenceOf(note, now))
    expect(praised).toBeGreaterThan(0.7)
    expect(corrected).toBeLessThan(0.3)
  })
})

const command = (at: Station, session: string, text: string, exitCode: number) =>
  raw(at, "tool.after", {
    session,
    tool: { name: "sh", kind: "shell", command: text, exitCode, response: "" }
  })

const checkpoint = (at: Station, session = "s-1") =>
  reading(at, (reader) =>
    takeChanged(reader, {
      state: at.state,
      project: at.project,
      cwd: at.project,
      trigger: "turn.stop",
      session
    })
  )

/** What a hook said where it ran. */
const saidBy = async (at: Station, name: string) =>
  (await at.runs()).flatMap((one) =>
    dataOf(one, "HANDLER_SUCCEEDED").flatMap(({ handler, intents }) => (handler === name ? intents : []))
  )

describe("a checkpoint", () => {
  it("that is good enough teaches what the project is tested with and confirms what was said on the way, and says how much", async () => {
    const at = await equipped({}, inTheForeground)
    await answer(at, "s-1", pnpm)
    await command(at, "s-1", "npm test", 0)
    await answer(at, "s-2", "This project uses yarn.")
    expect(await checkpoint(at)).toEqual({ quality: 100 })
    expect(await saidBy(at, "learn-from-checkpoint")).toEqual([
      { type: "DIAGNOSTIC", level: "info", message: "quality 100: 2 patterns found: 1 new, 1 confirmed" }
    ])
    await command(at, "s-1", "npm test", 0)
    expect(await checkpoint(at)).toEqual({ quality: 100 })
    const notes = await patterns(at)
    expect(
      notes.map(({ evidence, source, text }) => [text, source, evidence.map(({ because }) => because)])
    ).toEqual([
      [pnpm, "hook learn", ["checkpoint"]],
      ["This project uses yarn.", "hook learn", []],
      ["Tests pass with `npm test`.", "hook learn-from-checkpoint", ["checkpoint"]]
    ])
    const ids = (await at.facts()).flatMap(({ data, type }) =>
      type === "CHECKPOINT_RECORDED" ? [(data as { readonly checkpoint: string }).checkpoint] : []
    )
    expect(notes[2]?.from).toBe(ids[0])
    const again = await reading(at, (reader) => learnCheckpoint(reader, learnerAt(at, "s-1"), ids[1] ?? ""))
    expect(again).toEqual(found({}))
  })

  it("of 85 or less teaches nothing, unless it is set otherwise", async () => {
    const at = await equipped({}, inTheForeground)
    await command(at, "s-1", "npm test", 0)
    await command(at, "s-1", "npm run build", 1)
    const { quality } = await checkpoint(at)
    expect(quality).toBe(70)
    expect(await saidBy(at, "learn-from-checkpoint")).toMatchObject([
      { message: "quality 70: nothing is learned from 85 or less" }
    ])
    expect(await patterns(at)).toEqual([])
    const set = await equipped(
      {},
      {
        hooks: { "learn-from-checkpoint": { background: false, settings: { above: 60 } } }
      }
    )
    await command(set, "s-1", "npm test", 0)
    await command(set, "s-1", "npm run build", 1)
    await checkpoint(set)
    expect(await patterns(set)).toMatchObject([{ text: "Tests pass with `npm test`." }])
  })

  it("stands as it is where learning from it fails, and the failure is recorded", async () => {
    const at = await equipped(
      {
        breaks: `import { writeFileSync } from "node:fs"
          import { join } from "node:path"
          import { defineHook } from "hooktape"
          export default defineHook({ name: "breaks", on: "checkpoint.after", priority: 1,
            run: () => writeFileSync(join(process.env.HOOKTAPE_HOME, "key"), "too short") })\n`
      },
      inTheForeground
    )
    vi.stubEnv("HOOKTAPE_HOME", at.state)
    const key = readFileSync(join(at.state, "key"))
    await command(at, "s-1", "npm test", 0)
    expect(await checkpoint(at)).toEqual({ quality: 100 })
    writeFileSync(join(at.state, "key"), key)
    const facts = await at.facts()
    expect(facts.filter(({ type }) => type === "CHECKPOINT_RECORDED")).toHaveLength(1)
    const failed = facts.flatMap(({ data, type }) => (type === "HANDLER_FAILED" ? [data] : []))
    expect(failed).toMatchObject([{ handler: "learn-from-checkpoint", policy: "allow" }])
  })
})

describe("a later session", () => {
  const ready = async (at: Station) => {
    await at.facts()
    catchUp(join(at.state, "log.sqlite"))
  }

  it("is told at its start and with a prompt what is believed enough, the best believed first", async () => {
    const at = await equipped()
    await learned(at, "s-1", "a", "The tests need Redis on port 6379.")
    await learned(at, "s-1", "b", pnpm)
    await learned(at, "s-2", "c", pnpm)
    await learned(at, "s-1", "d", "This project uses npm for its Redis tests.")
    const [, , wrong] = await patterns(at)
    const doubt = {
      type: "NOTE_DOUBTED" as const,
      note: wrong?.note ?? "",
      by: "hook learn",
      because: "corrected"
    }
    append(at, { ...doubt, from: "e" })
    await ready(at)
    const start = await told(at, "session.start", { session: "s-3", source: "startup" })
    expect(start).toContain(
      `found out (check what much depends on)\n- ${pnpm}\n- The tests need Redis on port 6379.`
    )
    expect(start).not.toContain("uses npm")
    const prompt = await told(at, "prompt.submit", { session: "s-3", prompt: "why do the redis tests fail?" })
    expect(prompt).toContain("- an earlier answer: The tests need Redis on port 6379.")
    expect(prompt).not.toContain("uses npm")
    const own = await told(at, "session.start", { session: "s-1", source: "startup" })
    expect(own).not.toContain(pnpm)
  })

  it("is told less or more as the hooks are set", async () => {
    const at = await equipped({}, { hooks: { "session-brief": { settings: { confidence: 0.6 } } } })
    await learned(at, "s-1", "a", "The tests need Redis on port 6379.")
    await learned(at, "s-1", "b", pnpm)
    await learned(at, "s-2", "c", pnpm)
    const start = await told(at, "session.start", { session: "s-3", source: "startup" })
    expect(start).toContain(pnpm)
    expect(start).not.toContain("6379")
  })
})

describe("learning", () => {
  it("has its hooks where the requirements want them", () => {
    expect(learnFromCheckpoint).toMatchObject({ on: "checkpoint.after", priority: 200, background: true })
    expect(learn).toMatchObject({ on: ["response.given", "feedback.given"], background: true })
  })

  it.each([
    [
      "the user",
      (at: Station) =>
        at.putUser("config.json", '{ "learning": false, "hooks": { "learn": { "enabled": true } } }')
    ],
    [
      "its parts",
      (at: Station) =>
        at.putUser(
          "config.json",
          '{ "hooks": { "learn": { "enabled": false }, "learn-from-checkpoint": { "enabled": false } } }'
        )
    ]
  ])("is off in one place for %s, and everything else goes on", async (_, set) => {
    const at = await station()
    set(at)
    const built = await Effect.runPromise(
      buildHooks({ state: at.state, userFolder: at.userFolder, defaults: true })
    )
    expect(built.warnings).toEqual([])
    expect(built.manifest.shipped).toMatchObject({
      learn: false,
      "learn-from-checkpoint": false,
      "response-log": true
    })
    await answer(at, "s-1", pnpm)
    const [run] = await at.runs()
    expect(run && dataOf(run, "HANDLERS_PLANNED")).toMatchObject([
      {
        left: expect.arrayContaining([
          { handler: "learn", event: "response.given", reason: "disabled in the configuration" }
        ]),
        background: expect.arrayContaining([expect.objectContaining({ handler: "response-log" })])
      }
    ])
  })

  it("says that it is off where notes cannot be read, and the rest of the call is as ever", async () => {
    const at = await equipped({}, inTheForeground)
    await answer(at, "s-1", pnpm)
    await at.facts()
    const db = openPlainly(join(at.state, "log.sqlite"))
    // As one of before there were sums and seals: a damaged one would be left out.
    db.exec(
      "DELETE FROM seals; UPDATE recorded SET data = '{broken', sum = NULL WHERE data LIKE '%NOTE_RECORDED%'"
    )
    db.close()
    rmSync(join(at.state, "log.sqlite.seal"), { force: true })
    expect(await answer(at, "s-2", "This project uses yarn.")).toMatchObject({ code: 0 })
    const intents = await saidBy(at, "learn")
    expect(intents.at(-1)).toMatchObject({
      level: "warn",
      message: expect.stringMatching(/^nothing is learned: the log cannot be read/)
    })
    expect((await told(at, "session.start", { session: "s-3", source: "startup" })).includes("pnpm")).toBe(
      false
    )
  })
})
