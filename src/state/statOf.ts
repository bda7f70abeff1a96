/** What the system says of a path, links followed; undefined too where it takes no such path, or goes round in circles. */
import { type Stats, statSync } from "node:fs"
import { lookOnce } from "./atOnce.ts"

const look = (path: string): Stats | undefined => {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

export const statOf = (path: string): Stats | undefined => lookOnce("stat", path, look)
