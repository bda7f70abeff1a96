/** Reads the calls of the past, asks hooks about each and adds up what they say. Each call counts once, whoever told of it. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { InvocationFact } from "../../../events/facts.ts"
import type { CallObserved } from "../../../events/observedFacts.ts"
import type { Recorded } from "../../../events/Recorded.ts"
import { replacedBy } from "../../history/calls.ts"
import type { Backtest } from "./Backtest.ts"
import type { Case } from "./Case.ts"
import { asBaseline, type Names, withMissing } from "./compare.ts"
import { importedCases } from "./importedCases.ts"
import type { Judge } from "./judge.ts"
import { caseTypes, makeRecordedCases } from "./recordedCases.ts"
import { makeTally } from "./tally.ts"

export interface BacktestInput<E> {
  /** Facts of these types, in the order of the log. */
  readonly read: (types: readonly string[]) => Stream.Stream<Recorded, E>
  readonly judge: Judge
  /** What it is compared with in place of what was recorded. */
  readonly against?: Judge | undefined
  /** Only these count. */
  readonly hooks?: Names | undefined
  readonly progress?: (calls: number) => void
}

const batch = 256
/** So many more are read while hooks are asked about one: two processes do their work at the same time. */
const ahead = 2

type Opened = Extract<InvocationFact, { type: "INVOCATION_OPENED" }>
type Buffered = Extract<InvocationFact, { type: "PAYLOAD_BUFFERED" }>

/** Without what takes room: only whose call it was counts. */
const opening = ({ data, known, position, stream, type }: Recorded) => {
  const { call, transport } = data as Opened
  return { position, stream, type, known, data: { type, call, transport } as unknown as Recorded["data"] }
}

/** When an agent would have asked a hook about a call: before it, or after. */
const momentOf = (agentEvent: string): string | undefined =>
  /^(?:PreToolUse|BeforeTool)$/.test(agentEvent)
    ? "before"
    : /^(?:PostToolUse|PostToolUseFailure|AfterTool)$/.test(agentEvent)
      ? "after"
      : undefined

interface Told {
  readonly session: string | null
  readonly toolUse: string | null
  readonly tool: string
  readonly input: unknown
}

/** What hooks recorded, so that the transcript's word on the same call is passed over. */
const makeSeen = () => {
  const named = new Set<string>()
  /** Calls of agents that give their hooks no name of a call, and how often. */
  const unnamed = new Map<string, number>()
  const likeOf = (moment: string, { input, session, tool }: Told): string =>
    [moment, session, tool, JSON.stringify(input)].join("\0")
  return {
    add: (moment: string, told: Told): void => {
      if (told.toolUse !== null) named.add([moment, told.session, told.toolUse].join("\0"))
      else {
        const key = likeOf(moment, told)
        unnamed.set(key, (unnamed.get(key) ?? 0) + 1)
      }
    },
    take: (moment: string, told: Told): boolean => {
      if (named.has([moment, told.session, told.toolUse].join("\0"))) return true
      const key = likeOf(moment, told)
      const left = unnamed.get(key) ?? 0
      if (left > 0) unnamed.set(key, left - 1)
      return left > 0
    }
  }
}

const nobodyElse = Effect.succeed(undefined)

const textAt = (value: unknown): string | null => (typeof value === "string" ? value : null)

export const runBacktest = Effect.fn("backtest.run")(function* <E>({
  against,
  hooks,
  judge,
  progress,
  read
}: BacktestInput<E>) {
  const tally = makeTally(hooks)
  const seen = makeSeen()
  const openings = yield* Stream.runCollect(Stream.map(read(["INVOCATION_OPENED"]), opening))
  const replaced = replacedBy(openings)
  let done = 0

  const take = Effect.fnUntraced(function* (cases: readonly Case[]) {
    const [judged, others] = yield* Effect.all([judge.judge(cases), against?.judge(cases) ?? nobodyElse], {
      concurrency: 2
    })
    for (const [nth, one] of cases.entries()) {
      const now = judged[nth] ?? { hooks: [], ms: 0 }
      const other = others?.[nth]
      if (other === undefined) tally.add(one, now, one.before)
      else {
        const { before, missing } = asBaseline(other)
        tally.add(one, withMissing(now, missing), before)
      }
    }
    done += cases.length
    progress?.(done)
  })

  const remember = (one: Case): void => {
    const moment = momentOf(one.agentEvent)
    if (moment === undefined) {
      if (/^(?:UserPromptSubmit|BeforeAgent)$/.test(one.agentEvent) && one.session !== null)
        tally.prompt(one.session, one.at)
      return
    }
    const payload = JSON.parse(one.payload) as Record<string, unknown>
    seen.add(moment, {
      session: one.session,
      toolUse: textAt(payload["tool_use_id"]),
      tool: textAt(payload["tool_name"]) ?? "",
      input: payload["tool_input"]
    })
  }

  const judgeAll = <F>(cases: Stream.Stream<Case, F>) =>
    cases.pipe(
      Stream.grouped(batch),
      Stream.buffer({ capacity: ahead }),
      Stream.runForEach((chunk) => take(Chunk.toReadonlyArray(chunk)))
    )

  const taken = makeRecordedCases()
  yield* judgeAll(
    read(caseTypes).pipe(
      Stream.filterMap((fact) => {
        if (fact.known && fact.type === "PAYLOAD_BUFFERED" && (fact.data as Buffered).missing !== undefined)
          tally.withoutPayload()
        const one = replaced.has(fact.stream) ? undefined : taken(fact)
        if (one === undefined) return Option.none()
        remember(one)
        return Option.some(one)
      })
    )
  )
  yield* judgeAll(
    read(["TOOL_CALL_OBSERVED", "PROMPT_OBSERVED"]).pipe(
      Stream.mapConcat((fact): readonly Case[] => {
        if (!fact.known) return []
        if (fact.type === "PROMPT_OBSERVED") {
          if (fact.session !== null) tally.prompt(fact.session, fact.at)
          return []
        }
        const { call, input, name } = fact.data as CallObserved
        const told: Told = { session: fact.session, toolUse: call, tool: name, input }
        return importedCases(fact).filter(({ agentEvent }) => !seen.take(momentOf(agentEvent) ?? "", told))
      })
    )
  )
  return tally.result() satisfies Backtest
})
