/** Recognises a trusted hook by its files where the compiler cannot say what it is made of. */
import { join } from "node:path"
import { realPath } from "../../runtime/builds/discover.ts"
import type { Config } from "../../state/configShape.ts"
import { concerning, hashOf, hookDigest, portable } from "../../trust/digest.ts"
import { foldersAbove } from "../../trust/installedPackages.ts"
import { type Kept, readKept } from "../../trust/kept.ts"
import { isInForce, type Trusted, type TrustStore } from "../../trust/store.ts"
import { largestPackageFile, readRegular } from "./regular.ts"

const packaged = "node_modules/"

const isAsKept = (base: string, name: string, hash: string): boolean => {
  // Packages may lie above: their names are those of their place in `node_modules`.
  const folders = name.startsWith(packaged) ? foldersAbove(base) : [base]
  const file = folders.map((folder) => realPath(join(folder, name))).find((path) => path !== undefined)
  try {
    return file !== undefined && hashOf(readRegular(file, largestPackageFile).toString("utf8")) === hash
  } catch {
    return false
  }
}

/** The trusted content with these settings whose every file lies here as it was: what was kept of it is what it is. */
export const sameContent = (
  { state, store }: { readonly state: string; readonly store: TrustStore },
  base: string,
  file: string,
  config: Config
): { readonly kept: Kept; readonly trusted: Trusted } | undefined => {
  const own = portable(base, file)
  for (const trusted of Object.values(store.trusted)) {
    const { code, digest, names } = trusted
    if (trusted.kind !== "hook" || trusted.file !== own || code === undefined) continue
    if (!isInForce(store, digest) || digest !== hookDigest(code, concerning(config, names))) continue
    const kept = readKept(state, digest)
    const files = Object.entries(kept?.contents ?? {})
    if (kept !== undefined && files.length > 0 && files.every(([name, hash]) => isAsKept(base, name, hash)))
      return { kept, trusted }
  }
  return undefined
}
