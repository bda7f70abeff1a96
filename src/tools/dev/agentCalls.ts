/** Whether an agent's tool call may have changed a file: told by what its hooks recorded. Pure. */
import type { Tool } from "../../../events/agentEvents.ts"
import type { Recorded } from "../../../events/Recorded.ts"
import { isWithin } from "../../state/within.ts"

export interface Edited {
  readonly file: string
  /** The folder of the repository, or of the project. */
  readonly root: string
  /** Between these the file was changed, milliseconds since 1970. */
  readonly since: number
  readonly until: number
}

interface ToolCall {
  readonly agent: string | null
  readonly tool: Tool
  readonly from: number
  /** Undefined while it runs. */
  to: number | undefined
}

/** Times are whole milliseconds, and taken in two processes. */
const slackMs = 50

/** With these a session is past whatever call it had begun: one that its user refused has no other end. */
const overall: ReadonlySet<string> = new Set(["prompt.submit", "turn.stop", "session.start", "session.end"])
const ends: ReadonlySet<string> = new Set(["tool.after", "tool.failure"])

const onlyLooks: ReadonlySet<string> = new Set(["read", "search", "web"])

const payloadIn = ({
  data,
  known
}: Recorded): { readonly tool?: Tool; readonly toolUseId: string | null } | undefined =>
  known && (data as { readonly type: string }).type === "PAYLOAD_BUFFERED"
    ? (data as { readonly tool?: Tool; readonly toolUseId: string | null })
    : undefined

/** A hook stopped the call that this fact is of: it never runs. */
const isStop = ({ data, event, known }: Recorded): boolean => {
  const { intents, type } = data as { readonly type: string; readonly intents?: readonly { type: string }[] }
  return (
    known &&
    event === "tool.before" &&
    type === "HANDLER_SUCCEEDED" &&
    intents?.some((intent) => intent.type === "BLOCKING_FEEDBACK") === true
  )
}

const toolCallsIn = (facts: readonly Recorded[]): readonly ToolCall[] => {
  const found: ToolCall[] = []
  const running = new Map<string, Map<string, ToolCall>>()
  const begunIn = new Map<string, () => void>()
  for (const fact of facts) {
    if (isStop(fact)) begunIn.get(fact.stream)?.()
    const payload = payloadIn(fact)
    if (payload === undefined) continue
    const { agent, at, event } = fact
    const session = `${agent} ${fact.session}`
    const open = running.get(session) ?? new Map<string, ToolCall>()
    running.set(session, open)
    if (event !== null && overall.has(event)) {
      for (const call of open.values()) call.to = at
      open.clear()
      continue
    }
    const { tool, toolUseId } = payload
    if (tool === undefined || onlyLooks.has(tool.kind)) continue
    const key = toolUseId ?? tool.name
    const begun = open.get(key)
    if (event !== null && ends.has(event)) {
      // One that has no call before it is known by its end alone.
      if (begun === undefined) found.push({ agent, tool, from: at, to: at })
      else begun.to = at
      open.delete(key)
    } else if (begun === undefined) {
      const call: ToolCall = { agent, tool, from: at, to: undefined }
      found.push(call)
      open.set(key, call)
      begunIn.set(fact.stream, () => {
        call.to = at
        open.delete(key)
      })
    }
  }
  return found
}

const names = ({ command, path, paths = [] }: Tool, file: string): boolean =>
  path === file || paths.includes(file) || command?.includes(file) === true

/** In words; undefined where none can have. `facts` in the order of the log, from well before the change on. */
export const agentAtWork = (
  facts: readonly Recorded[],
  { file, root, since, until }: Edited
): string | undefined => {
  const here = facts.filter(
    ({ data, project }) =>
      project === null ||
      isWithin(project, root) ||
      isWithin(root, project) ||
      names(payloadIn({ data, known: true } as Recorded)?.tool ?? ({} as Tool), file)
  )
  const call = toolCallsIn(here).find(
    ({ from, to }) => from <= until + slackMs && (to === undefined || to >= since - slackMs)
  )
  if (call === undefined) return undefined
  const { agent, to, tool } = call
  return `${agent ?? "an agent"} ${to === undefined ? "runs" : "ran"} ${tool.name} meanwhile`
}
