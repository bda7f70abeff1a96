/** Handling in another process: what the invocation asks for goes there, and its facts come back. */
import * as Micro from "effect/Micro"
import type { InvocationFact, Planned } from "../../../events/facts.ts"
import { type Handling, type HandlingCommand, round, type Taken } from "../../runtime/handling.ts"
import { FallbackRequired } from "../../runtime/host/declined.ts"
import { shareOf } from "../../runtime/share.ts"
import { started } from "../../runtime/start.ts"
import { messageOf } from "../../state/messageOf.ts"
import type { GoodFor, Lease } from "./messages.ts"
import { type HandlerWorker, WorkerGone } from "./worker.ts"
import type { Workers } from "./workers.ts"

export interface RemoteOptions {
  readonly workers: Workers
  /** What processes are kept apart by. */
  readonly build: string
  readonly lease: Omit<Lease, "type" | "text" | "handlers">
  readonly elapsed: () => number
  /** Whether nobody waits for the answer any more: its client has the call handled elsewhere, or was ended. */
  readonly isDisconnected?: () => boolean
  /** What was heard of the handlers after the reply. */
  readonly afterwards: (facts: readonly InvocationFact[]) => void
}

export interface RemoteHandling extends Handling {
  /** Before it is taken in: the other process makes its plan while the call is recorded. */
  readonly lend: (text: string) => void
  /** The text is all that is needed: the other process decodes it with its bundle's adapter, from now on. */
  readonly take: (taken: Pick<Taken, "text">) => void
  /** Takes up a plan that was made before. First of all. */
  readonly resume: (handlers: readonly Planned[]) => void
  /** Ends whatever runs: nobody waits for it any more. */
  readonly abandon: () => void
  /** Gives the process back. */
  readonly end: () => Promise<void>
}

type Run = Extract<HandlingCommand, { type: "RUN_HANDLER" }>

const lastWords = (error: Error, stream: "stdout" | "stderr"): string => {
  if (!(error instanceof WorkerGone)) return ""
  return stream === "stdout" ? error.printed : error.lastWords
}

const outcomes: readonly string[] = [
  "HANDLER_SUCCEEDED",
  "HANDLER_FAILED",
  "HANDLER_TIMED_OUT"
] satisfies InvocationFact["type"][]

const isOutcomeOf =
  ({ index }: Planned) =>
  (fact: InvocationFact): boolean =>
    outcomes.includes(fact.type) && "index" in fact && fact.index === index

/** A process that keeps a deadline itself gets this much longer before it is ended. */
const graceMs = 250
/** A process that was just started loads a bundle first. */
const startMs = 3000

