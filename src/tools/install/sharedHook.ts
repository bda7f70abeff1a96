/** The script that a repository's own agent settings start (docs/decisions/0090): committed, and the same bytes for everyone. */
import { join } from "node:path"
import { sharedHook } from "../../state/sharedHook.ts"
import { quoted } from "../../state/shellWord.ts"
import type { InstallAgent } from "./dialects.ts"

export const sharedHookFile = (project: string): string => join(project, sharedHook)

/** Braces, for Gemini CLI: without them it puts the path in itself, quoted for a place outside of quotation marks. */
const within = (variable: string): string => `"\${${variable}}/`

/** How each agent says where the project is; those that say nothing start hooks at its root. */
const roots: Readonly<Record<InstallAgent, string>> = {
  "claude-code": within("CLAUDE_PROJECT_DIR"),
  // It starts hooks in the session's folder, by the user's own shell: what is written here is read by fish as well.
  codex: '"$(git rev-parse --show-toplevel)/',
  "gemini-cli": within("GEMINI_PROJECT_DIR"),
  // Qwen Code puts the path into names that Claude Code and Gemini CLI have; this one it leaves to the shell.
  "qwen-code": within("QWEN_PROJECT_DIR"),
  copilot: '"$(git rev-parse --show-toplevel)/',
  // Our plugin says it.
  opencode: within("OPENCODE_PROJECT_DIR"),
  cursor: '"./',
  windsurf: '"./'
}

export const sharedLine = (agent: InstallAgent, event: string): string =>
  `exec ${roots[agent]}${sharedHook}" ${agent} ${event}`

/** Whether the word that a command line starts is the shared script, wherever the repository lies. */
export const isSharedHook = (bin: string): boolean => bin.replaceAll("\\", "/").endsWith(`/${sharedHook}`)

/** The settings file of a user's own registration, for the script to look whether that answers an event already. */
export const ownRegistration = (state: string, agent: InstallAgent): string =>
  join(state, "installs", `user-${agent}`)

/** Finds the state directory of whoever runs it, as `stateDirectory` does: without single quotes, so that it may stand within them. */
export const stateSearch = `case \${XDG_STATE_HOME:-} in
/*) state=$XDG_STATE_HOME/hooktape ;;
*) state=\${HOME:-}/.local/state/hooktape ;;
esac
mac="\${HOME:-}/Library/Application Support"
[ ! -d "$mac" ] || state=$mac/hooktape
state=\${HOOKTAPE_HOME:-$state}`

const hint = JSON.stringify({
  systemMessage:
    "This project's agents are guarded by hooktape, which is not set up here: npm install, then npx hooktape setup."
})

export const sharedHookText = `#!/bin/sh
# Starts hooktape for whoever has it: what this repository's agent settings call. Written by "hooktape install --scope project",
# the same for everyone; commit it.
${stateSearch}
package=\${0%/*}/../node_modules/.bin/hooktape
if [ ! -x "$state/bin/hook" ] && [ -x "$package" ]; then
  "$package" setup </dev/null >/dev/null 2>&1
fi
if [ -x "$state/bin/hook" ]; then
  # Who registered hooktape in the agent's own settings as well is answered there.
  if [ -r "$state/installs/user-$1" ] && IFS= read -r own <"$state/installs/user-$1" &&
    grep -qs -e "/bin/hook' $1 $2\\"" -e "/v1/hooks/$1/$2\\"" "$own"; then
    exec cat >/dev/null
  fi
  exec "$state/bin/hook" "$@"
fi
cat >/dev/null
case "$1 $2" in
'claude-code SessionStart' | 'codex SessionStart' | 'gemini-cli SessionStart')
  printf '%s\\n' ${quoted(hint)}
  ;;
esac
exit 0
`
