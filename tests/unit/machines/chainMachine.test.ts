/** The rules of a chain, one sentence each, and every edge it has. */
import { describe, expect, it } from "vitest"
import {
  type Attempt,
  type ChainContext,
  type ChainSign,
  chain,
  maxAttempts
} from "../../../machines/chain.ts"
import { isFinal, replay } from "../../../machines/step.ts"
import { listed } from "../../support/explore.ts"
import { given } from "../../support/given.ts"
import { exploreChain } from "../../support/machines.ts"

const error = (at = 1): ChainSign => ({ type: "ERROR_OBSERVED", at })
const edit = (what = "/p/a.ts", at = 2): ChainSign => ({
  type: "FIX_ATTEMPTED",
  at,
  kind: "edit",
  what,
  failed: false
})
const ran = (what: string, failed: boolean): ChainSign => ({
  type: "FIX_ATTEMPTED",
  at: 3,
  kind: "command",
  what,
  failed
})
const gone = (at = 9): ChainSign => ({ type: "ERROR_GONE", at, by: "npm test" })
const left: ChainSign = { type: "CHAIN_LEFT", at: 8, why: "the session ended" }

const contextOf = (...signs: readonly ChainSign[]): ChainContext =>
  replay(chain, signs).context as ChainContext
const outcomes = (attempts: readonly Attempt[]) => attempts.map(({ helped, what }) => [what, helped])

describe("a chain", () => {
  it("is open from the first sight of its error", () => given(chain).when(error()).gives("open"))

  it("begins with an error and nothing else", () => {
    for (const early of [edit(), gone(), left]) given(chain).when(early).isRefused()
  })

  it("is attempted once something was done", () => given(chain, error()).when(edit()).gives("attempted"))

  it("knows of an attempt that it did not help when the same error comes again", () => {
    given(chain, error(), edit()).when(error(3)).gives("attempted")
    const { attempts, opened, seen } = contextOf(error(1), edit(), error(3), edit("/p/b.ts"))
    expect(outcomes(attempts)).toEqual([
      ["/p/a.ts", false],
      ["/p/b.ts", null]
    ])
    expect({ opened, seen }).toEqual({ opened: 1, seen: 2 })
  })

  it("knows at once of what failed itself", () =>
    expect(contextOf(error(), ran("npm i x", true)).attempts[0]).toMatchObject({
      helped: false,
      how: "it failed itself"
    }))

  it("is resolved by whatever was done since the error was last seen, and knows how long it took", () => {
    const { attempts, resolved } = contextOf(
      error(1),
      edit(),
      error(3),
      edit("/p/b.ts"),
      ran("make", false),
      gone()
    )
    expect(outcomes(attempts)).toEqual([
      ["/p/a.ts", false],
      ["/p/b.ts", true],
      ["make", true]
    ])
    expect(resolved).toEqual({ at: 9, by: "npm test", ms: 8 })
  })

  it("may be resolved by nothing but another try, and never in less than no time", () =>
    expect(contextOf(error(5), gone(2)).resolved).toEqual({ at: 2, by: "npm test", ms: 0 }))

  it("holds an attempt once, as long as nobody knows whether it helped", () => {
    expect(outcomes(contextOf(error(), edit(), edit("/p/b.ts"), edit()).attempts)).toEqual([
      ["/p/b.ts", null],
      ["/p/a.ts", null]
    ])
    expect(outcomes(contextOf(error(), edit(), error(), edit()).attempts)).toEqual([
      ["/p/a.ts", false],
      ["/p/a.ts", null]
    ])
  })

  it("keeps the last attempts and counts the others", () => {
    const many = Array.from({ length: maxAttempts + 7 }, (_, at) => edit(`/p/${at}.ts`))
    const { attempts, omitted } = contextOf(error(), ...many)
    expect([attempts.length, omitted, attempts[0]?.what]).toEqual([maxAttempts, 7, "/p/7.ts"])
  })

  it("is over for good once it is resolved or abandoned", () => {
    for (const end of [gone(), left]) {
      expect(isFinal(replay(chain, [error(), end]))).toBe(true)
      for (const late of [error(), edit(), gone(), left]) given(chain, error(), end).when(late).isRefused()
    }
    expect(contextOf(error(), left).abandoned).toEqual({ at: 8, why: "the session ended" })
  })

  it("has these edges", () => {
    expect(listed(exploreChain().edges)).toMatchInlineSnapshot(`
      [
        "open --ERROR_OBSERVED--> open",
        "open --FIX_ATTEMPTED--> attempted",
        "open --ERROR_GONE--> resolved",
        "open --CHAIN_LEFT--> abandoned",
        "attempted --ERROR_OBSERVED--> attempted",
        "attempted --FIX_ATTEMPTED--> attempted",
        "attempted --ERROR_GONE--> resolved",
        "attempted --CHAIN_LEFT--> abandoned",
      ]
    `)
  })
})
