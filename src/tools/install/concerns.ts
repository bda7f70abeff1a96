/** What stands between a registered hook and its running: switches of the agent that are off, consent still to give. */
import { type Node, parseTree } from "jsonc-parser"
import { parseCommand } from "./command.ts"
import { dialects, type Place } from "./dialects.ts"
import { propertyOf, valueOf } from "./document.ts"
import { oursIn, registrationsOf } from "./registrations.ts"

export interface Concern {
  /** `warn`: the hooks do not run, or not as meant. `note`: a step that the agent will ask for. */
  readonly level: "warn" | "note"
  readonly message: string
}

const warn = (message: string): Concern => ({ level: "warn", message })
const note = (message: string): Concern => ({ level: "note", message })

const at = (root: Node | undefined, ...path: readonly string[]): Node | undefined =>
  path.reduce<Node | undefined>((node, name) => valueOf(propertyOf(node, name)), root)

const isStrict = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Whether `[features] hooks` is off; reads the few forms that this one switch is written in, not TOML. */
export const codexHooksOff = (toml: string): boolean => {
  let table = ""
  for (const raw of toml.split(/\r\n|\n/)) {
    const line = raw.replace(/#.*$/, "").trim()
    const header = /^\[\s*([^[\]]+?)\s*\]$/.exec(line)
    if (header !== null) table = header[1] ?? ""
    else if (line.startsWith("[[")) table = line
    const key = table === "features" ? "" : table === "" ? "features\\s*\\.\\s*" : undefined
    if (key !== undefined && new RegExp(`^${key}"?(codex_)?hooks"?\\s*=\\s*false$`).test(line)) return true
    if (table === "" && /^features\s*=\s*\{.*\b(codex_)?hooks\s*=\s*false\b.*\}$/.test(line)) return true
  }
  return false
}

const codexHooksInToml = (toml: string): boolean => /^\s*\[{1,2}\s*hooks\s*[.\]]/m.test(toml)

const registersOurs = (root: Node | undefined, event: string): boolean =>
  (at(root, "hooks", event)?.children ?? []).some((group) =>
    (at(group, "hooks")?.children ?? [group]).some((one) => oursIn(one) !== undefined)
  )

/** Whether a list of address patterns, where there is one, leaves ours out. */
const isShutOut = (root: Node | undefined): boolean => {
  const patterns = at(root, "allowedHttpHookUrls")?.children?.map(({ value }) => String(value))
  const isAllowed = (url: string): boolean =>
    patterns === undefined ||
    patterns.some((pattern) =>
      new RegExp(`^${pattern.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`, "i").test(url)
    )
  return registrationsOf(root).some(({ http, command }) => http !== undefined && !isAllowed(command))
}

const forClaude = (root: Node | undefined, place: Place): readonly Concern[] => [
  ...(at(root, "disableAllHooks")?.value === true
    ? [warn('"disableAllHooks" is true in this file: Claude Code runs no hook. Remove it.')]
    : []),
  ...(isShutOut(root)
    ? [
        warn(
          '"allowedHttpHookUrls" in this file leaves http://127.0.0.1 out: Claude Code does not call us there.'
        )
      ]
    : []),
  ...["WorktreeCreate", "WorktreeRemove"]
    .filter((event) => registersOurs(root, event))
    .map((event) =>
      warn(`${event} is registered: Claude Code leaves that work to the hook instead of doing it itself.`)
    ),
  ...(registersOurs(root, "FileChanged")
    ? [note("FileChanged fires only for files that a SessionStart hook put on the watch list.")]
    : []),
  ...(place.scope === "user"
    ? []
    : [note("Claude Code runs hooks of a project once you trust its folder, in the dialog it opens there.")])
]

const forCodex = (text: string, place: Place, toml: string | undefined): readonly Concern[] => [
  ...(toml !== undefined && codexHooksOff(toml)
    ? [warn("config.toml has [features] hooks = false: Codex runs no hook. Set it to true.")]
    : []),
  ...(toml !== undefined && codexHooksInToml(toml)
    ? [note("config.toml registers hooks too: Codex runs both and says so at every start.")]
    : []),
  ...(isStrict(text)
    ? []
    : [
        warn(
          "Codex reads strict JSON: with comments, trailing commas or a byte order mark it ignores this file."
        )
      ]),
  note("Codex asks for trust before it runs new hooks: start it and open /hooks."),
  ...(place.scope === "project"
    ? [note("Codex reads a project's hooks only where the project is trusted.")]
    : [])
]

const forGemini = (root: Node | undefined, place: Place): readonly Concern[] => {
  const disabled = at(root, "hooksConfig", "disabled")?.children ?? []
  const ours = disabled.filter(
    (one) => typeof one.value === "string" && parseCommand(one.value) !== undefined
  )
  return [
    // On unless it says otherwise, so nothing is written for it.
    ...(at(root, "hooksConfig", "enabled")?.value === false
      ? [
          warn(
            '"hooksConfig.enabled" is false in this file: Gemini CLI runs no hook. Set it to true or remove it.'
          )
        ]
      : []),
    ...(ours.length > 0
      ? [warn(`"hooksConfig.disabled" names ${ours.length} of our hooks: use /hooks enable in Gemini CLI.`)]
      : []),
    note(
      place.scope === "user"
        ? "Gemini CLI runs hooks only in trusted folders."
        : "Gemini CLI runs hooks only in trusted folders, and shows a warning the first time it sees those of a project."
    )
  ]
}

const forQwen = (root: Node | undefined, place: Place): readonly Concern[] => [
  ...(at(root, "disableAllHooks")?.value === true
    ? [warn('"disableAllHooks" is true in this file: Qwen Code runs no hook. Remove it.')]
    : []),
  ...(place.scope === "user"
    ? []
    : [note("Qwen Code runs hooks of a project only in a folder that you trust.")])
]

/** `beside`: the file in the same folder that is for the other of the two. */
const forBoth = (beside: string | undefined): readonly Concern[] =>
  registrationsOf(beside === undefined ? undefined : parseTree(beside)).length === 0
    ? []
    : [
        warn(
          "Copilot CLI and VS Code run every file of this folder, each the other's as well: with hooktape registered for both, each hook runs twice. Each understands a block only from its own."
        )
      ]

const forCopilot = (root: Node | undefined, place: Place, beside: string | undefined): readonly Concern[] => [
  ...forBoth(beside),
  ...(at(root, "disableAllHooks")?.value === true
    ? [warn('"disableAllHooks" is true in this file: Copilot CLI runs no hook of it. Remove it.')]
    : []),
  ...(place.scope === "user"
    ? []
    : [note("Copilot CLI runs hooks of a project only in a folder that you trust.")]),
  note(
    "Copilot CLI also runs what Claude Code has registered in a project: with hooktape in both, each hook may run twice."
  )
]

const forCline = (place: Place): readonly Concern[] => [
  note("Cline loads plugins when a session starts: start one anew."),
  ...(place.scope === "user"
    ? []
    : [
        note(
          "Cline loads a project's plugins without a question; hooks of a project wait for your trust all the same."
        )
      ])
]

const forOpencode = (): readonly Concern[] => [note("OpenCode loads plugins when it starts: start it anew.")]

/** Without what lies beside them the agent acts on no settings of ours. */
export const missingCompanion = ({ agent, scope }: Place, file: string): Concern =>
  warn(
    `${file} is missing, or is not what this version writes: ${dialects[agent].name} calls no hook. Run "hooktape install --agent ${agent} --scope ${scope}" again.`
  )

const documented = (name: string): Concern =>
  note(`What ${name} does with hooks is taken from its documentation: tried with ${name} itself it was not.`)

const forCursor = (root: Node | undefined, place: Place): readonly Concern[] => [
  ...(at(root, "version")?.value === 1
    ? []
    : [warn('This file has no "version": 1, which Cursor asks for. Add it.')]),
  ...(["preToolUse", "postToolUse"].some((event) => registersOurs(root, event)) &&
  toldTwice.some((event) => registersOurs(root, event))
    ? [
        warn(
          "Cursor tells of a call by several of these events: hooks of tool.before or tool.after run twice."
        )
      ]
    : []),
  ...(place.scope === "user"
    ? []
    : [note("Cursor runs hooks of a project only where the workspace is trusted.")]),
  note("Cursor also runs what Claude Code has registered: with hooktape in both, each hook may run twice."),
  documented("Cursor")
]

const toldTwice = [
  "beforeShellExecution",
  "afterShellExecution",
  "beforeMCPExecution",
  "afterMCPExecution",
  "beforeReadFile",
  "afterFileEdit"
]

const forWindsurf = (place: Place): readonly Concern[] => [
  ...(place.scope === "user"
    ? []
    : [note("Newer builds read .devin/hooks.json, where there is one, instead of this file.")]),
  documented("Windsurf")
]

const forDroid = (hooksJson: string | undefined): readonly Concern[] => [
  ...(hooksJson === undefined
    ? []
    : [
        warn(
          "hooks.json beside this file is what Droid reads hooks from: it calls none that stand here. Move what is in it into this file."
        )
      ]),
  note("Droid takes hooks up when it starts; those that changed in the meantime wait for a look at /hooks."),
  documented("Droid")
]

const forVscode = (root: Node | undefined, place: Place, beside: string | undefined): readonly Concern[] => [
  ...forBoth(beside),
  ...(at(root, "disableAllHooks")?.value === true
    ? [warn('"disableAllHooks" is true in this file: remove it.')]
    : []),
  ...(place.scope === "user"
    ? []
    : [note("VS Code runs hooks of a project only in a workspace that you trust.")]),
  note(
    "VS Code also runs what Claude Code has registered where its setting chat.useClaudeHooks is on: with hooktape in both, each hook may run twice."
  ),
  note("A session that VS Code hands to Copilot CLI, Claude Code or Codex calls the hooks of those."),
  documented("VS Code")
]

const forKiro = (root: Node | undefined): readonly Concern[] => [
  ...(at(root, "version")?.value === "v1"
    ? []
    : [warn('This file has no "version": "v1", which Kiro asks for. Add it.')]),
  note(
    "Kiro CLI before 3 reads no such files: its agents' own files name their hooks, where the same commands do, under agentSpawn, userPromptSubmit, preToolUse, postToolUse and stop."
  ),
  documented("Kiro")
]

const runsOnce: readonly string[] = ["claude-code", "gemini-cli", "qwen-code", "cline", "droid"]

/** Entries of ours in another file that the agent reads as well: a warning where it runs both. */
export const doubled = (place: Place, file: string, sameCommand: boolean): readonly Concern[] =>
  // Claude Code, Gemini CLI, Qwen Code and Droid run an identical command once, whichever files it stands in; Cline loads one of two plugins
  // of a name. Of others that is not known.
  sameCommand && runsOnce.includes(place.agent)
    ? []
    : [warn(`${file} registers hooktape too: each hook runs twice. Uninstall one of the two.`)]

/** `text` is the settings file with our hooks in it; `beside` what stands in the file that `fileBeside` names. */
export const concernsOf = (place: Place, text: string, beside?: string): readonly Concern[] => {
  const root = parseTree(text.replace(/^\uFEFF/, ""), [], { allowTrailingComma: true })
  switch (place.agent) {
    case "claude-code":
      return forClaude(root, place)
    case "codex":
      return forCodex(text, place, beside)
    case "gemini-cli":
      return forGemini(root, place)
    case "qwen-code":
      return forQwen(root, place)
    case "copilot":
      return forCopilot(root, place, beside)
    case "opencode":
      return forOpencode()
    case "cline":
      return forCline(place)
    case "cursor":
      return forCursor(root, place)
    case "windsurf":
      return forWindsurf(place)
    case "droid":
      return forDroid(beside)
    case "vscode":
      return forVscode(root, place, beside)
    case "kiro":
      return forKiro(root)
  }
}