export const makeRemoteHandling = (options: RemoteOptions): RemoteHandling => {
  const { workers, build, lease, elapsed } = options
  let text = ""
  let begun = false
  let worker: HandlerWorker | undefined
  let handlers: readonly Planned[] | undefined
  let overran = false
  let abandoned = false
  /** It has loaded the build: what it is asked next takes as long as the handlers do. */
  let ready = false
  /** Under way since the text was there. */
  let first: Promise<HandlerWorker> | undefined

  const left = () => Math.max(1, lease.deadlineMs - elapsed())

  const drop = (goodFor: GoodFor) => {
    const one = worker
    worker = undefined
    ready = false
    if (one) workers.give(build, one, goodFor)
  }

  const lendTo = (one: HandlerWorker): HandlerWorker => {
    worker = one
    one.send({ type: "lease", ...lease, text, ...(handlers ? { handlers } : {}) })
    return one
  }
  const lend = async (): Promise<HandlerWorker> => lendTo(await workers.take(build, left() + graceMs))

  const engage = async (): Promise<HandlerWorker> => {
    const early = first
    first = undefined
    if (early) await early
    if (!worker || worker.isGone()) {
      drop("none")
      await lend()
    }
    // It came when nobody waited any more.
    if (!worker || abandoned) throw new WorkerGone("ended", "it was ended", "")
    return worker
  }

  /** Without what it was asked for, an answer is that of a process that hooks have spoilt: as good as none. */
  const answered = async (
    one: HandlerWorker,
    withinMs: number,
    isAnswer: (fact: InvocationFact) => boolean
  ): Promise<readonly InvocationFact[]> => {
    const until = elapsed() + withinMs
    for (;;) {
      const answer = await one.next(Math.max(1, until - elapsed()))
      ready = true
      if (answer.type === "failed") throw new WorkerGone("ended", answer.message, "")
      // That it is there is no answer, and gives it no more time.
      if (answer.type !== "facts") continue
      if (answer.facts.some(isAnswer)) return answer.facts
      throw new WorkerGone("ended", "its process did not say what became of it", "")
    }
  }

  const plan = async (): Promise<readonly InvocationFact[]> => {
    try {
      const facts = await answered(
        await engage(),
        left() + startMs,
        ({ type }) => type === "HANDLERS_PLANNED"
      )
      handlers = facts.find((fact) => fact.type === "HANDLERS_PLANNED")?.handlers
      return facts
    } catch (error) {
      drop("none")
      throw new FallbackRequired(messageOf(error))
    }
  }

  const wordsOf = ({ handler }: Planned, error: Error): readonly InvocationFact[] =>
    (["stdout", "stderr"] as const).flatMap((stream) => {
      const text = lastWords(error, stream)
      if (text === "") return []
      return [{ type: "NOISE_CAPTURED", stream, bytes: Buffer.byteLength(text), text, handler }]
    })

  /** What became of a handler whose process did not live to say it. */
  const lost = ({ planned, attempt }: Run, error: Error, from: number): readonly InvocationFact[] => {
    const { handler, event, index, onFailure: policy } = planned
    const common = { handler, event, index, attempt }
    const ms = round(elapsed() - from)
    const fromUs = Math.round(from * 1000)
    if (error instanceof WorkerGone && error.reason === "late") {
      const deadlineMs = Math.min(planned.deadlineMs, Math.round(lease.deadlineMs - from))
      return [
        ...wordsOf(planned, error),
        { type: "HANDLER_TIMED_OUT", ...common, deadlineMs, policy, fromUs, ms }
      ]
    }
    const exhausted = /heap out of memory|heap limit/i.test(lastWords(error, "stderr"))
    const message = exhausted ? "ran out of memory" : error.message
    const failure: InvocationFact = {
      type: "HANDLER_FAILED",
      ...common,
      error: { name: "HandlerProcessEnded", message },
      policy,
      fromUs,
      ms
    }
    return [...wordsOf(planned, error), failure]
  }

  const begin = (given: string): void => {
    if (begun) return
    begun = true
    text = given
    const free = workers.takeFree(build)
    if (free) {
      ready = true
      lendTo(free)
      return
    }
    first = lend()
    // Whoever asks first hears of it.
    first.catch(() => undefined)
  }

  const isReady = (): boolean => ready && worker?.isGone() === false

  const run = async (command: Run): Promise<readonly InvocationFact[]> => {
    const { planned } = command
    const from = elapsed()
    try {
      const one = await engage()
      // A rescue by `onError` has the same deadline once more.
      const share = shareOf(left(), (handlers?.length ?? 1) - 1 - planned.index)
      const most = Math.min(2 * planned.deadlineMs, share) + graceMs + (isReady() ? 0 : startMs)
      one.send({ type: "run", command })
      const facts = await answered(one, most, isOutcomeOf(planned))
      overran ||= facts.some(({ type }) => type === "HANDLER_TIMED_OUT")
      return facts
    } catch (error) {
      drop("none")
      return lost(command, error as Error, from)
    }
  }

  return {
    lend: begin,
    take: (taken) => begin(taken.text),
    resume: (planned) => {
      handlers = planned
    },
    abandon: () => {
      abandoned = true
      worker?.kill()
    },
    interpret: (command) => {
      if (command.type === "START_HANDLER")
        return started(
          command,
          () => lease.deadlineMs - elapsed(),
          () => (options.isDisconnected?.() ? "nobody waits for the answer any more" : undefined)
        )
      return Micro.promise(() => (command.type === "PLAN" ? plan() : run(command)))
    },
    drainNoise: () => [],
    end: async () => {
      // One that was asked for and not waited for comes all the same.
      await first?.catch(() => undefined)
      const one = worker
      if (!one || one.isGone() || overran) return drop("none")
      one.send({ type: "release" })
      const released = async (): Promise<GoodFor> => {
        const answer = await one.next(1000)
        // That it is there, and a plan that nobody asked for any more.
        if (answer.type === "ready" || answer.type === "facts") return released()
        if (answer.type !== "released") return "none"
        options.afterwards(answer.facts)
        return answer.goodFor
      }
      released().then(drop, () => drop("none"))
    }
  }
}
