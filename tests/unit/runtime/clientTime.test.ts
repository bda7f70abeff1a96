/** How long a call's client was there before the call was taken in: said where that is certain. */
import { describe, expect, it } from "vitest"
import { clientOf } from "../../../src/runtime/clientTime.ts"
import { monotonic } from "../../../src/runtime/elapsed.ts"
import { type Head, makeRequestReader, requestFrame } from "../../../src/runtime/host/wireProtocol.ts"

const startUs = 1_700_000_000_000_000
const fromUs = 5_000_000_000
/** When the call was taken in, by both clocks, so many milliseconds after its client's start. */
const later = (ms: number, byDate = ms) => [fromUs / 1000 + ms, startUs / 1000 + byDate] as const

describe("the time before a call was taken in", () => {
  it.each([0, 0.25, 3, 900, 30_000])("is told where both clocks say %d ms", (ms) => {
    expect(clientOf(startUs, fromUs, ...later(ms))).toEqual({ startUs, beforeUs: ms * 1000 })
  })

  it.each([
    ["the client's clock is ahead", later(-20_000, 3)],
    ["the client's clock is some minutes behind", later(600_000, 3)],
    ["the client's clock is days behind", later(864_000_000, 3)],
    ["the date was set meanwhile", later(3, 7_200_000)],
    ["it would be negative", later(-3)],
    ["it would be longer than any agent waits", later(4_000_000)]
  ])("is left out where %s", (_, [began, beganAt]) => {
    expect(clientOf(startUs, fromUs, began, beganAt)).toEqual({ startUs })
  })

  it("is told of this very machine, whose clocks agree", () => {
    const before = clientOf(Date.now() * 1000, monotonic() * 1000, monotonic())?.beforeUs
    expect(before).toBeGreaterThanOrEqual(0)
    expect(before).toBeLessThan(1_000_000)
  })

  it.each([
    ["0", true],
    ["500000", true],
    ["3600000000", false],
    ["99999999999999", false],
    ["-5", false]
  ])("is not taken from a client that says it took %s microseconds", (took, isTaken) => {
    let heard: Head | undefined
    const read = makeRequestReader({
      head: (head) => {
        heard = head
      },
      chunk: () => undefined,
      end: () => undefined,
      broken: () => undefined
    })
    read(requestFrame({ token: "t", start: `${startUs} ${fromUs} ${took}` }, {}, Buffer.alloc(0)))
    expect(heard?.started !== undefined).toBe(isTaken)
  })
})
