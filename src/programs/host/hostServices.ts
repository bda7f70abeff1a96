/** The services of a host beside answering: opened before it serves, each for itself, so that one that fails takes nothing with it. */
import { monotonic } from "../../runtime/elapsed.ts"
import { type HostServiceStates, ready } from "../../runtime/host/requests.ts"
import { messageOf } from "../../state/messageOf.ts"

export interface HostService {
  readonly name: string
  /** Makes it ready. Throws why it cannot be. Called again after it failed. */
  readonly open: () => void
  /** A moment in which nobody waits: some of what there is to do. True where it did something. */
  readonly tick?: (() => boolean) | undefined
  readonly close?: (() => void) | undefined
}

export interface HostServices {
  readonly states: () => HostServiceStates
  /**
   * Gives one service a moment, the others the next ones; false where none had anything to do, and no call came. Where calls follow each other
   * without a pause, one gets its moment now and then all the same.
   */
  readonly tick: () => boolean
  readonly end: () => void
}

export interface HostServicesOptions {
  readonly isIdle: () => boolean
  /** Told once for each time that a service goes off. */
  readonly note: (problem: string) => void
  /** How long calls may keep all of them waiting. A moment is a few milliseconds: so often it is in nobody's way. */
  readonly busyEveryMs?: number
  /** After this long one that is off is tried again. */
  readonly againMs?: number
}

interface Entry {
  readonly service: HostService
  state: string
  isOpen: boolean
  due: number
}

/** Opens them in this order, now. */
export const openHostServices = (
  services: readonly HostService[],
  options: HostServicesOptions
): HostServices => {
  const { againMs = 60_000, busyEveryMs = 500, isIdle, note } = options
  let next = 0
  let lastTurn = monotonic()
  let ended = false

  const off = (entry: Entry, cause: unknown): void => {
    const wasReady = entry.state === ready || entry.state === ""
    entry.state = messageOf(cause)
    entry.isOpen = false
    entry.due = monotonic() + againMs
    if (wasReady) note(`${entry.service.name} is off: ${entry.state}`)
  }
  /** Whether it did something; whatever it throws is its own. */
  const work = (entry: Entry): boolean => {
    if (entry.state !== ready && monotonic() < entry.due) return false
    try {
      if (!entry.isOpen) entry.service.open()
      entry.isOpen = true
      const did = entry.service.tick?.() ?? false
      if (entry.state !== ready) note(`${entry.service.name} is ready`)
      entry.state = ready
      return did
    } catch (cause) {
      off(entry, cause)
      return false
    }
  }
  const entries = services.map((service): Entry => {
    const entry: Entry = { service, state: "", isOpen: false, due: 0 }
    try {
      service.open()
      entry.isOpen = true
      entry.state = ready
    } catch (cause) {
      off(entry, cause)
    }
    return entry
  })

  return {
    states: () => Object.fromEntries(entries.map(({ service, state }) => [service.name, state])),
    tick: () => {
      if (ended) return false
      const now = monotonic()
      if (!isIdle() && now - lastTurn < busyEveryMs) return true
      lastTurn = now
      for (let tried = 0; tried < entries.length; tried++) {
        const entry = entries[next++ % entries.length]
        if (entry !== undefined && work(entry)) return true
      }
      return false
    },
    end: () => {
      ended = true
      for (const { isOpen, service } of entries) {
        try {
          if (isOpen) service.close?.()
        } catch {
          // What is open is closed with the process.
        }
      }
    }
  }
}
