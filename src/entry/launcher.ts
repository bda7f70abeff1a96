/** The script at `<state>/bin/entry`: starts the in-process entrypoint. Where there is no native client it is `bin/hook` as well. */

export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

export interface LauncherPaths {
  /** Absolute path of the Node binary. */
  readonly node: string
  readonly state: string
}

/**
 * POSIX shell. Standard output and error are sent to files and handed on as descriptors 3 and 4, so that whatever a handler, a
 * library or a child writes to 1 and 2 cannot reach the agent. A redirection that fails would end the shell with 2, which agents
 * read as a block: hence the trial. Where no file can be made (a disk that is full or read-only) they go nowhere: what the hook's
 * own process writes is still captured, and what its children write is not heard, by the agent least of all.
 *
 * Where what it starts is gone, no hook can run at all: exit 1 and one line. It counts as a call that nobody handled
 * (src/log/unreachable.ts), and from the threshold on it is said as such, with the exit code that agents do not overlook.
 */
export const launcher = ({ node, state }: LauncherPaths): string => `#!/bin/sh
set -eu
[ "\${HOOKTAPE-}" = 0 ] && exec cat >/dev/null
gone() {
  r=${quoted(`${state}/run`)} t=\${HOOKTAPE_FAIL_LOUD_THRESHOLD-} n=0
  case $t in '' | *[!0-9]* | ??????????*) t=3 ;; esac
  [ "$t" -gt 0 ] || t=3
  if [ -d "$r" ] && [ ! -L "$r" ] && [ -O "$r" ] && [ ! -L "$r/unreachable" ]; then
    { printf '%-63.63s\\n' "$(date +%s).$$ $t no-runtime" >>"$r/unreachable" && n=$(wc -c <"$r/unreachable"); } 2>/dev/null || n=0
    [ "$((n / 64))" -ge "$t" ] && printf 'hooktape: worker unreachable for %d consecutive hooks. Run "hooktape doctor".\\n' "$((n / 64))" >&2 && exit 2
  fi
  printf 'hooktape: %s is gone. Run "hooktape install" again.\\n' "$1" >&2
  exit 1
}
[ -x ${quoted(node)} ] || gone ${quoted(node)}
[ -r ${quoted(`${state}/bin/load.cjs`)} ] || gone ${quoted(`${state}/bin/load.cjs`)}
unset NODE_EXTRA_CA_CERTS NODE_OPTIONS
n=${quoted(`${state}/run/noise.`)}$$
if { true 3>&1; } 2>/dev/null && true 4>&2; then
  if { true >"$n.1" 2>"$n.2"; } 2>/dev/null; then
    HOOKTAPE_NOISE="$n" exec ${quoted(node)} ${quoted(`${state}/bin/load.cjs`)} "$@" 3>&1 4>&2 >"$n.1" 2>"$n.2"
  fi
  HOOKTAPE_NOISE=/dev/null exec ${quoted(node)} ${quoted(`${state}/bin/load.cjs`)} "$@" 3>&1 4>&2 >/dev/null 2>&1
fi
exec ${quoted(node)} ${quoted(`${state}/bin/load.cjs`)} "$@"
`
