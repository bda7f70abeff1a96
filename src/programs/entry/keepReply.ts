/** What was decided leaves, whatever comes after it: as handlers go on, what to answer without them lies with who outlives us. */
import type { AnyMachineSnapshot } from "xstate"
import type { InvocationFact, Planned } from "../../../events/facts.ts"
import { newFactId, type Sources } from "../../../events/ids.ts"
import { makeDraft } from "../../../events/makeDraft.ts"
import type { Draft } from "../../../events/Recorded.ts"
import type { InvocationContext } from "../../../machines/invocation.ts"
import { holding } from "../../../machines/stops.ts"
import type { Adapter, Encoded } from "../../agents/Adapter.ts"
import { graceMs } from "../../agents/deadline.ts"
import { spoolLine } from "../../log/spool/spoolLine.ts"
import { redactDraft } from "../../redact/redact.ts"
import { answer } from "../../runtime/answer.ts"
import { makeMending } from "../../runtime/builtins.ts"
import { type Edge, performed, performedOtherwise } from "../../runtime/Edge.ts"
import type { Handling } from "../../runtime/handling.ts"
import { type Answer, howItEnded, type Provisional, provisional } from "../../runtime/provisional.ts"
import type { FactSink } from "../../runtime/runInvocation.ts"
import { atPlaceholder, undelivered } from "../../runtime/undelivered.ts"
import type { Hold } from "./hold.ts"

/** What is left to do after the reply: the record's end, a code cache, a host that is waited for. */
const afterwardsMs = 10_000

export interface KeptReply {
  readonly hold: Hold
  readonly adapter: Adapter
  readonly agentEvent: string
  readonly logLevel: string | undefined
  readonly sources: Sources
  readonly deadlineMs: number
  /** How much longer whoever outlives this process waits for it. */
  readonly marginMs: number
  readonly elapsed: () => number
  /** Name of the file in the spool. */
  readonly spool: string
  /** Whether a hook is the user's or the project's: others are our own, and end. */
  readonly isForeign: (handler: string) => boolean
  /** Whether it has a word on its own failure, which takes as long again. */
  readonly hasRescue: (handler: string) => boolean
}

const isBlock = ({ carried: { block }, exitCode }: Encoded): boolean =>
  exitCode === 2 || (block !== undefined && "channel" in block)

