/** What lies in a state directory for others to start. Light: a hook call looks for one of them. */
import { join } from "node:path"

/** Only for paths of Windows: elsewhere a backslash is a letter. */
export const slashed = (path: string): string => path.replaceAll("\\", "/")

/** What agents start: on Windows with Node, and by a path with forward slashes, which no shell takes for something else. */
export const hookFile = (state: string, platform: NodeJS.Platform = process.platform): string =>
  platform === "win32" ? `${slashed(state)}/bin/hook.cjs` : join(state, "bin", "hook")

/** What starts the host: on Windows with Node. */
export const hostFile = (state: string, platform: NodeJS.Platform = process.platform): string =>
  join(state, "bin", platform === "win32" ? "host.cjs" : "host")

/** Program and arguments that start it. */
export const hostStart = (
  state: string,
  platform: NodeJS.Platform = process.platform
): readonly [program: string, args: readonly string[]] => {
  const file = hostFile(state, platform)
  return platform === "win32" ? [process.execPath, [...hostFlags, file]] : [file, []]
}

/**
 * A process that lives for days stays small: a heap that may not grow without end is also collected earlier. What calls need is far
 * from the bound. New objects get 1 MB: with 2 the process holds 5 MB more, and a call takes as long.
 */
export const hostFlags = ["--max-semi-space-size=1", "--max-old-space-size=1024"]
