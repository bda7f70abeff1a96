/** The life of a process that runs handlers, as an actor: what it tells its machine is kept a moment later, on nobody's time. */
import type { HandlerProcessFact } from "../../../events/facts.ts"
import { type FactId, newFactId, type Sources, uuidv7 } from "../../../events/ids.ts"
import { makeDraft } from "../../../events/makeDraft.ts"
import { handlers } from "../../../machines/handlers.ts"
import { evolve } from "../../../machines/step.ts"
import { type RedactedDraft, redactDraft } from "../../redact/redact.ts"
import type { Registry } from "../../runtime/actors/registry.ts"
import type { FactStore } from "./factStore.ts"
import type { GoodFor } from "./messages.ts"

export interface ProcessLife {
  readonly started: (pid: number | undefined) => void
  /** It serves a call, or a job. */
  readonly taken: (build: string) => void
  /** It came back. True where it has to be ended. */
  readonly cameBack: (goodFor: GoodFor, reason: string) => boolean
  readonly ended: (reason: string) => void
}

export interface ProcessLives {
  readonly begin: () => ProcessLife
  /** Resolves once all that happened is kept. */
  readonly flush: () => Promise<void>
}

export interface ProcessLivesOptions {
  readonly host: string
  readonly memoryMb: number
  readonly registry: Registry
  readonly factStore: Pick<FactStore, "commit">
  readonly sources: Sources
  /** For so long facts are gathered: a call has two of them, and waits for neither. */
  readonly gatherMs?: number
}

export const makeProcessLives = (options: ProcessLivesOptions): ProcessLives => {
  const { factStore, gatherMs = 100, host, memoryMb, registry, sources } = options
  let gathered: RedactedDraft[] = []
  let timer: NodeJS.Timeout | undefined
  let last: Promise<void> = Promise.resolve()

  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const [first, ...rest] = gathered
    gathered = []
    // What cannot be kept is known from the calls all the same.
    if (first) last = last.then(() => factStore.commit([first, ...rest]).catch(() => undefined))
    return last
  }

  const begin = (): ProcessLife => {
    const stream = `handlers/${uuidv7(sources.now(), sources.random(10))}`
    const actor = registry.enter(handlers, stream, {})
    let cause: FactId | null = null
    /** Kept first, and then whatever the machine asks for. */
    const tell = (fact: HandlerProcessFact): boolean => {
      const at = sources.now()
      const draft = redactDraft(makeDraft(fact, { id: newFactId(at, sources.random), stream, at, cause }))
      cause = draft.id
      gathered.push(draft)
      timer ??= setTimeout(() => void flush(), gatherMs).unref()
      const step = evolve(handlers, actor.snapshot(), fact)
      actor.moved(fact, step)
      return step.command?.type === "END_PROCESS"
    }
    return {
      started: (pid) => {
        actor.about({ name: pid === undefined ? null : String(pid) })
        tell({
          type: "HANDLER_PROCESS_STARTED",
          host,
          memoryMb,
          ...(pid === undefined ? {} : { pid })
        })
      },
      taken: (build) => void tell({ type: "HANDLER_PROCESS_TAKEN", build }),
      cameBack: (goodFor, reason) =>
        tell(
          goodFor === "none"
            ? { type: "HANDLER_PROCESS_SPOILT", reason }
            : { type: "HANDLER_PROCESS_FREED", goodFor }
        ),
      ended: (reason) => {
        tell({ type: "HANDLER_PROCESS_ENDED", reason })
        actor.leave()
      }
    }
  }

  return { begin, flush }
}
