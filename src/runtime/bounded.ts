/** How much one handler may say: what is over is cut, and what was cut is said in its place. */
import { diagnostic, type Intent } from "../../events/intents.ts"
import { cut } from "../redact/cut.ts"

/** Characters of all texts of one handler. No agent shows a model a tenth of it, and each is read for secrets. */
export const maxText = 256 * 1024

type Texts = "message" | "text" | "reason"
const texts: readonly Texts[] = ["message", "text", "reason"]

const lengthOf = (intent: Intent): number =>
  texts.reduce((sum, name) => sum + ((intent as { [name in Texts]?: string })[name]?.length ?? 0), 0)

/** In their order, each as much as is left of it. */
export const bounded = (intents: readonly Intent[]): readonly Intent[] => {
  const said = intents.reduce((sum, intent) => sum + lengthOf(intent), 0)
  if (said <= maxText) return intents
  let left = maxText
  const kept = intents.map((intent) => {
    const shorter: { [name in Texts]?: string } = {}
    for (const name of texts) {
      const text = (intent as { [name in Texts]?: string })[name]
      if (text === undefined) continue
      const head = text.length > left ? `${cut(text, left)}…` : text
      left = Math.max(0, left - text.length)
      shorter[name] = head
    }
    return { ...intent, ...shorter } as Intent
  })
  const note = `a hook's reply was cut: it had ${said} characters, of which ${maxText} are kept`
  return [...kept, diagnostic("warn", note)]
}
