/** Which hooks a call meets: its build's, with what its session brings; under a probe none of them does anything. */
import type { Adapter, Transport } from "../agents/Adapter.ts"
import { callEnvironment } from "../state/callEnvironment.ts"
import type { Guard } from "../state/manifest.ts"
import type { EntryOptions } from "./builds/options.ts"
import { directoryProblem, warningsOn, withoutDirectory } from "./directory.ts"
import type { HandlingWorld } from "./handling.ts"
import { noticesOf } from "./notices.ts"
import { asProbe, isProbe } from "./probe.ts"
import { sessionRegistry } from "./sessionRegistry.ts"

export interface Meeting {
  readonly adapter: Adapter
  readonly agentEvent: string
  readonly transport: Transport
  readonly state: string | undefined
  readonly guards?: readonly Guard[]
  readonly lost?: readonly Guard[] | undefined
  /** What is wrong with the directory that the process was started in. */
  readonly directory?: string | undefined
  readonly options: EntryOptions
}

export const registryFor = ({
  adapter,
  agentEvent,
  directory,
  guards,
  lost,
  options,
  state,
  transport
}: Meeting): Pick<HandlingWorld, "registry" | "forSession"> => {
  const { registry, retain } = options
  if (isProbe(state, callEnvironment())) return { registry: registry.map(asProbe) }
  return {
    registry,
    forSession: (decoded) => {
      const found = sessionRegistry({ state, guards, lost, retain }, registry, decoded)
      const { hints } = found
      // What is replayed took place where it was recorded.
      const problem = guards === undefined ? undefined : (directory ?? directoryProblem(decoded))
      const warnings = [...found.warnings, ...warningsOn(problem)]
      return {
        registry: problem === undefined ? found.registry : withoutDirectory(found.registry, problem),
        notices: noticesOf({ adapter, agentEvent, transport, hints, warnings })
      }
    }
  }
}
