/** A home and a git repository for one agent, outside of everything real, and the agent's settings in them. */
import { execFileSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Agent } from "./agents.ts"
import { endProcessesOf } from "./processes.ts"

export interface Workspace {
  /** Holds everything else; for a test's own files beside home and repository. */
  readonly root: string
  readonly home: string
  readonly cwd: string
  /** The temporary directory of the agent and its hooks: sockets and scratch files stay inside. */
  readonly tmp: string
  /** Ends what is still running here, then removes everything. */
  readonly dispose: () => void
}

/** What an agent runs for an event: one or more shell commands, in the order they are registered. */
export type Hooks = Readonly<Record<string, string | ReadonlyArray<string>>>

export const makeWorkspace = (files: Readonly<Record<string, string>> = {}): Workspace => {
  // The real path: agents report it, and on some systems the temporary directory is a link.
  const root = realpathSync(mkdtempSync(join(tmpdir(), "hooktape-agent-")))
  const [home, cwd, tmp] = [join(root, "home"), join(root, "project"), join(root, "tmp")]
  for (const directory of [home, cwd, tmp]) mkdirSync(directory)
  for (const [path, text] of Object.entries({ "README.md": "# project\n", ...files })) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), text)
  }
  const git = (...args: ReadonlyArray<string>) =>
    execFileSync("git", args, { cwd, env: { PATH: toolPath(), HOME: home }, stdio: "ignore" })
  git("init", "-q", "-b", "main")
  git("add", ".")
  git("-c", "user.name=dev", "-c", "user.email=dev@localhost", "commit", "-q", "-m", "start")
  const dispose = (): void => {
    endProcessesOf(home)
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
  return { root, home, cwd, tmp, dispose }
}

/** Where each agent looks for its hooks in a workspace. */
export const settingsFile = (agent: Agent, { cwd, home }: Workspace): string => {
  if (agent === "claude-code") return join(cwd, ".claude", "settings.json")
  return agent === "codex" ? join(home, ".codex", "hooks.json") : join(home, ".gemini", "settings.json")
}

/** Registers shell commands by hand, the way a user would; hooks that are already there stay. */
export const registerHooks = (agent: Agent, workspace: Workspace, hooks: Hooks): void => {
  const path = settingsFile(agent, workspace)
  const settings = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>) : {}
  const groups = { ...(settings["hooks"] as Record<string, ReadonlyArray<object>> | undefined) }
  for (const [event, commands] of Object.entries(hooks)) {
    const handlers = [commands].flat().map((command) => ({ type: "command", command }))
    groups[event] = [...(groups[event] ?? []), { hooks: handlers }]
  }
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify({ ...settings, hooks: groups }, null, 2)}\n`)
}

/** Programs an agent may find: this Node and the system's, nothing of the developer's. */
export const toolPath = (): string =>
  [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":")
