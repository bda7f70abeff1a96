/** What the human is told when hooktape itself was updated. Light: the loader says it. */
import { dirname, join } from "node:path"
import type { Manifest } from "../../state/manifest.ts"
import { readRegular } from "../../state/readRegular.ts"

/** The version that a build made now would be of. */
const installed = (cli: string): string | undefined => {
  try {
    const { version } = JSON.parse(readRegular(join(dirname(dirname(cli)), "package.json")).toString()) as {
      readonly version?: unknown
    }
    return typeof version === "string" ? version : undefined
  } catch {
    return undefined
  }
}

type Built = Pick<Manifest, "cli" | "hooktape">

/** Compares the build before with the one after it: the same one where nothing could be built. */
export const versionHint = (before: Built, after: Built): string | undefined => {
  const { hooktape: was } = before
  const { hooktape: is } = after
  if (was === undefined || is === undefined) return undefined
  if (is !== was)
    return `hooktape: updated from ${was} to ${is}. Run "hooktape install" again to take up what is new for your agents.`
  const there = installed(after.cli)
  return there === undefined || there === is
    ? undefined
    : `hooktape: ${there} is installed, and hooks still run as ${is} built them. Run "hooktape build".`
}
