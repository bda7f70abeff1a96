/** The spool writer: private files, one line per fact, handed over by a rename, nothing followed. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { FactId, InvocationId } from "../../../events/ids.ts"
import { makeDraft } from "../../../events/makeDraft.ts"
import { openSpool, SpoolError } from "../../../src/log/spool/spoolWriter.ts"
import { redactDraft } from "../../../src/redact/redact.ts"

const id = "018f3b5e-7c1a-7d3e-9b2a-1c2d3e4f5a6b" as InvocationId
const draft = (n: number) =>
  makeDraft(
    { type: "EXITED" },
    { id: `018f3b5e-7c1a-7d3e-9b2a-00000000000${n}` as FactId, stream: `invocation/${id}`, at: n }
  )

let root: string
let state: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "spool-"))
  state = join(root, "state")
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const mode = (path: string) => statSync(path).mode & 0o777

describe("openSpool", () => {
  it("writes one line per fact and hands the file over by a rename", () => {
    const writer = openSpool(state, id)
    expect(writer.path).toBe(join(state, "spool", `${id}.ndjson.open`))
    writer.append(redactDraft(draft(1)))
    expect(readFileSync(writer.path, "utf8")).toBe(`${JSON.stringify(draft(1))}\n`)
    writer.append(redactDraft(draft(2)))
    writer.close()
    writer.close()
    expect(readdirSync(join(state, "spool"))).toEqual([`${id}.ndjson`])
    const text = readFileSync(join(state, "spool", `${id}.ndjson`), "utf8")
    expect(
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
    ).toEqual([draft(1), draft(2)])
  })

  it("is private, and makes private what was wider", () => {
    mkdirSync(join(state, "spool"), { recursive: true })
    chmodSync(join(state, "spool"), 0o777)
    const writer = openSpool(state, id)
    expect([mode(state), mode(join(state, "spool")), mode(writer.path)]).toEqual([0o700, 0o700, 0o600])
    writer.close()
  })

  it("leaves nothing behind when nothing happened", () => {
    openSpool(state, id).close()
    expect(readdirSync(join(state, "spool"))).toEqual([])
  })

  it("refuses a directory that is a symbolic link", () => {
    mkdirSync(state)
    mkdirSync(join(root, "elsewhere"))
    symlinkSync(join(root, "elsewhere"), join(state, "spool"))
    expect(() => openSpool(state, id)).toThrow(/symbolic link/)
    expect(readdirSync(join(root, "elsewhere"))).toEqual([])
  })

  it("refuses a file that is already there, link or not", () => {
    mkdirSync(join(state, "spool"), { recursive: true })
    symlinkSync(join(root, "target"), join(state, "spool", `${id}.ndjson.open`))
    expect(() => openSpool(state, id)).toThrow(SpoolError)
    expect(existsSync(join(root, "target"))).toBe(false)
  })

  it("says so when it was closed, or where a fact is no JSON", () => {
    const writer = openSpool(state, id)
    const loop: { type: string; self?: unknown } = { type: "X" }
    loop.self = loop
    expect(() => writer.append(redactDraft({ ...draft(1), data: loop }))).toThrow(SpoolError)
    writer.close()
    expect(() => writer.append(redactDraft(draft(1)))).toThrow(/spool append/)
  })

  it("has files in the order in which they were made, also within a millisecond and when the clock is set back", async () => {
    // Of its own: the names that others make next would be as late.
    vi.resetModules()
    const { spoolName } = await import("../../../src/log/spool/spoolName.ts")
    vi.resetModules()
    const sources = (at: number) => ({
      now: () => at,
      random: (count: number) => new Uint8Array(count).fill(255 - (at % 7))
    })
    const names = [5, 5, 5, 3, 9, 9].map((at) => spoolName(sources(4_000_000_000_000 + at)))
    expect(names).toEqual([...names].sort())
    expect(new Set(names).size).toBe(6)
  })

  it("takes nothing that was not redacted", () => {
    const writer = openSpool(state, id)
    const refused = () => {
      // @ts-expect-error a draft that did not go through the redactor cannot be appended
      writer.append(draft(1))
    }
    expect(refused).toBeTypeOf("function")
    writer.close()
  })
})
