/** The package that lies in a folder, with its manifest. */
import { join } from "node:path"
import { fileText } from "../fileText.ts"
import type { Members } from "./jsonMember.ts"
import type { Looked } from "./Looked.ts"
import { manifestNames, readManifest } from "./packageManifest.ts"

export interface Package {
  readonly folder: string
  readonly file: string
  /** Undefined where it cannot be read. */
  readonly manifest: Members | undefined
  readonly isWhole: boolean
}

export const maxManifest = 1_048_576

export const packageIn = (folder: string, looked: Looked): Promise<Package | undefined> =>
  looked.once("package", folder, async () => {
    for (const name of manifestNames) {
      const file = join(folder, name)
      const found = await fileText(file, maxManifest)
      if (found === undefined) continue
      const { isWhole, text } = found
      return { folder, file, isWhole, manifest: isWhole ? readManifest(name, text) : undefined }
    }
    return undefined
  })
