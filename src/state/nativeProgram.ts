/** Programs of ours in C: they lie in the package itself, or in the one for this platform. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { platform, platformPackage } from "./platformPackage.ts"

/** Where it lies for this machine, there or not. `dist`: of the package. */
export const nativeProgram = (dist: string, name: "hook" | "starter"): string => {
  const own = join(dist, "client", platform, name)
  if (existsSync(own)) return own
  const folder = platformPackage(join(dist, "package.json"))
  const other = folder === undefined ? own : join(folder, "client", name)
  return existsSync(other) ? other : own
}
