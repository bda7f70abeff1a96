/** Makes the exact bytes of a reply from an agent's rules: one procedure for every agent, event and transport. */
import type { Tool } from "../../events/agentEvents.ts"
import { exitCodes } from "../../events/exitCodes.ts"
import type { Diagnostic, Json, JsonObject } from "../../events/intents.ts"
import type { Encoded, Transport } from "./Adapter.ts"
import { reasonToAsk, unasked } from "./cannotAsk.ts"
import { type Draft, makeDraft } from "./draft.ts"
import { changedInput, joined, type Reply, type Slot } from "./reply.ts"
import { at, no, type Rules, type Way, type Wish } from "./ways.ts"

/** What differs between agents beyond the rules of an event. */
export interface Dialect {
  /** Longest text for the model that the agent passes on as it is; beyond, it does something of its own. */
  readonly contextLimit?: { readonly characters: number; readonly beyond: string }
  /** Fields that the agent wants in `hookSpecificOutput` whenever there is one. */
  readonly specific?: (nativeEvent: string) => JsonObject
  /** Why an exit code cannot be used without a block; `isFilled` is whether there is a document. */
  readonly exit: (code: number, isFilled: boolean) => string | undefined
  /** Why a wish cannot be granted given the others and the tool. */
  readonly withheld?: (
    wish: Wish,
    reply: Reply,
    tool: Tool | undefined,
    nativeEvent: string
  ) => string | undefined
  /** Whether the agent would take this text on standard error for something else than a reason. */
  readonly misread?: (reason: string) => boolean
  /** What the agent is told where there is nothing to say; without it standard output stays empty. */
  readonly neutral?: JsonObject
  /** Whether the agent reads standard error when standard output is empty. */
  readonly readsStderr?: boolean
}

/** Of most agents: a block is said by it, and nothing else. */
export const exitMeansBlock = (code: number): string | undefined =>
  code === exitCodes.blocking ? "exit code 2 is how a block is said; use blockingFeedback" : undefined

const blocked = "the action is blocked"
export const unpassed = "the question could not be passed on to the agent"
const emptyText = "the text is empty"
/** Agents want a reason; a hook that gave none still means to stop the action. */
const noReason = "Blocked by a hook."
const unknown: Way = no("hooktape does not know this event of the agent")
const noWay: Way = no("the agent does not take it at this event")

export const diagnosticLine = ({ level, message }: Diagnostic): string => `hooktape ${level}: ${message}\n`

/** A question with its reason, where there is one. */
const asking = (way: Way, reason: string): Way => {
  const [constant] = "at" in way ? Object.entries(way.with ?? {}) : []
  return reason === "" && constant !== undefined ? at(...constant) : way
}

const exitRefusal = (
  code: number,
  transport: Transport,
  dialect: Dialect,
  isFilled: boolean
): string | undefined => {
  if (transport === "http") return "an HTTP answer has no exit code"
  if (!Number.isInteger(code) || code < 0 || code > 255) return "an exit code is an integer from 0 to 255"
  return dialect.exit(code, isFilled)
}

/** The exit code that blocks, where one does. */
const blockingExit = (way: Way, transport: Transport): number | undefined =>
  transport === "http" ? undefined : "exit" in way ? way.exit : "at" in way ? way.orExit : undefined

/** What still stops the action where standard output is gone. */
export const stoppedBy = (
  exitCode: number | undefined,
  reasons: readonly string[]
): Pick<Encoded, "otherwise"> =>
  exitCode === undefined || reasons.length === 0
    ? {}
    : { otherwise: { stderr: `${joined(reasons)}\n`, exitCode } }

/** Says the block, and whether by exit code; then standard output has to stay empty. */
const sayBlock = (draft: Draft, way: Way, reason: string): boolean => {
  if (!("exit" in way)) {
    draft.put("block", way, reason)
    return false
  }
  draft.carried.block = { channel: "stderr and exit code 2" }
  return true
}

