/** The script at `<state>/bin/host`: what a client starts where no host is. Whoever starts it has closed every descriptor. */
import { quoted } from "../../state/shellWord.ts"
import { hostFlags } from "../../state/startedFiles.ts"
import { startVariables } from "../../trust/startVariables.ts"
import { cleanStart, type LauncherPaths } from "./launcher.ts"

export interface HostPaths extends LauncherPaths {
  /** The compiled host; it stays in its package, beside the native addon that it loads. */
  readonly host: string
}

/** What is freed goes back to the system. With the flags, measured after a session of 600 calls: 105 MB without, 75 with it. */
const memory = "MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072"

/**
 * A host serves all calls of its user under the limits of the one that started it: one that may open hardly any file starts none, and a soft
 * limit is lifted as far as it may be.
 */
const room = `files=$(ulimit -Hn 2>/dev/null) || files=unlimited
case $files in
*[!0-9]*|"") ;;
*) [ "$files" -ge 256 ] || exit 1 ;;
esac
ulimit -Sn 4096 2>/dev/null || ulimit -Sn "$files" 2>/dev/null || :`

/** The same at `bin/host.cjs` on Windows, for Node. What Node itself reads as it starts is beyond its reach: docs/decisions/0125. */
export const hostNodeScript = ({ host, state }: Pick<HostPaths, "host" | "state">): string => `"use strict"
for (const name of ${JSON.stringify([...startVariables, "HOOKTAPE_CALL", "HOOKTAPE_NOISE"])}) delete process.env[name]
process.env.HOOKTAPE_HOME = ${JSON.stringify(state)}
process.argv.splice(1, Infinity, ${JSON.stringify(host)}, ${JSON.stringify(state)})
require(${JSON.stringify(host)})
`

/** The compiled host that such a script starts. */
export const hostIn = (script: string): string | undefined => {
  const required = /^require\((".*")\)$/m.exec(script)?.[1]
  if (required !== undefined) return JSON.parse(required)
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
${room}
HOOKTAPE_HOME=${quoted(state)} ${memory} exec ${quoted(node)} ${hostFlags.join(" ")} ${quoted(host)} ${quoted(state)}
`
