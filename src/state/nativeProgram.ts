/** Programs of ours in C: they lie in the package itself, or in the one for this platform. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { platform, platformPackage, releasedSums } from "./platformPackage.ts"

/** Where it lies for this machine, there or not. `dist`: of the package. */
export const nativeProgram = (dist: string, name: "hook" | "starter"): string => {
  const own = join(dist, "client", platform, name)
  if (existsSync(own)) return own
  const folder = platformPackage(join(dist, "package.json"))
  const other = folder === undefined ? own : join(folder, "client", name)
  return existsSync(other) ? other : own
}

/** Of the package for this platform, where it is not what the release was made of: loaded here, by what sets up alone. */
export const alteredPrograms = (dist: string): readonly string[] => {
  const from = join(dist, "package.json")
  const released = releasedSums(from)
  const folder = platformPackage(from)
  if (released === undefined || folder === undefined) return []
  const { createHash } = process.getBuiltinModule("node:crypto")
  return (["hook", "starter"] as const).flatMap((name) => {
    const file = nativeProgram(dist, name)
    if (file !== join(folder, "client", name) || !existsSync(file)) return []
    const sum = createHash("sha256").update(readFileSync(file)).digest("hex")
    return released[`client/${name}`]?.sha256 === sum ? [] : [file]
  })
}
