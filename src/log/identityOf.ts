/** Which file a descriptor stands for. A closed descriptor's number goes to the next file that is opened. */
import { fstatSync } from "node:fs"

export const identityOf = (descriptor: number): string => {
  try {
    const { dev, ino } = fstatSync(descriptor)
    return `${dev}:${ino}`
  } catch {
    return "closed"
  }
}
