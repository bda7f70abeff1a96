/** The script at `<state>/bin/host`: what a client starts where no host is. Whoever starts it has closed every descriptor. */
import { quoted } from "../../state/shellWord.ts"

export interface HostPaths {
  /** Absolute path of the Node binary. */
  readonly node: string
  /** The compiled host; it stays in its package, beside the native addon that it loads. */
  readonly host: string
  readonly state: string
}

/**
 * A process that lives for days stays small: a heap that may not grow without end is also collected earlier. What calls need is
 * far from either bound.
 */
export const hostScript = ({ node, host, state }: HostPaths): string => `#!/bin/sh
set -eu
[ -x ${quoted(node)} ] && [ -r ${quoted(host)} ] || exit 1
unset NODE_EXTRA_CA_CERTS NODE_OPTIONS HOOKTAPE_CALL HOOKTAPE_NOISE
HOOKTAPE_HOME=${quoted(state)} exec ${quoted(node)} --max-semi-space-size=4 --max-old-space-size=1024 ${quoted(host)} ${quoted(state)}
`
