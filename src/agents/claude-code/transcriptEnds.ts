/** How a tool call of Claude Code ended, told by its result in a transcript. Pure. */
import type { Json, JsonObject } from "../../../events/intents.ts"
import type { CallEnd } from "../../../events/observedFacts.ts"
import { isObject } from "../shape.ts"
import { leadingNumber, stringAt, textOf } from "../toolCall.ts"

export interface ClaudeEnd {
  readonly told: CallEnd
  readonly exitCode?: number
  readonly deniedBy?: string
  readonly response: Json
}

const stopped =
  /^(?:The user doesn't want to (?:proceed|take this action)|\[Request interrupted|The user wants to clarify|User rejected tool use|(?:<tool_use_error>)?(?:Sibling tool call errored|Cancelled: parallel tool call|Request interrupted))/
const denied =
  /^(?:(?:PreToolUse:\S+ hook (?:error|stopped|blocking))|Hook PreToolUse|Permission (?:to use|for this (?:tool use|action)) |Claude requested permissions|This command requires approval|.{0,200} hook returned blocking error)/
const rejected =
  /^(?:InputValidationError|Error: No such tool available|File has been unexpectedly modified|Agent type '.{0,80}' not found)/
const wrapped = /^\s*<tool_use_error>([\s\S]*?)(?:<\/tool_use_error>\s*)?$/
/** What a shell or an edit that ran and failed says; anything else in its place is the bare reason of whoever did not let it run. */
const shellFailure =
  /^(?:Exit code \d+|Command (?:timed out|was aborted)|Error: |Bash command failed|<persisted-output>|E[A-Z]{3,}: |Shell cwd)/
const editFailure = /^(?:Error: |E[A-Z]{3,}: )/
const edits: ReadonlySet<string> = new Set(["Edit", "Write", "MultiEdit", "NotebookEdit"])

const exitMark = "Exit code "

const failureOf = (name: string, said: string): ClaudeEnd => {
  if (stopped.test(said)) return { told: "stopped", response: said }
  if (denied.test(said)) return { told: "denied", response: said }
  const inner = wrapped.exec(said)?.[1]
  if (inner !== undefined) {
    const isRun = inner.includes("File does not exist")
    return { told: isRun ? "failed" : "rejected", response: inner }
  }
  if (rejected.test(said)) return { told: "rejected", response: said }
  if (name === "Bash" || name === "PowerShell") {
    if (!shellFailure.test(said)) return { told: "denied", response: said }
    const exitCode = said.startsWith(exitMark) ? leadingNumber(said.slice(exitMark.length, 40)) : undefined
    return { told: "failed", response: said, ...(exitCode === undefined ? {} : { exitCode }) }
  }
  if (edits.has(name) && !editFailure.test(said)) return { told: "denied", response: said }
  return { told: "failed", response: said }
}

const isShell = (name: string): boolean => name === "Bash" || name === "PowerShell"

/** `block`: the result as the model got it. `row`: what the agent keeps beside it. */
export const endOf = (name: string, block: JsonObject, row: JsonObject): ClaudeEnd => {
  const said = textOf(block["content"])
  const { permissionDecision, toolUseResult } = row
  const decision = isObject(permissionDecision) ? permissionDecision : undefined
  if (block["is_error"] === true) {
    const end = failureOf(name, said)
    const by = stringAt(decision ?? null, "reasonCode") ?? stringAt(decision ?? null, "source")
    if (decision?.["decision"] !== "deny" || end.told === "stopped") return end
    return { told: "denied", response: end.response, ...(by === undefined ? {} : { deniedBy: by }) }
  }
  const response: Json = isObject(toolUseResult) ? toolUseResult : said
  if (isObject(response)) {
    if (response["interrupted"] === true) return { told: "stopped", response }
    if (Object.hasOwn(response, "backgroundTaskId")) return { told: "running", response }
  }
  return { told: "ok", response, ...(isShell(name) ? { exitCode: 0 } : {}) }
}

export interface Notified {
  readonly call: string
  readonly told: CallEnd
  readonly exitCode?: number
  readonly summary: string
}

const tagged = (text: string, tag: string): string | undefined => {
  const from = text.indexOf(`<${tag}>`)
  const to = from < 0 ? -1 : text.indexOf(`</${tag}>`, from)
  return to < 0 ? undefined : text.slice(from + tag.length + 2, to).trim()
}

export const isNotification = (text: string): boolean => text.trimStart().startsWith("<task-notification>")

/** What a notification says of a call that went on in the background. */
export const notifiedBy = (text: string): Notified | undefined => {
  const call = tagged(text, "tool-use-id")
  const status = tagged(text, "status")
  if (call === undefined || status === undefined) return undefined
  const summary = tagged(text, "summary") ?? ""
  const code = /exit(?:ed with)? code:? (-?\d{1,6})/i.exec(summary)?.[1]
  const exitCode = code === undefined ? undefined : Number(code)
  const isDone = status === "completed"
  const told: CallEnd =
    status === "killed" || status === "stopped"
      ? "stopped"
      : (exitCode ?? 0) !== 0 || status === "failed"
        ? "failed"
        : isDone
          ? "ok"
          : "untold"
  return { call, told, summary, ...(exitCode === undefined ? {} : { exitCode }) }
}
