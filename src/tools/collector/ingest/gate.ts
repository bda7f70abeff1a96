/** Whether a caller may hand over a body at all. A token that was good a moment ago is not looked up again: the append does that itself. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { isAuthorised } from "./receive.ts"

const freshMs = 30_000
/** More are forgotten, and looked up again. */
const most = 20_000

export const makeGate = () => {
  const seen = new Map<string, number>()
  return Effect.fn("collector.gate")(function* (token: Buffer) {
    const key = token.toString("base64")
    const now = yield* Clock.currentTimeMillis
    const at = seen.get(key)
    if (at !== undefined && now - at < freshMs) return true
    if (!(yield* isAuthorised(token))) return false
    if (seen.size >= most) seen.clear()
    seen.set(key, now)
    return true
  })
}
