/** The rules of a chain, one sentence each, and every edge it has. */
import { describe, expect, it } from "vitest"
import { type ChainContext, type ChainSign, chain, type Effect, maxEffects } from "../../../machines/chain.ts"
import { isFinal, replay } from "../../../machines/step.ts"
import { listed } from "../../support/explore.ts"
import { given } from "../../support/given.ts"
import { exploreChain } from "../../support/machines.ts"

const edit = (what = "/p/a.ts", at = 2): Effect => ({ toolUseId: `e${at}`, kind: "edit", what, at })
const seen = (at = 1, ...effects: readonly Effect[]): ChainSign => ({
  type: "PROBLEM_OBSERVED",
  sighting: { toolUseId: `t${at}`, at },
  effects
})
const done: ChainSign = { type: "EFFECT_OBSERVED", at: 2 }
const ending = (at: number, shown: "proved" | "cleared", fix: readonly Effect[]) =>
  ({ at, by: "npm test", toolUseId: `t${at}`, shown, grade: "A", fix, flaky: false }) as const
const gone = (at = 9, ...fix: readonly Effect[]): ChainSign => ({
  type: "PROBLEM_GONE",
  ending: ending(at, "proved", fix),
  effects: fix
})
const cleared = (at = 6, ...fix: readonly Effect[]): ChainSign => ({
  type: "PROBLEM_GONE",
  ending: ending(at, "cleared", fix),
  effects: fix
})
const hidden: ChainSign = {
  type: "PROBLEM_SUPPRESSED",
  ending: ending(7, "proved", [edit()]),
  effects: [edit()]
}
const left: ChainSign = { type: "CHAIN_LEFT", at: 8, why: "the session ended" }

const contextOf = (...signs: readonly ChainSign[]): ChainContext =>
  replay(chain, signs).context as ChainContext
const outcomes = ({ attempts }: ChainContext) =>
  attempts.map(({ effects, helped }) => [effects.map(({ what }) => what), helped])

