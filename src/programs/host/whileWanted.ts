/** A service of the host that is open only as long as somebody wants it. */
import { monotonic } from "../../runtime/elapsed.ts"
import type { HostService } from "./hostServices.ts"

/** `isWanted`: asked now and then, since it looks at a file. */
export const whileWanted = (service: HostService, isWanted: () => boolean, everyMs = 5000): HostService => {
  let isOpen = false
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
      return false
    }
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
