/** A host's own life on the log: what it is about to do is appended before it is done, so that a crash is visible. */
import * as Micro from "effect/Micro"
import type { HostFact } from "../../../events/facts.ts"
import { type FactId, newFactId, type Sources } from "../../../events/ids.ts"
import { makeDraft } from "../../../events/makeDraft.ts"
import { type HostCommand, host } from "../../../machines/host.ts"
import { redactDraft } from "../../redact/redact.ts"
import type { Registry } from "../../runtime/actors/registry.ts"
import { drive } from "../../runtime/drive.ts"
import type { FactStore } from "./factStore.ts"

export interface LifeOptions {
  readonly id: string
  readonly factStore: FactStore
  readonly sources: Sources
  readonly actors: Registry
  readonly perform: (command: HostCommand) => Promise<readonly HostFact[]>
}

/** From the first fact to the last; the log failing does not end a host. */
export const live = ({ actors, id, factStore, sources, perform }: LifeOptions, first: HostFact) => {
  let cause: FactId | null = null
  const actor = actors.enter(host, `host/${id}`, {})
  return Micro.runPromise(
    drive(
      host,
      {
        record: (fact: HostFact) =>
          Micro.promise(async () => {
            const at = sources.now()
            const place = { id: newFactId(at, sources.random), stream: `host/${id}`, at, cause }
            const draft = redactDraft(makeDraft(fact, place))
            cause = draft.id
            await factStore.commit([draft]).catch(() => undefined)
          }),
        interpret: (command: HostCommand) => Micro.promise(() => perform(command)),
        followed: (fact, _, step) => actor.moved(fact, step)
      },
      first
    )
  )
}
