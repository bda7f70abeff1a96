/** The script at `<state>/bin/hook`: the command that agents are given, until a native client stands in its place. */

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

export interface LauncherPaths {
  /** Absolute path of the Node binary. */
  readonly node: string
  readonly state: string
}

/**
 * POSIX shell. Standard output and error are sent to files and handed on as descriptors 3 and 4, so that whatever a handler, a
 * library or a child writes to 1 and 2 cannot reach the agent. A redirection that fails would end the shell with 2, which agents
 * read as a block: hence the trial.
 */
export const launcher = ({ node, state }: LauncherPaths): string => `#!/bin/sh
[ "\${HOOKTAPE-}" = 0 ] && exec cat >/dev/null
gone() { printf 'hooktape: %s is gone. Run "hooktape install" again.\\n' "$1" >&2; exit 1; }
[ -x ${quoted(node)} ] || gone ${quoted(node)}
[ -r ${quoted(`${state}/bin/load.cjs`)} ] || gone ${quoted(`${state}/bin/load.cjs`)}
unset NODE_EXTRA_CA_CERTS NODE_OPTIONS
n=${quoted(`${state}/run/noise.`)}$$
if { true 3>&1; } 2>/dev/null && true 4>&2 && { true >"$n.1" 2>"$n.2"; } 2>/dev/null; then
  HOOKTAPE_NOISE="$n" exec ${quoted(node)} ${quoted(`${state}/bin/load.cjs`)} "$@" 3>&1 4>&2 >"$n.1" 2>"$n.2"
fi
exec ${quoted(node)} ${quoted(`${state}/bin/load.cjs`)} "$@"
`
