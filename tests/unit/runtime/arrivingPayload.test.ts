/** A payload as it arrives: complete with its JSON or with its end, whichever the host hears of first. */
import { describe, expect, it } from "vitest"
import { makeArriving } from "../../../src/runtime/leftCalls/arrivingPayload.ts"

const never = 2_000_000_000
const text = '{"a":["}",{"b":"\\""}]}'
const bytes = (part: string) => Buffer.from(part)
const arriving = (limit = 1000) => makeArriving(limit)

describe("a payload that arrives", () => {
  it("is complete with its JSON: some agents never say that it ends", async () => {
    const payload = arriving()
    const received = payload.received(never)
    for (const part of text) payload.chunk(bytes(part))
    expect(await received).toEqual({ kind: "buffered", bytes: bytes(text) })
  })

  it("is complete as well where all of it was there before anybody asked", async () => {
    const payload = arriving()
    payload.chunk(bytes(text.slice(0, 5)))
    payload.chunk(bytes(text.slice(5)))
    expect(await payload.received(never)).toEqual({ kind: "buffered", bytes: bytes(text) })
  })

  it("is complete with what comes after it was asked for, and not before", async () => {
    const payload = arriving()
    payload.chunk(bytes(text.slice(0, 5)))
    let came = false
    const received = payload.received(never).then((taken) => {
      came = true
      return taken
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(came).toBe(false)
    payload.chunk(bytes(text.slice(5)))
    expect(await received).toEqual({ kind: "buffered", bytes: bytes(text) })
  })

  it("ends with its end, whatever it holds", async () => {
    const payload = arriving()
    payload.chunk(bytes('{"half":'))
    payload.end()
    expect(await payload.received(never)).toEqual({ kind: "buffered", bytes: bytes('{"half":') })
    const broken = arriving()
    const received = broken.received(never)
    broken.broken()
    expect(await received).toEqual({ kind: "buffered", bytes: bytes("") })
  })

  it("that is too large is counted to its end, complete or not", async () => {
    const payload = arriving(10)
    const received = payload.received(never)
    payload.chunk(bytes('{"a":'))
    payload.chunk(bytes('"longer than that"}'))
    payload.chunk(bytes("more"))
    payload.end()
    expect(await received).toMatchObject({ kind: "too-large", total: 28 })
  })

  it("that does not come in time is told with what came", async () => {
    const payload = arriving()
    payload.chunk(bytes('{"half":'))
    expect(await payload.received(1)).toEqual({ kind: "timed-out", bytes: bytes('{"half":') })
  })
})