export const keepReply = (world: KeptReply) => {
  const { adapter, agentEvent, hold, logLevel, sources } = world
  let decoded: Parameters<Handling["take"]>[0]["decoded"] | undefined
  let last: Draft | undefined
  let armed = false
  let blocked: Encoded | undefined
  let stand: Provisional | undefined
  let mend: (() => boolean) | undefined

  const answerFor: Answer = ({ held, intents }) =>
    answer({ adapter, agentEvent, transport: "command", logLevel }, intents, decoded?.tool, held)

  /** Lines for the facts that the file of the call would still need, in their order. */
  const linesOf = (before: Draft, facts: readonly InvocationFact[]): readonly string[] => {
    const { stream } = before
    let cause = before.id
    return facts.map((fact) => {
      const id = newFactId(sources.now(), sources.random)
      const draft = redactDraft(makeDraft(fact, { id, stream, at: atPlaceholder, cause, marks: before }))
      cause = id
      return spoolLine(draft)
    })
  }

  const keep = (snapshot: AnyMachineSnapshot, attempt: number, leftMs: number): void => {
    stand = provisional(snapshot, attempt, answerFor) ?? stand
    if (stand === undefined) return
    const { channels, encoded, facts, noise } = stand
    const { exitCode, stderr, stdout } = performed(encoded, noise)
    const instead = performedOtherwise(encoded, noise)
    const reply = { type: "REPLY_DELIVERED", stdout, stderr, exitCode, channels } as const
    const ends: readonly InvocationFact[] = [
      reply,
      { type: "EXITED", code: exitCode, ms: {} },
      undelivered(reply, instead)
    ]
    const lines = last === undefined ? [] : linesOf(last, [...facts, ...ends])
    hold.keep(
      {
        code: exitCode,
        stdout,
        stderr,
        spool: world.spool,
        tail: lines.slice(0, -1).join(""),
        instead: instead && { code: instead.exitCode, stderr: instead.stderr },
        undelivered: lines.at(-1) ?? ""
      },
      leftMs
    )
  }

  const leftWith = (moreMs: number) => Math.max(1, world.deadlineMs - world.elapsed()) + moreMs
  const left = () => leftWith(graceMs)

  const leftFor = ({ deadlineMs, handler }: Planned): number =>
    Math.min(deadlineMs * (world.hasRescue(handler) ? 2 : 1) + graceMs, left())

  /** What is decided so far stops the agent: nothing that comes later takes that back. */
  const remember = ({ context }: AnyMachineSnapshot): void => {
    const { intents } = context as InvocationContext
    if (!intents.some(({ intent }) => intent.type === "BLOCKING_FEEDBACK")) return
    const { encoded } = answerFor(holding(context as InvocationContext))
    if (isBlock(encoded)) blocked = encoded
  }

  return {
    /** JavaScript's own objects are put back after a handler; where they cannot be, nothing that runs here is to be believed. */
    mend: (): void => {
      if (armed && mend?.() === false) hold.give()
    },
    handling: (handling: Handling): Handling => ({
      ...handling,
      take: (taken) => {
        ;({ decoded } = taken)
        handling.take(taken)
      }
    }),
    sink: (sink: FactSink): FactSink => ({
      ...sink,
      append: (drafts) => {
        sink.append(drafts)
        ;[last] = drafts
      }
    }),
    /** After each step of the invocation. */
    follow: (fact: InvocationFact, snapshot: AnyMachineSnapshot): void => {
      switch (fact.type) {
        case "HANDLERS_PLANNED":
          armed = fact.handlers.some(({ handler }) => world.isForeign(handler))
          if (armed) mend = makeMending([process, process.getBuiltinModule("node:fs")])
          // Our own end by themselves, but nothing does that stands still: a guard's policy is answered then.
          else if (hold.outlives && fact.handlers.some(({ onFailure }) => onFailure === "block"))
            keep(snapshot, 1, leftWith(world.marginMs))
          return
        case "HANDLER_STARTED": {
          const { running } = snapshot.context as InvocationContext
          if (armed && running) keep(snapshot, fact.attempt, leftFor(running.planned))
          return
        }
        case "HANDLER_SUCCEEDED":
        case "HANDLER_FAILED":
        case "HANDLER_TIMED_OUT":
          if (!armed) return
          remember(snapshot)
          keep(snapshot, 1, left())
          return
      }
    },
    edge: (edge: Edge): Edge => ({
      deliver: (encoded, noise) => {
        // What a handler left behind has no say in what others decided before.
        const reply = blocked !== undefined && !isBlock(encoded) ? blocked : encoded
        const holder = armed || hold.outlives ? hold : undefined
        // It would be answered twice.
        if (holder !== undefined && !holder.answering(reply.exitCode, afterwardsMs)) hold.give()
        const delivery = edge.deliver(reply, noise)
        // It went the other way: with that exit code it ends, whatever becomes of this process.
        if (delivery.exitCode !== reply.exitCode) holder?.answering(delivery.exitCode, afterwardsMs)
        return delivery
      }
    }),
    /** In place of an own failure's word: what each handler that did not answer says by its policy. */
    instead: (): Encoded | undefined => {
      if (!armed || stand === undefined) return undefined
      const told = (text: string) => text.replaceAll(howItEnded, "could not go on")
      return { ...stand.encoded, stdout: told(stand.encoded.stdout), stderr: told(stand.encoded.stderr) }
    }
  }
}
