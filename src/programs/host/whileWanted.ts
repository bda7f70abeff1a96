/** A service of the host that is open only as long as somebody wants it. */
import { monotonic } from "../../runtime/elapsed.ts"
import type { HostService } from "./hostServices.ts"

export interface Wanting {
  /** Asked now and then, since it looks at a file. */
  readonly isWanted: () => boolean
  /** What it kept goes once nobody wants it, also what it kept in an earlier life. */
  readonly drop: () => void
  readonly everyMs?: number
}

export const whileWanted = (
  service: HostService,
  { drop, everyMs = 5000, isWanted }: Wanting
): HostService => {
  let isOpen = false
  let mayHold = true
  let wanted = false
  let due = Number.NEGATIVE_INFINITY
  const look = (): boolean => {
    const now = monotonic()
    if (now >= due) {
      due = now + everyMs
      wanted = isWanted()
    }
    return wanted
  }
  const close = (): void => {
    if (isOpen) service.close?.()
    isOpen = false
  }
  const ready = (): boolean => {
    if (!look()) {
      close()
      if (mayHold) drop()
      mayHold = false
      return false
    }
    mayHold = true
    if (!isOpen) service.open()
    isOpen = true
    return true
  }
  return {
    name: service.name,
    open: () => {
      close()
      ready()
    },
    tick: () => ready() && (service.tick?.() ?? false),
    close
  }
}
