/** Files whose shape has a number, met by a version that knows a smaller one: not this one's to write, and no damage. */
import { readRegular } from "./readRegular.ts"

export const ofNewer = (file: string): string => `${file} was written by a newer hooktape: update this one`

/** One that is not there, or is damaged, is not newer. */
export const isNewerFile = (file: string, known = 1): boolean => {
  try {
    const { version } = JSON.parse(readRegular(file).toString("utf8")) as { readonly version?: unknown }
    return typeof version === "number" && version > known
  } catch {
    return false
  }
}

export class NewerFile extends Error {
  readonly file: string
  constructor(file: string) {
    super(ofNewer(file))
    this.file = file
  }
}

/** Before it is written, or done without. */
export const refuseNewer = (file: string): void => {
  if (isNewerFile(file)) throw new NewerFile(file)
}
