/** A word to the human when a turn ends, after the crash and the noise. */
import { defineHook, userHint } from "hooktape"

export default defineHook({
  name: "farewell",
  on: "turn.stop",
  run: ({ agent }) => userHint(`${agent} finished; the whole turn is on the log`)
})
