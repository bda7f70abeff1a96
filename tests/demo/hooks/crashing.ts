/** A handler that throws: the agent goes on, and the log has the reason. */
import { defineHook } from "hooktape"

export default defineHook({
  name: "crashing",
  on: "prompt.submit",
  run: ({ prompt }) => {
    throw new Error(`cannot make sense of ${prompt.length} characters`)
  }
})
