/** What background hooks left, in the words of the reply that takes it along. */
import { diagnostic, type Intent, modelContext } from "../../../events/intents.ts"
import type { AllHeard, Heard } from "./hear.ts"

/** Whose the words are in the reply that carries them. */
export const hookName = "after-reply"

const headed = ({ ago, event, handler, intents }: Heard): readonly Intent[] => {
  const texts = intents.flatMap((one) => (one.type === "MODEL_CONTEXT" ? [one.text ?? ""] : []))
  const hints = intents.filter(({ type }) => type === "USER_HINT")
  return [
    ...(texts.length === 0
      ? []
      : [modelContext(`Hook ${handler}, which ran after ${event} ${ago} ago:\n${texts.join("\n")}`)]),
    ...hints
  ]
}

export const saidOf = ({ heard, tooOld }: AllHeard): readonly Intent[] => [
  ...heard.flatMap(headed),
  ...tooOld.map(({ ago, handler, job }) =>
    diagnostic("warn", `what hook ${handler} said ${ago} ago is too old to be passed on (job ${job})`)
  )
]
