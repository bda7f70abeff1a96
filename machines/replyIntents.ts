/** What the facts of an invocation add to its reply: what handlers wanted, and what their failures mean. Pure. */
import type { InvocationFact, Planned } from "../events/facts.ts"
import { blockingFeedback, diagnostic, type Intent, modelContext, userHint } from "../events/intents.ts"

/** An intent and who wanted it: a handler's name, or `hooktape` for what the runtime itself has to say. */
export interface Attributed {
  readonly handler: string
  readonly intent: Intent
}

export const own = "hooktape"

/** A message of many lines would fill the human's screen. */
const longestHint = 200

const oneLine = (text: string): string => {
  const [line = ""] = text.trim().split("\n")
  const plain = line.trim().replace(/[.:]$/, "")
  return plain.length > longestHint ? `${plain.slice(0, longestHint)}…` : plain
}

const hintOf = (handler: string, what: string): Attributed => ({
  handler: own,
  intent: userHint(`hooktape: hook ${handler} ${oneLine(what)}. "hooktape log --failed" shows it.`)
})

/** What a handler's failure says, by its policy; `hinted` where the human is told besides. */
const failed = (
  handler: string,
  policy: "allow" | "block" | "ask",
  what: string,
  hinted = false
): readonly Attributed[] => {
  const operator: Attributed = { handler, intent: diagnostic("error", `hook ${handler} ${what}`) }
  if (policy === "block") {
    return [
      operator,
      { handler, intent: blockingFeedback(`The hook ${handler} ${what}. Its policy is to block.`) }
    ]
  }
  if (policy === "ask") {
    const reason = `The hook ${handler} ${what}. Its policy is to ask.`
    return [operator, { handler, intent: modelContext({ permission: "ask", reason }) }]
  }
  return hinted ? [operator, hintOf(handler, what)] : [operator]
}

/** A question that does not say what it means where it cannot be asked means what its hook says. */
const asPlanned = (said: Attributed, ifCannotAsk: Planned["ifCannotAsk"]): Attributed => {
  const { handler, intent } = said
  const asks = intent.type === "MODEL_CONTEXT" && intent.permission === "ask"
  return asks && ifCannotAsk !== undefined ? { handler, intent: { ifCannotAsk, ...intent } } : said
}

/** What a fact adds to the reply; `planned` is the handler that it is about. */
export const intentsOf = (fact: InvocationFact, planned?: Planned): readonly Attributed[] =>
  [...ownIntentsOf(fact), ...rescuedBy(fact)].map((said) => asPlanned(said, planned?.ifCannotAsk))

/** What a hook's `onError` wanted, after what its policy says. */
const rescuedBy = (fact: InvocationFact): readonly Attributed[] => {
  if (fact.type !== "HANDLER_FAILED" && fact.type !== "HANDLER_TIMED_OUT") return []
  const { handler, intents = [], onError } = fact
  const wanted = intents.map((intent): Attributed => ({ handler, intent }))
  return onError === undefined
    ? wanted
    : [
        ...wanted,
        { handler, intent: diagnostic("error", `hook ${handler} failed in onError too: ${onError.message}`) }
      ]
}

const ownIntentsOf = (fact: InvocationFact): readonly Attributed[] => {
  switch (fact.type) {
    case "HANDLERS_PLANNED":
      return (fact.notices ?? []).map((intent) => ({ handler: own, intent }))
    case "HANDLER_SUCCEEDED":
      return fact.intents.map((intent) => ({ handler: fact.handler, intent }))
    case "HANDLER_FAILED":
      return failed(fact.handler, fact.policy, `failed: ${fact.error.message}`, fact.hinted)
    case "HANDLER_TIMED_OUT":
      return failed(fact.handler, fact.policy, `did not finish within ${fact.deadlineMs} ms`, fact.hinted)
    case "HANDLER_SKIPPED":
      return fact.policy === undefined || fact.policy === "allow"
        ? [
            {
              handler: fact.handler,
              intent: diagnostic("warn", `hook ${fact.handler} was skipped: ${fact.reason}`)
            }
          ]
        : failed(fact.handler, fact.policy, `was skipped: ${fact.reason}`)
    case "PAYLOAD_REJECTED":
      return [
        { handler: own, intent: diagnostic("warn", `payload rejected (${fact.reason}): ${fact.detail}`) }
      ]
    default:
      return []
  }
}
