/** The script at `<state>/bin/host`: what a client starts where no host is. Whoever starts it has closed every descriptor. */
import { quoted } from "../../state/shellWord.ts"
import { cleanStart, type LauncherPaths } from "./launcher.ts"

export interface HostPaths extends LauncherPaths {
  /** The compiled host; it stays in its package, beside the native addon that it loads. */
  readonly host: string
}

/**
 * A process that lives for days stays small: a heap that may not grow without end is also collected earlier, and what is freed goes
 * back to the system. What calls need is far from either bound. Measured after a session of 600 calls: 105 MB without, 75 with it. New
 * objects get 1 MB: with 2 the process holds 5 MB more, and a call takes as long.
 */
const memory = "MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072"
const flags = "--max-semi-space-size=1 --max-old-space-size=1024"

/** The compiled host that such a script starts. */
export const hostIn = (script: string): string | undefined => {
  const word = /\[ -r ('(?:[^']|'\\'')*') \]/.exec(script)?.[1]
  return word?.slice(1, -1).replaceAll("'\\''", "'")
}

export const hostScript = ({
  host,
  libraries,
  node,
  options = "",
  state
}: HostPaths): string => `#!/bin/sh${options}
set -eu
[ -x ${quoted(node)} ] && [ -r ${quoted(host)} ] || exit 1
${cleanStart(libraries)}
unset HOOKTAPE_CALL HOOKTAPE_NOISE
HOOKTAPE_HOME=${quoted(state)} ${memory} exec ${quoted(node)} ${flags} ${quoted(host)} ${quoted(state)}
`
