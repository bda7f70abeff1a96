/** Takes a checkpoint: judged by evidence, shown to hooks, who may refuse it, then recorded and announced. */
import type { MemoryFact } from "../../../events/facts.ts"
import { uuidv7 } from "../../../events/ids.ts"
import { diagnostic } from "../../../events/intents.ts"
import type { Attributed } from "../../../machines/replyIntents.ts"
import { dispatch } from "../../runtime/dispatch/dispatch.ts"
import { keep } from "../../runtime/dispatch/keep.ts"
import { dispatchSources as sources } from "../../runtime/dispatch/sources.ts"
import { type Checkpoint, checkpointOf, checkpointStream } from "./Checkpoint.ts"
import type { LogEvidence } from "./evidence.ts"
import { type Quality, qualityOf } from "./quality.ts"
import { readRepository } from "./repository.ts"

export interface Taking {
  readonly state: string
  readonly project: string
  readonly cwd: string
  readonly session?: string | undefined
  /** `operator`, or the event after which it is taken by itself. */
  readonly trigger: string
  readonly log: LogEvidence
}

export interface Taken {
  readonly checkpoint: Checkpoint
  /** What hooks had to say. */
  readonly intents: readonly Attributed[]
}

export interface Assessed extends Quality {
  readonly branch?: string
  readonly commit?: string
  /** What could not be found out. */
  readonly problem?: string
}

/** How the work stands. Nothing is recorded, and no hook asked. */
export const assess = async (project: string, { evidence }: LogEvidence): Promise<Assessed> => {
  const { changes, ...repository } = (await readRepository(project)) ?? {}
  const { problem } = repository
  return {
    ...qualityOf({ ...evidence, changes }, problem === undefined ? {} : { changes: problem }),
    ...repository
  }
}

export const takeCheckpoint = async ({ log, ...place }: Taking): Promise<Taken> => {
  const { project, session, state, trigger } = place
  const { branch, commit, components, problem, quality } = await assess(project, log)
  const said: readonly Attributed[] =
    problem === undefined ? [] : [{ handler: "hooktape", intent: diagnostic("warn", problem) }]
  const asked = await dispatch({
    ...place,
    event: "checkpoint.before",
    data: { trigger, quality, components }
  })
  const checkpoint = uuidv7(sources.now(), sources.random(10))
  const common = {
    checkpoint,
    quality,
    components,
    trigger,
    project,
    ...(session === undefined ? {} : { session }),
    ...(commit === undefined ? {} : { commit }),
    ...(branch === undefined ? {} : { branch })
  }
  const record = (fact: Extract<MemoryFact, { type: `CHECKPOINT_${string}` }>): Checkpoint => {
    const marks = { project, session: session ?? null }
    const { at, data } = keep(
      state,
      { stream: checkpointStream(checkpoint), fact, cause: asked.last, marks },
      sources
    )
    return checkpointOf(data, at)
  }
  const [refused] = asked.blocks
  if (refused !== undefined) {
    const by = refused.handler
    const fact = { type: "CHECKPOINT_REFUSED" as const, ...common, by, reason: refused.reason }
    return { checkpoint: record(fact), intents: [...said, ...asked.intents] }
  }
  const validated = asked.metadata["validated"] === true ? { validated: true } : {}
  const recorded = record({ type: "CHECKPOINT_RECORDED", ...common, ...validated })
  const after = await dispatch({
    ...place,
    event: "checkpoint.after",
    data: { checkpoint, trigger, quality, components, ...validated }
  })
  return { checkpoint: recorded, intents: [...said, ...asked.intents, ...after.intents] }
}
