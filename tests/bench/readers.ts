/** What calls wait for longer while pages watch: three readers of the inspector's stream, without a browser, against none. */
import { setTimeout as pause } from "node:timers/promises"
import { quantile } from "./interleave.ts"
import { endInspector, type Place, startInspector } from "./onScreen.ts"
import type { Seen } from "./seen.ts"

const rounds = 8
const callsEach = 50
const gapMs = 50
const readers = 3
const mostRatio = 1.1

/** In turns; a host is there. `call`: one call of an agent, to its end. */
export const besideReaders = async (place: Place, call: () => Promise<void>): Promise<readonly Seen[]> => {
  const { address, child } = await startInspector(place)
  const headers = { authorization: `Bearer ${address.hash.slice("#token=".length)}` }
  const read = async (signal: AbortSignal): Promise<void> => {
    const { body } = await fetch(`${address.origin}/api/v1/stream?topics=calls`, { headers, signal })
    const reader = body?.getReader()
    const goOn = async (): Promise<void> => {
      const part = await reader?.read()
      if (part?.done === false) await goOn()
    }
    goOn().catch(() => undefined)
  }
  const timed = async (calls: number): Promise<readonly number[]> => {
    const took: number[] = []
    for (let nth = 0; nth < calls; nth++) {
      const began = performance.now()
      await call()
      took.push(performance.now() - began)
      await pause(gapMs)
    }
    return took
  }
  try {
    const alone: number[] = []
    const watched: number[] = []
    await timed(callsEach)
    for (let round = 0; round < rounds; round++) {
      alone.push(...(await timed(callsEach)))
      const stop = new AbortController()
      for (let nth = 0; nth < readers; nth++) await read(stop.signal)
      watched.push(...(await timed(callsEach)))
      stop.abort()
    }
    return [
      { name: "a call, p95", is: quantile(alone, 0.95), unit: "ms" },
      {
        name: `a call's p95 while ${readers} read the stream`,
        is: quantile(watched, 0.95) / quantile(alone, 0.95),
        unit: "×",
        most: mostRatio
      }
    ]
  } finally {
    await endInspector(child)
  }
}
