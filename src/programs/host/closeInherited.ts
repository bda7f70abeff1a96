/**
 * A host outlives the agent that it was started under. A stream of that agent's, left open in it, keeps the agent waiting for an end that
 * does not come: a build of before, say, starts a host while it has the streams that its client kept for it (docs/decisions/0029).
 */
import { closeSync, readdirSync, readFileSync } from "node:fs"

const closesOnExec = 0o2000000
const standard = 2
/** Where a client leaves its own end and the agent's streams, for systems that do not say what was inherited. */
const handed = [200, 201, 202]

/** Node opens nothing that a program which it starts would have as well: what is not marked so came with the start. */
const isInherited = (descriptor: number): boolean => {
  try {
    const flags = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"))?.[1]
    return flags !== undefined && (Number.parseInt(flags, 8) & closesOnExec) === 0
  } catch {
    return false
  }
}

const inherited = (): readonly number[] => {
  try {
    return readdirSync("/proc/self/fd").map(Number).filter(isInherited)
  } catch {
    return handed
  }
}

/** Closes what this process was started with beyond its standard streams. To be called before anything else is opened. */
export const closeInherited = (): void => {
  for (const descriptor of inherited()) {
    try {
      if (descriptor > standard) closeSync(descriptor)
    } catch {
      // It was not open.
    }
  }
}
