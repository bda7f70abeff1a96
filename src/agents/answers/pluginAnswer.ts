/** What a command's answer means to our plugins in agents without command hooks of use: the document that hooktape writes for them, or exit code 2. */
import { blockingFeedback, modelContext, userHint } from "../../../events/intents.ts"
import { documented, means, objectAt, type ReadAnswer, textAt, unread } from "./Answer.ts"

const keys = ["context", "decision", "reason", "args", "output"]

const readBy = ({ asks, hints }: { readonly asks: boolean; readonly hints: boolean }): ReadAnswer =>
  documented((document) => {
    const context = textAt(document, "context")
    const decision = textAt(document, "decision")
    const reason = textAt(document, "reason") ?? ""
    const input = objectAt(document, "args")
    const output = textAt(document, "output")
    const hint = hints ? textAt(document, "hint") : undefined
    return means(
      decision === "block" ? blockingFeedback(reason) : undefined,
      asks && decision === "ask" ? modelContext({ permission: "ask", reason }) : undefined,
      asks && decision === "allow" ? modelContext({ permission: "allow" }) : undefined,
      context === undefined ? undefined : modelContext(context),
      input === undefined ? undefined : modelContext({ updatedInput: input }),
      output === undefined ? undefined : modelContext({ updatedOutput: output }),
      hint === undefined ? undefined : userHint(hint),
      ...unread(document, hints ? [...keys, "hint"] : keys)
    )
  })

/** OpenCode asks no question for a hook; Cline has no place for a hint. */
export const opencodeAnswer = readBy({ asks: false, hints: true })
export const clineAnswer = readBy({ asks: true, hints: false })
