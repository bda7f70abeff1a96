/** A prompt that begins with "remember:" becomes a note; later sessions find it. */
import { defineHook, userHint } from "hooktape"

export default defineHook({
  name: "remember",
  on: "prompt.submit",
  run: async ({ prompt, services }) => {
    const text = /^remember:\s*(.+)/is.exec(prompt)?.[1]?.trim()
    if (text === undefined) return undefined
    await services.notes.add({ text, kind: "preference", importance: 0.8 })
    return userHint("noted")
  }
})
