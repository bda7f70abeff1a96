/** Programs of ours in C: they lie in the package itself, or in the one for this platform that npm installs beside it. */
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

/** As packages for it are named. */
const platform = `${process.platform}-${process.arch}`

const besideIt = (dist: string): string | undefined => {
  try {
    return dirname(createRequire(join(dist, "package.json")).resolve(`@hooktape/${platform}/package.json`))
  } catch {
    return undefined
  }
}

/** Where it lies for this machine, there or not. `dist`: of the package. */
export const nativeProgram = (dist: string, name: "hook" | "starter"): string => {
  const own = join(dist, "client", platform, name)
  if (existsSync(own)) return own
  const folder = besideIt(dist)
  const other = folder === undefined ? own : join(folder, "client", name)
  return existsSync(other) ? other : own
}
