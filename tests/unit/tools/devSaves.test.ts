/** When a save is seen by `hooktape dev`, whose it is, and what follows for trust. */
import { describe, expect, it } from "vitest"
import type { Recorded } from "../../../events/Recorded.ts"
import type { Review } from "../../../src/tools/build/trust.ts"
import { agentAtWork } from "../../../src/tools/dev/agentCalls.ts"
import { decideSaves, type Seen } from "../../../src/tools/dev/decideSaves.ts"
import { makeWatch } from "../../../src/tools/dev/watch.ts"

describe("watching", () => {
  const scene = () => {
    const files = new Map([["a", "1"]])
    const clock = { now: 0 }
    const { step } = makeWatch(
      () => new Map(files),
      () => clock.now
    )
    return {
      files,
      at: (now: number) => {
        clock.now = now
        return step()
      }
    }
  }

  it("tells of a change once two looks find the same, and since when it may be", () => {
    const { at, files } = scene()
    expect(at(100)).toBeUndefined()
    files.set("a", "2")
    expect(at(200)).toBeUndefined()
    files.set("a", "3")
    expect(at(300)).toBeUndefined()
    expect(at(400)).toEqual({ files: ["a"], since: 100 })
    expect(at(500)).toBeUndefined()
  })

  it("says nothing of what is looked at for the first time, nor of what went and came back", () => {
    const { at, files } = scene()
    files.set("b", "1")
    expect([at(100), at(200)]).toEqual([undefined, undefined])
    files.set("b", "2")
    at(300)
    files.set("b", "1")
    at(400)
    expect(at(500)).toBeUndefined()
    files.set("b", "2")
    at(600)
    expect(at(700)).toEqual({ files: ["b"], since: 500 })
  })
})

const fact = (at: number, event: string, tool?: object, more: object = {}): Recorded =>
  ({
    at,
    event,
    agent: "claude-code",
    session: "s",
    project: "/p",
    known: true,
    data: {
      type: "PAYLOAD_BUFFERED",
      toolUseId: "t",
      ...(tool === undefined ? {} : { tool: { input: null, ...tool } })
    },
    ...more
  }) as Recorded
const edit = { kind: "edit", name: "Edit", path: "/p/x.ts" }
const file = { file: "/p/.hooktape/hooks/a.ts", root: "/p", since: 50_000, until: 51_000 }

describe("an agent may have changed a file", () => {
  it.each([
    ["while its tool runs", [fact(40_000, "tool.before", edit)]],
    ["by a shell", [fact(40_000, "tool.before", { kind: "shell", name: "Bash", command: "make" })]],
    ["when its tool ended meanwhile", [fact(40_000, "tool.before", edit), fact(50_500, "tool.after", edit)]],
    ["when only the end of it was recorded", [fact(50_500, "tool.after", edit)]],
    [
      "from another project, by the file's name",
      [fact(50_500, "tool.after", { ...edit, path: file.file }, { project: "/q" })]
    ]
  ])("%s", (_, facts) => {
    expect(agentAtWork(facts, file)).toMatch(/^claude-code (runs|ran) (Edit|Bash) meanwhile$/)
  })

  it.each([
    ["what was over before", [fact(10_000, "tool.before", edit), fact(20_000, "tool.after", edit)]],
    [
      "a call that was blocked, in a turn that is over",
      [fact(10_000, "tool.before", edit), fact(20_000, "turn.stop")]
    ],
    [
      "a call that a hook stopped",
      [
        fact(10_000, "tool.before", edit, { stream: "invocation/a" }),
        fact(10_100, "tool.before", undefined, {
          stream: "invocation/a",
          data: { type: "HANDLER_SUCCEEDED", intents: [{ type: "BLOCKING_FEEDBACK", reason: "no" }] }
        })
      ]
    ],
    ["a tool that only looks", [fact(50_500, "tool.before", { kind: "read", name: "Read" })]],
    ["work in another project", [fact(50_500, "tool.before", edit, { project: "/q" })]]
  ])("but not for %s", (_, facts) => {
    expect(agentAtWork(facts, file)).toBeUndefined()
  })
})

const item = (name: string, change: "new" | "changed" | "same") =>
  ({ file: name, change, files: [{ file: name, hash: "", change }] }) as unknown as Review["items"][number]
const review = (items: readonly Review["items"][number][], gone: Review["gone"] = []): Review => ({
  project: "/p",
  items,
  gone,
  problems: [],
  again: []
})
const seen: Seen = { savesCount: true, waitedBefore: new Set(), against: () => undefined }

describe("a save", () => {
  it("is trusted where its user said so, and nothing else is", () => {
    const { trusted, waiting } = decideSaves(review([item("a", "changed"), item("b", "same")]), seen)
    expect({ trusted, waiting: [...waiting] }).toEqual({ trusted: ["a"], waiting: [] })
  })

  it("waits where nobody said so", () => {
    const { trusted, waiting } = decideSaves(review([item("a", "changed")]), { ...seen, savesCount: false })
    expect({ trusted, waiting: [...waiting.keys()] }).toEqual({ trusted: [], waiting: ["a"] })
  })

  it("of an agent waits, and so does a save on top of it", () => {
    const first = decideSaves(review([item("a", "changed")]), {
      ...seen,
      against: () => "claude-code ran Edit"
    })
    expect(first.trusted).toEqual([])
    const second = decideSaves(review([item("a", "changed")]), {
      ...seen,
      waitedBefore: new Set(first.waiting.keys())
    })
    expect(second).toMatchObject({
      trusted: [],
      waiting: new Map([["a", "a was not trusted before this save"]])
    })
  })

  it("never lets go a guard that is gone", () => {
    const { waiting } = decideSaves(
      review([], [{ file: "g", guarded: ["tool.before"], events: ["tool.before"] }]),
      seen
    )
    expect([...waiting]).toEqual([["g", "a guard for tool.before is gone"]])
  })
})
