import { readdirSync } from "node:fs"

/** What lies in a folder; nothing where there is none, or it cannot be read. */
export const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
