/** What a build compiles into a bundle, and how a host gets at it without running a call. */
import type { Intent } from "../../../events/intents.ts"
import type { Adapter } from "../../agents/Adapter.ts"
import { makePast } from "../../history/makePast.ts"
import type { Past } from "../../history/Past.ts"
import type { MakeRecall } from "../../history/recall.ts"
import type { Registered } from "../../hooks/Registered.ts"
import type { RetainGuards } from "../../trust/retain.ts"
import type { RunEffect } from "../runHandler.ts"
import type { MakeHandlerServices } from "../services/handlerServices.ts"

export interface EntryOptions {
  readonly adapters: Readonly<Record<string, Adapter>>
  readonly registry: readonly Registered[]
  readonly notices?: readonly Intent[]
  /** How often hooks may keep an agent from stopping in a row, where the configuration says so. */
  readonly stopBlocks?: number
  readonly runEffect?: RunEffect
  /** What handlers ask services with, and what limits ask the log with: evaluated when somebody asks. Named as builds of before do. */
  readonly aid?: () => MakeHandlerServices
  readonly recall?: () => MakeRecall
  /** Evaluated when a session began with guards that this build does not have. */
  readonly retain?: () => RetainGuards
}

/** A build of before limits were kept has none that could be kept. */
export const pastOf = ({ recall, stopBlocks }: EntryOptions, state: string): Past | undefined =>
  recall && makePast({ state, stopBlocks, recall })

type Receiver = (options: EntryOptions) => void

const slot = Symbol.for("hooktape/options")
const realm = globalThis as unknown as Record<symbol, Receiver | undefined>

/** Who wants a bundle's options in place of a run, if anybody. */
export const receiver = (): Receiver | undefined => realm[slot]

/** Loads a bundle for what is in it. */
export const receiveOptions = (receive: Receiver, load: () => void): void => {
  realm[slot] = receive
  try {
    load()
  } finally {
    realm[slot] = undefined
  }
}
