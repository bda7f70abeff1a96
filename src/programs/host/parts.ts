/** The parts of a host beside answering: opened before it serves, each for itself, so that one that fails takes nothing with it. */
import { monotonic } from "../../runtime/elapsed.ts"
import { messageOf } from "../../state/messageOf.ts"

export interface Part {
  readonly name: string
  /** Makes it ready. Throws why it cannot be. Called again after it failed. */
  readonly open: () => void
  /** A moment in which nobody waits: some of what there is to do. True where it did something. */
  readonly tick?: (() => boolean) | undefined
  readonly close?: (() => void) | undefined
}

/** Of each part by its name: `ready`, or why it is off. */
export type PartStates = Readonly<Record<string, string>>

export const ready = "ready"

export interface Parts {
  readonly states: () => PartStates
  /** Gives one part a moment, the others the next ones. */
  readonly tick: () => void
  readonly end: () => void
}

export interface PartsOptions {
  readonly isIdle: () => boolean
  /** Told once for each time that a part goes off. */
  readonly note: (problem: string) => void
  /** After this long one that is off is tried again. */
  readonly againMs?: number
}

interface Entry {
  readonly part: Part
  state: string
  isOpen: boolean
  due: number
}

/** Opens them in this order, now. */
export const openParts = (parts: readonly Part[], options: PartsOptions): Parts => {
  const { againMs = 60_000, isIdle, note } = options
  let next = 0
  let ended = false

  const off = (entry: Entry, cause: unknown): void => {
    const wasReady = entry.state === ready || entry.state === ""
    entry.state = messageOf(cause)
    entry.isOpen = false
    entry.due = monotonic() + againMs
    if (wasReady) note(`${entry.part.name} is off: ${entry.state}`)
  }
  /** Whether it did something; whatever it throws is its own. */
  const work = (entry: Entry): boolean => {
    if (entry.state !== ready && monotonic() < entry.due) return false
    try {
      if (!entry.isOpen) entry.part.open()
      entry.isOpen = true
      const did = entry.part.tick?.() ?? false
      if (entry.state !== ready) note(`${entry.part.name} is ready`)
      entry.state = ready
      return did
    } catch (cause) {
      off(entry, cause)
      return false
    }
  }
  const entries = parts.map((part): Entry => {
    const entry: Entry = { part, state: "", isOpen: false, due: 0 }
    try {
      part.open()
      entry.isOpen = true
      entry.state = ready
    } catch (cause) {
      off(entry, cause)
    }
    return entry
  })

  return {
    states: () => Object.fromEntries(entries.map(({ part, state }) => [part.name, state])),
    tick: () => {
      if (ended || !isIdle()) return
      for (let tried = 0; tried < entries.length; tried++) {
        const entry = entries[next++ % entries.length]
        if (entry !== undefined && work(entry)) return
      }
    },
    end: () => {
      ended = true
      for (const { isOpen, part } of entries) {
        try {
          if (isOpen) part.close?.()
        } catch {
          // What is open is closed with the process.
        }
      }
    }
  }
}
