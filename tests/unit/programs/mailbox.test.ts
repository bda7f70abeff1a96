/** What comes from whoever runs handlers: in order, each once, and never waited for without an end. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { makeMailbox } from "../../../src/programs/host/mailbox.ts"

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }))
afterEach(() => void vi.useRealTimers())

const made = () => {
  const lateAfter: number[] = []
  const mailbox = makeMailbox<string>((withinMs) => {
    lateAfter.push(withinMs)
    mailbox.end(new Error("late"))
  })
  return { mailbox, lateAfter }
}

describe("a mailbox", () => {
  it("gives what came before it was asked for, in order, and then what comes", async () => {
    const { mailbox } = made()
    mailbox.put("a")
    mailbox.put("b")
    expect(await mailbox.next(1)).toBe("a")
    expect(await mailbox.next(1)).toBe("b")
    const waited = mailbox.next(1)
    mailbox.put("c")
    expect(await waited).toBe("c")
  })

  it("says that nothing came in time, once, and only while somebody waits", async () => {
    const { lateAfter, mailbox } = made()
    const first = mailbox.next(10)
    mailbox.put("a")
    await first
    await vi.advanceTimersByTimeAsync(1000)
    expect(lateAfter).toEqual([])
    const second = mailbox.next(20)
    const told = expect(second).rejects.toThrow("late")
    await vi.advanceTimersByTimeAsync(20)
    await told
    // Files share a process, and some of them leave timers: not how many there are is asked, but what this one still does.
    await vi.advanceTimersByTimeAsync(1000)
    expect(lateAfter).toEqual([20])
  })

  it("that ended still gives what came before, and then says why it ended: the first reason that there was", async () => {
    const { mailbox } = made()
    mailbox.put("a")
    mailbox.end(new Error("first"))
    mailbox.end(new Error("second"))
    expect(mailbox.isEnded()).toBe(true)
    expect(await mailbox.next(1)).toBe("a")
    await expect(mailbox.next(1)).rejects.toThrow("first")
    expect(vi.getTimerCount()).toBe(0)
  })

  it("tells whoever waits that it ended", async () => {
    const { mailbox } = made()
    const told = expect(mailbox.next(1000)).rejects.toThrow("gone")
    mailbox.end(new Error("gone"))
    await told
    expect(vi.getTimerCount()).toBe(0)
  })
})
