/** The script that a repository's own agent settings start (docs/decisions/0090): committed, and the same bytes for everyone. */
import { join } from "node:path"
import { about } from "../../agents/about.ts"
import { sharedHook } from "../../state/sharedHook.ts"
import { quoted } from "../../state/shellWord.ts"
import type { InstallAgent } from "./dialects.ts"

export const sharedHookFile = (project: string): string => join(project, sharedHook)

/** Braces, for Gemini CLI: without them it puts the path in itself, quoted for a place outside of quotation marks. */
const within = (variable: string): string => `"\${${variable}}/`

/**
 * They start hooks in the session's folder, Codex by the user's own shell: what is written here is read by fish as well. VS Code starts in that of
 * the workspace, but Copilot CLI, which refuses a call whose hook is not found, starts what is written for VS Code as well.
 */
const searching: readonly InstallAgent[] = ["codex", "copilot", "vscode"]

/** Where the project is: as the agent says, as git says, or where an agent that says it to the user's own hooks alone starts those of a project. */
const rootOf = (agent: InstallAgent): string => {
  const { project } = about[agent]
  if (searching.includes(agent)) return '"$(git rev-parse --show-toplevel)/'
  return project === undefined || agent === "cursor" ? '"./' : within(project)
}

export const sharedLine = (agent: InstallAgent, event: string): string =>
  `exec ${rootOf(agent)}${sharedHook}" ${agent} ${event}`

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
