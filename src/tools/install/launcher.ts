/** The script at `<state>/bin/entry`: starts the in-process entrypoint. Where there is no native client it is `bin/hook` as well. */
import { adapters } from "../../agents/adapters.ts"
import { loudByExit, loudGroups } from "../../runtime/loudReply.ts"
import { quoted } from "../../state/shellWord.ts"
import { heldByShell, startVariables } from "../../trust/startVariables.ts"

/** The message of each agent at the events at which its human reads one. */
const messages = loudGroups(adapters)
  .map(
    ({ document, calls }) =>
      `        ${calls.map((call) => `'${call}'`).join(" | ")}) printf '${document.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}' "$c" ;;`
  )
  .join("\n")

/** Of the native client, as the loader reads it; src/programs/entry/hold.ts. */
const secret = "[0-9a-f]".repeat(32)

export interface LauncherPaths {
  /** Absolute path of the Node binary. */
  readonly node: string
  readonly state: string
  /** Of the shell: ` -p` where that keeps what the environment says of functions and options out of it. Some shells end at it. */
  readonly options?: "" | " -p"
  /** Where libraries lie without which this Node does not start: variable and value. */
  readonly libraries?: Readonly<Record<string, string>>
}

/** Lines that take away what could load code into what is started, or keep it from starting. */
export const cleanStart = (libraries: Readonly<Record<string, string>> = {}): string =>
  [
    `unset ${startVariables.filter((name) => !heldByShell.includes(name)).join(" ")}`,
    ...Object.entries(libraries).map(([name, value]) => `export ${name}=${quoted(value)}`)
  ].join("\n")

/**
 * POSIX shell. Standard output and error are sent to files and handed on as descriptors 3 and 4, so that whatever a handler, a
 * library or a child writes to 1 and 2 cannot reach the agent. A redirection that fails would end the shell with 2, which agents
 * read as a block: hence the trial. Where no file can be made (a disk that is full or read-only) they go nowhere: what the hook's
 * own process writes is still captured, and what its children write is not heard, by the agent least of all.
 *
 * Where a stream is closed, what cannot be written to stands for it: Node would open one that takes everything, and a block would count
 * as delivered.
 *
 * It becomes what it starts, which knows by its own process id that this did: nobody is left to hold a reply should that be lost
 * (docs/decisions/0019). The native client does: where that started it, what it starts has none of the agent's streams at all
 * (docs/decisions/0029). A client of another version, which may hold replies in another way, finds them on its streams.
 *
 * A repository's agent settings can set any variable: what it starts has none that loads code into it, and what it asks for itself is
 * found where the system keeps it, whatever the path says.
 *
 * Where what it starts is gone, no hook can run at all: exit 1 and one line. It counts as a call that nobody handled
 * (src/log/spool/unreachable.ts), and from the threshold on it is said as such: with the exit code that agents do not overlook where
 * that harms nothing (src/runtime/loudReply.ts), elsewhere to the human and with exit code 0.
 */
export const launcher = ({ libraries, node, options = "", state }: LauncherPaths): string => {
  const run = `${quoted(node)} ${quoted(`${state}/bin/load.cjs`)} "$@"`
  return `#!/bin/sh${options}
set -eu
off() {
  c=\${CLAUDE_CONFIG_DIR-\${HOME-}/.claude} x=\${CODEX_HOME-\${HOME-}/.codex} g=\${HOME-}/.gemini
  case "$1 \${2-}" in
  'claude-code SessionStart') set -- .claude/settings.local.json .claude/settings.json "$c/settings.local.json" "$c/settings.json" ;;
  'codex SessionStart') set -- .codex/config.toml "$x/config.toml" ;;
  'gemini-cli SessionStart') set -- .gemini/.env .env .gemini/settings.json "$g/.env" "$g/settings.json" ;;
  *) return 0 ;;
  esac
  w='the environment'
  for f in "$@"; do
    command -p grep -qs -e '^HOOKTAPE[[:space:]]*=["'"'"'[:space:]]*0["'"'"'[:space:]]*$' -e '^[^#]*["'"'"'[:space:]{,]HOOKTAPE["'"'"'[:space:]]*[:=]["'"'"'[:space:]]*0[^0-9.]' -e '^[^#]*["'"'"'[:space:]{,]HOOKTAPE["'"'"'[:space:]]*[:=]["'"'"'[:space:]]*0$' "$f" || continue
    case $f in /*) w=$f ;; *) w=$(pwd)/$f ;; esac
    break
  done
  case $w in *[[:cntrl:]]*) w='a settings file' ;; esac
  w=$(command -p sed 's/[\\\\"]/\\\\&/g' <<E
$w
E
)
  printf '{"systemMessage":"hooktape is off: HOOKTAPE=0 is set in %s. No hook guards this session."}\\n' "$w"
}
[ "\${HOOKTAPE-}" = 0 ] && { command -p cat >/dev/null || :; off "\${1-}" "\${2-}" || :; exit 0; }
gone() {
  r=${quoted(`${state}/run`)} t=\${HOOKTAPE_FAIL_LOUD_THRESHOLD-} n=0
  case $t in '' | *[!0-9]* | ??????????*) t=3 ;; esac
  [ "$t" -gt 0 ] || t=3
  if [ -d "$r" ] && [ ! -L "$r" ] && [ -O "$r" ] && [ ! -L "$r/unreachable" ]; then
    { printf '%-63.63s\\n' "$(command -p date +%s).$$ $t no-runtime" >>"$r/unreachable" && n=$(command -p wc -c <"$r/unreachable"); } 2>/dev/null || n=0
    c=$((n / 64))
    if [ "$c" -ge "$t" ]; then
      case "$3" in
        ${loudByExit.join(" | ")})
          printf 'hooktape: worker unreachable for %d consecutive hooks. Run "hooktape doctor".\\n' "$c" >&2
          exit 2 ;;
      esac
      case "$2 $3" in
${messages}
      esac
      exit 0
    fi
  fi
  printf 'hooktape: %s is gone. Run "hooktape install" again.\\n' "$1" >&2
  exit 1
}
[ -x ${quoted(node)} ] || gone ${quoted(node)} "\${1-}" "\${2-}"
[ -r ${quoted(`${state}/bin/load.cjs`)} ] || gone ${quoted(`${state}/bin/load.cjs`)} "\${1-}" "\${2-}"
${cleanStart(libraries)}
export HOOKTAPE_LAUNCHER=$$
n=${quoted(`${state}/run/noise.`)}$$
case \${0##*/}:\${HOOKTAPE_HOLD-} in entry:200.${secret}) ;; *) unset HOOKTAPE_HOLD ;; esac
if [ -n "\${HOOKTAPE_HOLD-}" ]; then
  if { true >"$n.1" 2>"$n.2"; } 2>/dev/null; then
    HOOKTAPE_NOISE="$n" exec ${run} >"$n.1" 2>"$n.2"
  fi
  HOOKTAPE_NOISE=/dev/null exec ${run} >/dev/null 2>&1
fi
{ true 3>&1; } 2>/dev/null || exec 1</dev/null
{ true 4>&2; } 2>/dev/null || exec 2</dev/null
if { true 3>&1; } 2>/dev/null && true 4>&2; then
  if { true >"$n.1" 2>"$n.2"; } 2>/dev/null; then
    HOOKTAPE_NOISE="$n" exec ${run} 3>&1 4>&2 >"$n.1" 2>"$n.2"
  fi
  HOOKTAPE_NOISE=/dev/null exec ${run} 3>&1 4>&2 >/dev/null 2>&1
fi
exec ${run}
`
}
