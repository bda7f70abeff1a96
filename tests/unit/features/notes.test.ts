/** Notes are a fold over what was recorded of them, and are looked at by hooks before they are stored. */
import { describe, expect, it } from "vitest"
import type { MemoryFact } from "../../../events/facts.ts"
import { noMarks, type Recorded } from "../../../events/Recorded.ts"
import { BadNote, storeNote } from "../../../src/features/notes/storeNote.ts"
import { drawNote, drawNotes } from "../../../src/programs/cli/render/note.ts"
import { plain } from "../../../src/programs/cli/render/style.ts"
import {
  longestNote,
  type Note,
  noteProblem,
  notesIn,
  wordProblem
} from "../../../src/runtime/services/Note.ts"
import { station } from "../../support/entrypoint.ts"

let position = 0
const recorded = (data: MemoryFact | { readonly type: string }, more: Partial<Recorded> = {}): Recorded => ({
  ...noMarks,
  id: `fact-${++position}` as Recorded["id"],
  stream: "note/a",
  type: data.type,
  schemaVersion: 1,
  at: position * 1000,
  cause: null,
  position,
  version: position,
  source: "here",
  recordedAt: position * 1000,
  known: true,
  data,
  ...more
})

describe("notes", () => {
  it("stand as they were last confirmed or retracted", () => {
    const notes = notesIn([
      recorded({ type: "NOTE_RECORDED", note: "a", text: "one" }, { project: "/p", at: 0 }),
      recorded({ type: "NOTE_RECORDED", note: "b", text: "two", kind: "fix", tags: ["x"], importance: 1 }),
      recorded({ type: "NOTE_CONFIRMED", note: "a", by: "operator" }),
      recorded({ type: "NOTE_CONFIRMED", note: "a", by: "operator" }, { at: 5000 }),
      recorded({ type: "NOTE_RETRACTED", note: "b", by: "operator", reason: "wrong" }),
      recorded({ type: "NOTE_RETRACTED", note: "b", by: "operator", reason: "again" })
    ])
    expect(notes).toMatchObject([
      {
        note: "a",
        kind: "note",
        project: "/p",
        confirmed: 2,
        confirmedAt: "1970-01-01T00:00:05.000Z",
        retracted: null
      },
      { note: "b", kind: "fix", tags: ["x"], importance: 1, confirmed: 0, retracted: "wrong" }
    ])
  })

  it("are not made of facts that are unknown, of others, or of nothing", () => {
    const none = [
      recorded({ type: "NOTE_RECORDED", note: "a", text: "one" }, { known: false }),
      recorded({ type: "NOTE_RETRACTED", note: "b", by: "operator" }),
      recorded({ type: "HOST_REACHED" })
    ]
    expect(notesIn(none)).toEqual([])
  })

  it("are not made of facts that nobody has looked at and that hold no note", () => {
    const { known: _, ...unseen } = recorded({ type: "NOTE_RECORDED", note: "a", text: "one" })
    const texts = (data: unknown) => notesIn([{ ...unseen, data }]).map(({ text }) => text)
    expect(texts(unseen.data)).toEqual(["one"])
    expect(texts({ type: "NOTE_RECORDED", note: "a" })).toEqual([])
    expect(texts({ type: "NOTE_RECORDED", note: 7, text: "one" })).toEqual([])
  })

  it("have a text that is there and not too long, and words that are words", () => {
    expect(noteProblem("x")).toBeUndefined()
    expect(noteProblem("x".repeat(longestNote))).toBeUndefined()
    for (const text of ["", " \n ", "x".repeat(longestNote + 1)]) expect(noteProblem(text)).toMatch(/note/)
    for (const word of ["fix", "v1.2", "a/b-c_d", "größe", "日本"]) expect(wordProblem(word)).toBeUndefined()
    for (const word of ["", "two words", "-x", "x".repeat(41), "a\nb"])
      expect(wordProblem(word)).toBeDefined()
  })
})

const hook = (on: string, run: string) =>
  `import { blockingFeedback, defineHook } from "hooktape"
  export default defineHook({ name: "h", on: "${on}", run: ${run} })\n`

