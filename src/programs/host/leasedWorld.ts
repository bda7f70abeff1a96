/** What the world is to the handlers of one lease, whichever thread or process runs them. */
import type { EntryOptions } from "../../runtime/builds/options.ts"
import { pastOf } from "../../runtime/builds/options.ts"
import { monotonic } from "../../runtime/elapsed.ts"
import type { HandlingWorld } from "../../runtime/handling.ts"
import { noticesOf } from "../../runtime/notices.ts"
import { registryFor } from "../../runtime/registryFor.ts"
import type { Lease } from "./messages.ts"

export type LeasedWorld = Omit<HandlingWorld, "isolation" | "noise">

/** Throws where the bundle has no adapter for the agent. */
export const leasedWorld = (
  lease: Omit<Lease, "type" | "text" | "handlers">,
  options: EntryOptions,
  state: string | undefined
): LeasedWorld => {
  const adapter = Object.hasOwn(options.adapters, lease.agent) ? options.adapters[lease.agent] : undefined
  if (!adapter) throw new Error(`no agent is called ${lease.agent}`)
  return {
    ...lease,
    state,
    adapter,
    ...registryFor({ ...lease, state, adapter, options }),
    handlerServices: options.aid,
    past: state === undefined ? undefined : pastOf(options, state),
    notices: noticesOf({ ...lease, adapter, notices: options.notices }),
    runEffect: options.runEffect,
    elapsed: () => monotonic() - lease.began
  }
}