export const encodeWith =
  (
    dialect: Dialect,
    rulesOf: (nativeEvent: string) => Rules | undefined,
    eventOf: (nativeEvent: string) => string | undefined = () => undefined
  ) =>
  (nativeEvent: string, transport: Transport, wanted: Reply, tool?: Tool): Encoded => {
    const rules = rulesOf(nativeEvent)
    const draft = makeDraft(rules?.output, dialect.specific?.(nativeEvent) ?? {})
    const { carried, refuse } = draft

    const wayOf = (wish: Wish): Way =>
      rules
        ? ((transport === "http" ? rules.http?.[wish] : undefined) ?? rules.command[wish] ?? noWay)
        : unknown
    const whyNotAsked = (): string | undefined => {
      const way = wayOf("ask")
      return "no" in way ? way.no : dialect.withheld?.("ask", wanted, tool, nativeEvent)
    }
    const cannotAsk = wanted.permission === "ask" ? whyNotAsked() : undefined
    const stopped =
      cannotAsk === undefined || "no" in wayOf("block")
        ? []
        : unasked(wanted, cannotAsk, eventOf(nativeEvent), tool)
    const reply: Reply = stopped.length === 0 ? wanted : { ...wanted, blocks: [...wanted.blocks, ...stopped] }

    const wish = (slot: Slot, name: Wish, value: Json | undefined, note?: string) => {
      const way = wayOf(name)
      const withheld = "no" in way ? undefined : dialect.withheld?.(name, reply, tool, nativeEvent)
      if (withheld !== undefined) refuse(slot, withheld)
      else if (value === undefined && !("no" in way)) refuse(slot, "the tool's own input is not known")
      else draft.put(slot, way, value ?? null, note)
    }

    const reason = joined(reply.blocks.filter((text) => text.trim() !== "")) || noReason
    let byExit = false
    if (reply.blocks.length > 0) {
      const way = wayOf("block")
      // Over HTTP there is no standard error and no exit code.
      const needsJson = "exit" in way && (transport === "http" || dialect.misread?.(reason) === true)
      byExit = sayBlock(draft, needsJson ? (rules?.blockAsJson ?? noWay) : way, reason)
    }
    const isBlocked = carried.block !== undefined && "channel" in carried.block
    const texts = (slot: "context" | "hint", parts: readonly string[]) => {
      if (parts.length === 0) return
      const text = joined(parts)
      const limit = slot === "context" ? dialect.contextLimit : undefined
      const isLong = limit !== undefined && text.length > limit.characters
      const note = isLong
        ? `${text.length} characters; beyond ${limit.characters} ${limit.beyond}`
        : undefined
      if (byExit) refuse(slot, blocked)
      else if (text.trim() === "") refuse(slot, emptyText)
      else wish(slot, slot, text, note)
    }
    texts("context", reply.contexts)
    if (isBlocked) {
      if (reply.updatedInput) refuse("input", blocked)
      if (reply.permission !== "none")
        if (stopped.length === 0) refuse("permission", blocked)
        else refuse("permission", `${cannotAsk}: ${blocked}`, "block")
      if (reply.updatedOutput) refuse("output", blocked)
    } else {
      if (reply.updatedInput) wish("input", "input", changedInput(reply, tool?.input))
      if (reply.permission === "allow") wish("permission", "allow", "allow")
      else if (cannotAsk !== undefined) refuse("permission", cannotAsk)
      else if (reply.permission === "ask") {
        const why = reasonToAsk(reply)
        draft.put("permission", asking(wayOf("ask"), why), why)
      }
      if (reply.updatedOutput) wish("output", "output", reply.updatedOutput.value)
    }
    texts("hint", reply.hints)

    if (wanted.blocks.length === 0) delete carried.block
    let exitCode: number = byExit ? exitCodes.blocking : exitCodes.success
    if (reply.exit !== undefined) {
      const stopping = byExit && reply.exit !== exitCodes.blocking ? `${blocked} with exit code 2` : undefined
      const refusal = byExit ? stopping : exitRefusal(reply.exit, transport, dialect, draft.isFilled())
      if (refusal !== undefined) refuse("exit", refusal)
      else {
        exitCode = reply.exit
        carried.exit = { channel: "exit code" }
      }
    }

    const isAsked =
      carried.permission !== undefined && "channel" in carried.permission && wanted.asks.length > 0
    const lastResort = isBlocked
      ? [reason]
      : isAsked
        ? unasked(wanted, unpassed, eventOf(nativeEvent), tool)
        : []
    const otherwise = byExit ? {} : stoppedBy(blockingExit(wayOf("block"), transport), lastResort)

    // What the model reads as the reason of a block holds nothing else.
    const isShown = transport === "command" && !byExit && reply.diagnostics.length > 0
    if (reply.diagnostics.length > 0) carried.diagnostic = { channel: isShown ? "stderr" : "log" }
    const stderr = byExit ? `${reason}\n` : isShown ? reply.diagnostics.map(diagnosticLine).join("") : ""
    // An agent that turns to standard error when standard output is empty must find its answer there.
    const isGuarded = (isShown && dialect.readsStderr === true) || (dialect.neutral !== undefined && !byExit)
    const stdout =
      draft.isFilled() || isGuarded
        ? `${JSON.stringify(draft.isFilled() ? draft.document() : (dialect.neutral ?? {}))}\n`
        : ""
    return { stdout, stderr, exitCode, carried, ...otherwise }
  }
