/** Who keeps a place at the HTTP door: whoever has shown the token. */
import { EventEmitter } from "node:events"
import type { Server } from "node:http"
import type { Socket } from "node:net"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { watchCallers } from "../../../src/programs/host/httpCallers.ts"

class Caller extends EventEmitter {
  closed = false
  destroy() {
    this.closed = true
    this.emit("close")
  }
}

const stage = (options?: Parameters<typeof watchCallers>[1]) => {
  const server = new EventEmitter()
  const callers = watchCallers(server as Server, options)
  const come = () => {
    const caller = new Caller()
    server.emit("connection", caller)
    return caller
  }
  const admit = (caller: Caller) => callers.admit(caller as unknown as Socket)
  return { admit, callers, come }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe("a connection at the HTTP door", () => {
  it("on which nobody shows the token is closed within two seconds, and one with it stays", () => {
    const { admit, callers, come } = stage()
    const [stranger, ours] = [come(), come()]
    expect(admit(ours)).toBe(true)
    vi.advanceTimersByTime(1000)
    expect(stranger.closed).toBe(false)
    vi.advanceTimersByTime(1000)
    expect([stranger.closed, ours.closed]).toEqual([true, false])
    vi.advanceTimersByTime(3_600_000)
    expect([ours.closed, callers.strangers()]).toEqual([false, 0])
    expect(vi.getTimerCount()).toBe(0)
  })

  it("of a stranger gives way to those that come after it, and takes the place of none that has shown the token", () => {
    const { admit, callers, come } = stage({ mostStrangers: 2 })
    const ours = come()
    admit(ours)
    const strangers = Array.from({ length: 5 }, come)
    // What came together is looked at before anybody has to go.
    expect(strangers.some(({ closed }) => closed)).toBe(false)
    vi.advanceTimersByTime(10)
    expect(strangers.map(({ closed }) => closed)).toEqual([true, true, true, false, false])
    expect([ours.closed, callers.strangers()]).toEqual([false, 2])
  })

  it("that shows the token when there are enough of those is answered, and not kept", () => {
    const { admit, come } = stage({ mostAdmitted: 1 })
    const [first, second] = [come(), come()]
    expect([admit(first), admit(second), admit(first)]).toEqual([true, false, true])
    vi.advanceTimersByTime(10_000)
    expect([first.closed, second.closed]).toEqual([false, false])
    first.destroy()
    expect(admit(second)).toBe(true)
  })
})
