/** A view's question: asked again when there is more to know, never twice at once, and for a tenth of the time at most. */
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { AskError } from "../../../src/programs/inspector/core/AskError.ts"
import { type Asker, type Heard, makeAsker } from "../../../src/programs/inspector/core/asker.ts"

let asker: Asker
let heard: Heard<number>[]
let slow: boolean[]
let asked: { readonly at: number; readonly signal: AbortSignal }[]
const tookMs = 50

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  heard = []
  slow = []
  asked = []
})
afterEach(() => {
  asker.end()
  vi.useRealTimers()
})

const start = (answer: (nth: number) => Promise<number>, ms = tookMs): void => {
  asker = makeAsker<number>({
    ask: async (signal) => {
      const nth = asked.push({ at: Date.now(), signal })
      await new Promise((done) => setTimeout(done, ms))
      return answer(nth)
    },
    heard: (outcome) => heard.push(outcome),
    slow: (isSlow) => slow.push(isSlow)
  })
}
const times = () => asked.map(({ at }) => at)

it("asks at once, and not again before somebody says that there is more", async () => {
  start(async (nth) => nth)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(heard).toEqual([{ value: 1 }])
  asker.again()
  await vi.advanceTimersByTimeAsync(tookMs)
  expect(heard).toEqual([{ value: 1 }, { value: 2 }])
})

it("rests ten times as long as the answer took, however often it is told", async () => {
  start(async (nth) => nth)
  for (let told = 0; told < 40; told++) {
    await vi.advanceTimersByTimeAsync(60)
    asker.again()
  }
  expect(times()).toEqual([0, 550, 1100, 1650, 2200])
  expect(heard).toEqual([1, 2, 3, 4, 5].map((value) => ({ value })))
})

it("rests for ten seconds at most, however long an answer took", async () => {
  start(async (nth) => nth, 20_000)
  await vi.advanceTimersByTimeAsync(20_000)
  asker.again()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(times()).toEqual([0, 30_000])
})

it("shows each answer, though there is more to know before it has come", async () => {
  start(async (nth) => nth, 3000)
  for (let told = 0; told < 7; told++) {
    await vi.advanceTimersByTimeAsync(500)
    asker.again()
  }
  expect(heard).toEqual([{ value: 1 }])
  expect(slow).toEqual([true, false])
  expect(asked.length).toBe(1)
  await vi.advanceTimersByTimeAsync(40_000)
  expect(times()).toEqual([0, 13_000])
})

it("tells what went wrong, and goes on", async () => {
  start((nth) => (nth === 1 ? Promise.reject(new Error("gone")) : Promise.resolve(nth)))
  await vi.advanceTimersByTimeAsync(tookMs)
  expect(heard).toEqual([{ error: new AskError("failed", "gone") }])
  asker.again()
  await vi.advanceTimersByTimeAsync(11 * tookMs)
  expect(heard.at(-1)).toEqual({ value: 2 })
})

it("is heard no more once it has ended, and asks no more", async () => {
  start(async (nth) => nth)
  asker.again()
  asker.end()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(heard).toEqual([])
  expect(slow).toEqual([false])
  expect(asked.map(({ signal }) => signal.aborted)).toEqual([true])
})