describe("a pattern", () => {
  const pattern = {
    type: "NOTE_RECORDED",
    note: "0-pattern",
    text: "Uses pnpm.",
    kind: "pattern",
    confidence: 0.5
  } as const
  const evidence = (type: "NOTE_CONFIRMED" | "NOTE_DOUBTED", because: string, from: string): MemoryFact => ({
    type,
    note: pattern.note,
    by: "hook learn",
    because,
    from
  })
  const [told] = notesIn([
    recorded(pattern, { at: 0 }),
    recorded(evidence("NOTE_CONFIRMED", "said", "x"), { at: 0, session: "s-1" }),
    recorded(evidence("NOTE_CONFIRMED", "said", "y"), { at: 0, session: "s-2" }),
    recorded(evidence("NOTE_DOUBTED", "corrected", "z"), { at: 0 }),
    recorded({ type: "NOTE_CONFIRMED", note: pattern.note, by: "operator" }, { at: 0 }),
    recorded(evidence("NOTE_CONFIRMED", "of a later version", "w"), { at: 0 })
  ])
  const drawing = { style: plain, width: undefined }

  it("is shown with how far it is believed, and why", () => {
    const note = told as Note
    expect(drawNotes([note], 0, drawing)).toMatch(/ pattern 0\.70 /)
    expect(drawNotes([note], 365 * 86_400_000, drawing)).toMatch(/ pattern 0\.17 /)
    expect(drawNote(note, 0, drawing)).toContain(
      "confidence 0.70 (said again 2, corrected 1, confirmed by operator 1, confirmed by hook learn 1)\n"
    )
    const [fresh] = notesIn([recorded(pattern, { at: 0 })])
    expect(drawNote(fresh as Note, 0, drawing)).toContain("confidence 0.50\n")
  })
})

describe("a note that is stored", () => {
  it("is what hooks made of it, caused by their invocation, with its secrets blackened", async () => {
    const at = await station()
    at.putUser(
      "hooks/h.ts",
      hook(
        "reflection.before",
        "({ text, source }) => ({ metadata: { text: text + ' by ' + source, tags: 'no list' } })"
      )
    )
    await at.build()
    const place = { state: at.state, project: at.project, cwd: at.project }
    const token = `ghp_${"a1B2".repeat(9)}`
    const stored = await storeNote({
      ...place,
      text: `use ${token}`,
      tags: ["kept"],
      session: "s",
      source: "hook x"
    })
    expect(stored).toMatchObject({
      note: { tags: ["kept"], session: "s", source: "hook x", project: at.project }
    })
    const facts = await at.facts()
    const fact = facts.find(({ type }) => type === "NOTE_RECORDED")
    expect(fact).toMatchObject({ session: "s", project: at.project, known: true })
    expect(fact?.data).toMatchObject({ text: expect.stringMatching(/^use ‹redacted:[^›]+› by hook x$/) })
    expect(JSON.stringify(facts)).not.toContain(token)
    expect(facts.find(({ id }) => id === fact?.cause)).toMatchObject({
      type: "EXITED",
      event: "reflection.before"
    })
    expect("note" in stored && stored.note.text).not.toContain(token)
  })

  it("is refused by a hook with its reason, and nothing of it is a note", async () => {
    const at = await station()
    at.putUser("hooks/h.ts", hook("reflection.before", "() => blockingFeedback('not here')"))
    await at.build()
    const stored = await storeNote({
      state: at.state,
      project: at.project,
      cwd: at.project,
      text: "x",
      source: "operator"
    })
    expect(stored).toMatchObject({ refused: { handler: "h", reason: "not here" } })
    expect(notesIn(await at.facts())).toEqual([])
  })

  it("that no note can be is an error before any hook is asked", async () => {
    const at = await station()
    const place = { state: at.state, project: at.project, cwd: at.project, source: "operator" }
    for (const wrong of [
      { text: "" },
      { text: "x", kind: "a b" },
      { text: "x", tags: ["#"] },
      { text: "x", importance: 2 }
    ])
      await expect(storeNote({ ...place, ...wrong })).rejects.toThrow(BadNote)
    expect(await at.facts()).toEqual([])
  })
})
