/** What an agent installs as a plugin or an extension: command lines that start the hooktape its user has, and nothing else. */
import { quoted } from "../../state/shellWord.ts"
import { timeoutOf } from "../install/dialects.ts"
import { defaultEvents } from "../install/events.ts"
import { stateSearch } from "../install/sharedHook.ts"

export const pluginAgents = ["claude-code", "codex", "gemini-cli"] as const
export type PluginAgent = (typeof pluginAgents)[number]

/** Of the plugin, and of the catalogue it stands in. */
export const pluginName = "hooktape"

const description = "Runs the hooks of whoever has hooktape: guards, memory and a log of what happened."

const missing = JSON.stringify({
  systemMessage: "hooktape guards nothing yet: npm install -g hooktape, then hooktape setup."
}).replaceAll('"', '\\"')

/**
 * All that a call needs is in its command line: an update takes the plugin's folder away from running sessions. Without single quotes,
 * so that any shell hands it on as one word.
 */
const script = `${stateSearch}
if [ -x "$state/bin/hook" ]; then
  if [ -r "$state/installs/user-$1" ] && IFS= read -r own <"$state/installs/user-$1" &&
    grep -qs -e "/bin/hook. $1 $2\\"" -e "/v1/hooks/$1/$2\\"" "$own"; then
    exec cat >/dev/null
  fi
  exec "$state/bin/hook" "$@"
fi
cat >/dev/null
[ "$2" != SessionStart ] || echo "${missing}"`

export const pluginLine = (agent: PluginAgent, event: string): string =>
  `sh -c ${quoted(script)} ${pluginName} ${agent} ${event}`

const hooksOf = (agent: PluginAgent): object => ({
  description,
  hooks: Object.fromEntries(
    defaultEvents(agent).map((event) => {
      const timeout = timeoutOf(agent, event)
      const hook = { type: "command", command: pluginLine(agent, event), timeout }
      return [event, [{ hooks: [hook] }]]
    })
  )
})

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

const manifests: Readonly<Record<PluginAgent, (version: string) => Readonly<Record<string, object>>>> = {
  "claude-code": (version) => ({
    ".claude-plugin/plugin.json": { name: pluginName, version, description, license: "MIT" },
    ".claude-plugin/marketplace.json": {
      name: pluginName,
      owner: { name: pluginName },
      plugins: [{ name: pluginName, source: "./", description }]
    }
  }),
  codex: (version) => ({
    ".codex-plugin/plugin.json": { name: pluginName, version, description, hooks: "./hooks/hooks.json" },
    ".agents/plugins/marketplace.json": {
      name: pluginName,
      plugins: [
        {
          name: pluginName,
          source: { source: "local", path: "./" },
          policy: { installation: "AVAILABLE", authentication: "ON_INSTALL" },
          category: "Productivity"
        }
      ]
    }
  }),
  "gemini-cli": (version) => ({ "gemini-extension.json": { name: pluginName, version, description } })
}

/** Path within the plugin's folder → text. The folder is a catalogue of this one plugin as well, where the agent has catalogues. */
export const pluginFiles = (agent: PluginAgent, version: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({ ...manifests[agent](version), "hooks/hooks.json": hooksOf(agent) }).map(
      ([file, content]) => [file, json(content)]
    )
  )