describe("a chain", () => {
  it("is open from the first sight of its problem", () => given(chain).when(seen()).gives("open"))

  it("begins with a problem and nothing else", () => {
    for (const early of [done, gone(), hidden, left]) given(chain).when(early).isRefused()
  })

  it("is attempted once something was done", () => given(chain, seen()).when(done).gives("attempted"))

  it("knows of an attempt that it did not help when the same problem is shown again", () => {
    given(chain, seen(), done).when(seen(3, edit())).gives("open")
    const context = contextOf(seen(1), done, seen(3, edit(), edit("/p/b.ts", 2.5)))
    expect(outcomes(context)).toEqual([[["/p/a.ts", "/p/b.ts"], false]])
    expect(context.sightings.map(({ toolUseId }) => toolUseId)).toEqual(["t1", "t3"])
  })

  it("is resolved by what was done since the problem was last shown, and knows how long it took", () => {
    const context = contextOf(seen(1), done, seen(3, edit()), done, gone(9, edit("/p/b.ts", 5)))
    expect(outcomes(context)).toEqual([
      [["/p/a.ts"], false],
      [["/p/b.ts"], true]
    ])
    expect(context.ending).toMatchObject({ at: 9, by: "npm test", ms: 8, fix: [edit("/p/b.ts", 5)] })
  })

  it("may be resolved by nothing but another try, and never in less than no time", () =>
    expect(contextOf(seen(5), gone(2)).ending).toMatchObject({ at: 2, ms: 0, fix: [] }))

  it("that is cleared waits for its proof, and keeps what had cleared it", () => {
    given(chain, seen()).when(cleared()).gives("cleared")
    given(chain, seen(), cleared()).when(left).isRefused()
    const context = contextOf(seen(1), cleared(6, edit()), gone(9, edit("/p/other.ts", 8)))
    expect(context.ending).toMatchObject({ at: 9, shown: "proved", fix: [edit()] })
  })

  it("that was cleared and is shown again was not helped", () => {
    given(chain, seen(), cleared()).when(seen(8)).gives("open")
    const context = contextOf(seen(1), cleared(6, edit()), seen(8))
    expect([context.ending, context.attempts.map(({ helped, how }) => [helped, how])]).toEqual([
      undefined,
      [[false, "it came back"]]
    ])
  })

  it("is suppressed where nobody looks any more", () =>
    given(chain, seen(), done).when(hidden).gives("suppressed"))

  it("keeps the first sighting and the last ones, counts the others, and bounds what was tried", () => {
    const many = Array.from({ length: 40 }, (_, at) => seen(at))
    const { omitted, sightings } = contextOf(...many)
    expect([sightings.length + omitted, sightings[0]?.at, sightings.at(-1)?.at]).toEqual([40, 0, 39])
    const effects = Array.from({ length: maxEffects + 7 }, (_, at) => edit(`/p/${at}.ts`, at))
    expect(contextOf(seen(), seen(99, ...effects)).attempts[0]?.effects).toHaveLength(maxEffects)
  })

  it("counts as left out exactly the sightings beyond the thirtieth, and keeps the newest twelve attempts", () => {
    const sightings = (count: number) => contextOf(...Array.from({ length: count }, (_, at) => seen(at)))
    expect(sightings(30)).toMatchObject({ omitted: 0 })
    expect(sightings(32)).toMatchObject({ omitted: 2 })
    expect(sightings(32).sightings.map(({ at }) => at)).toEqual([
      0,
      ...Array.from({ length: 29 }, (_, at) => at + 3)
    ])
    const tries = Array.from({ length: 14 }, (_, at) => seen(at + 1, edit(`/p/${at}.ts`, at)))
    const { attempts } = contextOf(seen(0), ...tries)
    expect(attempts.map(({ effects }) => effects[0]?.at)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13])
    const many = Array.from({ length: maxEffects + 2 }, (_, at) => edit(`/p/${at}.ts`, at))
    expect(contextOf(seen(), seen(99, ...many)).attempts[0]?.effects[0]?.at).toBe(2)
  })

  it("says of each attempt when it was, and by what it was told", () => {
    expect(contextOf(seen(1), seen(3, edit()), gone(9, edit("/p/b.ts", 5))).attempts).toEqual([
      { effects: [edit()], helped: false, how: "the same problem again", at: 3 },
      { effects: [edit("/p/b.ts", 5)], helped: true, how: "npm test went well", at: 9 }
    ])
    expect(contextOf(seen(1), seen(3)).attempts).toEqual([])
    expect(contextOf(seen(1), hidden).ending).toMatchObject({ at: 7, ms: 6, fix: [edit()] })
  })

  it("of which a first clearing was flaky stays so when it is proved", () => {
    const flaky: ChainSign = {
      ...cleared(),
      ending: { ...ending(6, "cleared", []), flaky: true }
    } as ChainSign
    expect(contextOf(seen(1), flaky, gone(9, edit())).ending).toMatchObject({ flaky: true, fix: [], at: 9 })
  })

  it("is over for good once it is resolved, suppressed or abandoned", () => {
    for (const end of [gone(), hidden, left]) {
      expect(isFinal(replay(chain, [seen(), end]))).toBe(true)
      for (const late of [seen(), done, gone(), left]) given(chain, seen(), end).when(late).isRefused()
    }
    expect(contextOf(seen(), left).abandoned).toEqual({ at: 8, why: "the session ended" })
  })

  it("has these edges", () => {
    expect(listed(exploreChain().edges)).toMatchInlineSnapshot(`
      [
        "open --PROBLEM_OBSERVED--> open",
        "open --EFFECT_OBSERVED--> attempted",
        "open --PROBLEM_GONE--> cleared",
        "open --PROBLEM_GONE--> resolved",
        "open --PROBLEM_SUPPRESSED--> suppressed",
        "open --CHAIN_LEFT--> abandoned",
        "attempted --PROBLEM_OBSERVED--> open",
        "attempted --PROBLEM_GONE--> cleared",
        "attempted --PROBLEM_GONE--> resolved",
        "attempted --PROBLEM_SUPPRESSED--> suppressed",
        "attempted --CHAIN_LEFT--> abandoned",
        "cleared --PROBLEM_OBSERVED--> open",
        "cleared --PROBLEM_GONE--> resolved",
      ]
    `)
  })
})
