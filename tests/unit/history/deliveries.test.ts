/** What background hooks leave for the next event of their session: one file for each, taken along by one call alone. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { uuidv7 } from "../../../events/ids.ts"
import { modelContext } from "../../../events/intents.ts"
import {
  type Carried,
  forgetDeliveries,
  isWaiting,
  leave,
  mostWaiting,
  type Taking,
  takeAlong,
  type Waiting
} from "../../../src/history/deliveries.ts"
import { deliveringOf, deliveryProblem } from "../../../src/hooks/delivery.ts"

const idOf = (at: number): string => uuidv7(at, new Uint8Array(10).fill(at % 256))

const word = (at: number, more: Partial<Waiting> & { readonly text?: string } = {}): Waiting => {
  const { text = `word ${at}`, ...rest } = more
  const intents = [modelContext(text)]
  const common = { session: "s", invocation: idOf(at), handler: "h", event: "file.edited", at }
  return { ...common, job: idOf(at), until: at + 1000, intents, ...rest }
}

const all = { keep: "all" } as const
const newest = { keep: "newest" } as const

const place = (): string => mkdtempSync(join(homedir(), "deliveries-"))

const taking = (more: Partial<Taking> = {}): Taking => ({
  session: "s",
  invocation: idOf(900),
  now: 500,
  carried: () => "open",
  accepts: () => true,
  ...more
})

const heardAt = (state: string, more: Partial<Taking> = {}): readonly number[] =>
  takeAlong(state, taking(more)).heard.map(({ at }) => at)

describe("what is left for the next event", () => {
  it("is read by its owner alone, and by its own session", () => {
    const state = place()
    expect(isWaiting(state, "s")).toBe(false)
    leave(state, word(1), all)
    const [name = ""] = readdirSync(join(state, "deliveries"))
    expect(statSync(join(state, "deliveries", name)).mode & 0o777).toBe(0o600)
    expect(statSync(join(state, "deliveries")).mode & 0o777).toBe(0o700)
    expect([isWaiting(state, "s"), isWaiting(state, "t"), isWaiting(state, null)]).toEqual([
      true,
      false,
      false
    ])
    expect(takeAlong(state, taking({ session: "t" }))).toEqual({ heard: [], tooOld: [] })
    expect(takeAlong(state, taking())).toEqual({ heard: [word(1)], tooOld: [] })
  })

  it("is told oldest first, and left once however often its job is done", () => {
    const state = place()
    leave(state, word(2), all)
    leave(state, word(1), all)
    expect(leave(state, { ...word(2), at: 3 }, all)).toEqual([])
    expect(heardAt(state)).toEqual([1, 2])
    // Taken along, and not forgotten: the job that is done again is known.
    leave(state, word(2), all)
    expect(readdirSync(join(state, "deliveries"))).toHaveLength(2)
  })

  it("is the same word once, of a hook that keeps the newest that alone, and not without end", () => {
    const state = place()
    leave(state, word(1, { text: "same" }), all)
    expect(leave(state, word(2, { text: "same" }), all)).toEqual([idOf(1)])
    expect(leave(state, word(3, { text: "same", handler: "other" }), all)).toEqual([])
    expect(leave(state, word(4), newest)).toEqual([idOf(2)])
    for (let at = 5; at < 3 + mostWaiting; at++) expect(leave(state, word(at), all)).toEqual([])
    expect(leave(state, word(100), all)).toEqual([idOf(3)])
    expect(heardAt(state)).toHaveLength(mostWaiting)
  })

  it("is taken along by one of two calls", () => {
    const state = place()
    for (const at of [1, 2, 3]) leave(state, word(at), all)
    const heard = [901, 902].flatMap((who) => heardAt(state, { invocation: idOf(who) }))
    expect(heard).toEqual([1, 2, 3])
  })

  it.each<readonly [Carried, readonly number[], number]>([
    ["yes", [], 0],
    ["open", [], 1],
    ["no", [1], 1]
  ])("taken along by a reply that carried it (%s) is told again or not", (carried, again, left) => {
    const state = place()
    leave(state, word(1), all)
    expect(heardAt(state, { invocation: idOf(901) })).toEqual([1])
    const asked: string[] = []
    const became = (by: string): Carried => {
      asked.push(by)
      return carried
    }
    const told = heardAt(state, { invocation: idOf(902), carried: became })
    expect([told, asked]).toEqual([again, [idOf(901)]])
    expect(readdirSync(join(state, "deliveries"))).toHaveLength(left)
  })

  it("waits where the agent does not take it, or where a reply has enough", () => {
    const state = place()
    leave(state, word(1, { text: "x".repeat(5000) }), all)
    leave(state, word(2, { text: "y".repeat(5000) }), all)
    expect(heardAt(state, { accepts: () => false })).toEqual([])
    expect(heardAt(state)).toEqual([1])
    expect(heardAt(state)).toEqual([2])
  })

  it("is not told when it is too old, and that is said", () => {
    const state = place()
    leave(state, word(1), all)
    expect(takeAlong(state, taking({ now: 2000 }))).toEqual({ heard: [], tooOld: [word(1)] })
    expect(readdirSync(join(state, "deliveries"))).toEqual([])
  })

  it("goes with what nobody came back for, with what is to be forgotten, and where it is damaged", () => {
    const state = place()
    leave(state, word(1), all)
    leave(state, word(2, { session: "t" }), all)
    expect(forgetDeliveries(state, ({ session }) => session === "t")).toHaveLength(1)
    expect(heardAt(state)).toEqual([1])
    leave(state, word(90_000_000), all)
    expect(readdirSync(join(state, "deliveries"))).toHaveLength(1)
    const [name = ""] = readdirSync(join(state, "deliveries"))
    writeFileSync(join(state, "deliveries", name), "{")
    mkdirSync(join(state, "deliveries", "folder"))
    expect(takeAlong(state, taking({ now: 90_000_001 }))).toEqual({ heard: [], tooOld: [] })
    expect(isWaiting(state, "s")).toBe(false)
  })
})

describe("what is no word of ours", () => {
  const file = (state: string): string => {
    leave(state, word(1), all)
    const [name = ""] = readdirSync(join(state, "deliveries"))
    return join(state, "deliveries", name)
  }
  it.each([
    "null",
    "[]",
    '"text"',
    "{}",
    JSON.stringify({ ...word(1), intents: null }),
    JSON.stringify({ ...word(1), intents: [{ type: "EXIT_SIGNAL", code: 2 }] }),
    JSON.stringify({ ...word(1), intents: [{ type: "MODEL_CONTEXT", permission: "allow" }] }),
    JSON.stringify({ ...word(1), until: "later" })
  ])("%s is taken away", (text) => {
    const state = place()
    writeFileSync(file(state), text)
    expect(takeAlong(state, taking())).toEqual({ heard: [], tooOld: [] })
    expect(readdirSync(join(state, "deliveries"))).toEqual([])
  })

  it("a pipe keeps nobody waiting, and another session's word is left to it", () => {
    const state = place()
    const pipe = file(state)
    rmSync(pipe)
    execFileSync("mkfifo", [pipe])
    expect(takeAlong(state, taking())).toEqual({ heard: [], tooOld: [] })
    const other = place()
    writeFileSync(file(other), JSON.stringify(word(1, { session: "t" })))
    expect(takeAlong(other, taking())).toEqual({ heard: [], tooOld: [] })
    expect(readdirSync(join(other, "deliveries"))).toHaveLength(1)
  })
})

describe("how an author says so", () => {
  it.each([
    [{ deliver: "next" }, { withinMs: 3_600_000, keep: "all" }],
    [{ deliver: { to: "next", within: "5 minutes", keep: "newest" } }, { withinMs: 300_000, keep: "newest" }],
    [{}, undefined]
  ] as const)("%j", (said, means) => {
    expect(deliveringOf(said)).toEqual(means)
    expect("deliver" in said ? deliveryProblem(said.deliver) : undefined).toBeUndefined()
  })

  it.each([
    ["later", /^must be "next"/],
    [true, /^must be "next"/],
    [{ within: 1 }, /^needs a `to`/],
    [{ to: "next", within: "soon" }, /^has a `within` that must be a number of milliseconds, or a text/],
    [{ to: "next", keep: "first" }, /^has a `keep`/],
    [{ to: "next", when: 1 }, /^has no `when`; there is to, within, keep$/]
  ])("%j is refused", (said, why) => expect(deliveryProblem(said)).toMatch(why))
})
