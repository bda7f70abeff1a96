/**
 * A host outlives the agent that it was started under, and a build the call that began it. A stream of the agent's, left open in them, keeps it
 * waiting for an end that does not come: a client leaves its streams at 201 and 202 for builds that cannot do without
 * (docs/decisions/0029), and what is started before they are closed has them too.
 */
import { closeSync, readdirSync, readFileSync } from "node:fs"

const closesOnExec = 0o2000000
const standard = 2
/** Where a client leaves its own end and the agent's streams, for systems that do not say what was inherited. */
const handed = [200, 201, 202]

/**
 * Node opens nothing that a program which it starts would have as well: what is not marked so came with the start. (It marks the lowest of what it
 * was started with, up to the first number that is free: those stay open, and go no further.)
 */
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

/** Closes what this process was started with beyond its standard streams and hands on to whatever it starts. */
export const closeInherited = (): void => {
  for (const descriptor of inherited()) {
    try {
      if (descriptor > standard) closeSync(descriptor)
    } catch {
      // It was not open.
    }
  }
}
