/** Where the benchmark runs: a home of its own, as `install` leaves it, with one guard or with the hooks that come along. */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const here = join(import.meta.dirname, "..", "..")

/** What the guard says of what it blocks. */
export const blockedWith = "Use --force-with-lease."

/** Blocks `git push --force`. */
export const guard = `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({
  name: "no-force-push",
  on: "tool.before",
  when: { tool: "shell" },
  run: ({ tool }) => (/git push .*--force\\b/.test(tool.command ?? "") ? blockingFeedback(${JSON.stringify(blockedWith)}) : undefined)
})
`

/** How many hooks there are beside the guard: on its event, or on those that an agent has. */
export interface Others {
  readonly count: number
  readonly spread: boolean
}

/** Hooks that have nothing to say to the call, each for a reason of its own. */
const crowd = ({ count, spread }: Others): string =>
  `import { defineHook } from "hooktape"
const events = ["session.start", "prompt.submit", "tool.before", "tool.after", "file.edited", "command.ran", "error.observed", "turn.stop", "session.end", "compact.before"]
const when = [{ tool: "edit" }, { tool: "shell", command: "git push" }, { command: /^rm\\b/ }, { path: "src/**" }, { agent: "codex" }]
export default Array.from({ length: ${count} }, (_, nth) => defineHook({
  name: "crowd " + nth,
  on: ${spread ? "events[nth % events.length]" : JSON.stringify("tool.before")},
  priority: nth * 20,
  when: when[nth % when.length],
  run: () => { throw new Error("was not to run") }
}))
`

export interface Stage {
  readonly home: string
  readonly project: string
  readonly state: string
  readonly env: NodeJS.ProcessEnv
  /** A PreToolUse of Claude Code, padded to a size with words, or with the source code of this project. */
  readonly payload: (bytes: number, padding?: "words" | "code") => string
  readonly remove: () => void
}

/** With one hook that is a command of their own, and no other. `script`: what it starts. */
export const makeExternalStage = (script: string): Stage =>
  staged({
    root: here,
    hooks: {},
    script,
    shipped: false,
    transport: "command"
  })

/** As whoever has cloned a repository that registers hooktape for everyone, and has registered nothing of their own. */
export const makeSharedStage = (): Stage =>
  staged({ root: here, hooks: {}, shipped: true, transport: "command", scope: "project" })

interface Setting {
  readonly root: string
  /** Files of the user's folder of hooks. */
  readonly hooks: Readonly<Record<string, string>>
  readonly shipped: boolean
  readonly transport: "http" | "command"
  /** What a command hook starts that stands beside. */
  readonly script?: string
  readonly scope?: "project"
}

/**
 * One hook and no other, so that runs of different versions compare. Installed so that the host answers over HTTP as well; commands are
 * called by name. `root`: the checkout whose build is measured.
 */
export const makeStage = (others?: Others, root = here): Stage =>
  staged({
    root,
    hooks: { "guard.ts": guard, ...(others ? { "crowd.ts": crowd(others) } : {}) },
    shipped: false,
    transport: "http"
  })

/** As a user has it who has written no hook. */
export const makeShippedStage = (): Stage =>
  staged({ root: here, hooks: {}, shipped: true, transport: "command" })

/** The same with five hooks of theirs. */
export const makeUserStage = (): Stage =>
  staged({
    root: here,
    hooks: { "five.ts": crowd({ count: 5, spread: false }) },
    shipped: true,
    transport: "command"
  })

const staged = ({ hooks: files, root, scope, script, shipped, transport }: Setting): Stage => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "hooktape-bench-")))
  const project = join(home, "project")
  const state = join(home, "state")
  // NODE_EXTRA_CA_CERTS would add its parsing to every start of Node, the floor's included.
  const env: NodeJS.ProcessEnv = {
    PATH: process.env["PATH"],
    HOME: home,
    HOOKTAPE_HOME: state
  }
  const hooktape = (...args: readonly string[]): void => {
    const { status, stderr } = spawnSync(process.execPath, [join(root, "dist", "cli.js"), ...args], {
      cwd: project,
      env: { ...env, HOOKTAPE_HOST: "off" },
      encoding: "utf8"
    })
    if (status !== 0) throw new Error(`hooktape ${args.join(" ")} ended with ${status}: ${stderr}`)
  }
  const hooks = join(home, ".config", "hooktape", "hooks")
  for (const folder of [project, hooks]) mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(hooks, name), text)
  // By the settings: with a variable for it in the environment the client asks about every call.
  if (!shipped) {
    const file = join(home, "guard.sh")
    if (script !== undefined) writeFileSync(file, script, { mode: 0o755 })
    const own = { name: "by-hand", on: "tool.before", when: { tool: "shell" }, run: `sh '${file}'` }
    const settings = { defaults: false, ...(script === undefined ? {} : { external: [own] }) }
    writeFileSync(join(hooks, "..", "config.json"), `${JSON.stringify(settings)}\n`)
  }
  if (scope === "project") hooktape("install", "--agent", "claude-code", "--scope", scope)
  else hooktape("install", "--agent", "claude-code", "--scope", "user", "--transport", transport)
  return {
    home,
    project,
    state,
    env,
    payload: (bytes, padding = "words") => {
      const call = {
        session_id: "7c1f0b52-3d2e-4b0a-9a7e-52b0d7c9e1f4",
        transcript_path: `${home}/session.jsonl`,
        cwd: project,
        permission_mode: "default",
        hook_event_name: "PreToolUse",
        tool_name: "Bash",
        tool_input: { command: "npm test", description: "" },
        tool_use_id: "toolu_01Q8bTnR3vXk2sYpLd7HcW5e"
      }
      const text =
        padding === "code"
          ? readFileSync(join(import.meta.dirname, "stage.ts"), "utf8")
          : "Run the tests of the HTTP client and show what failed. "
      call.tool_input.description = text
        .repeat(Math.ceil(bytes / text.length))
        .slice(0, Math.max(0, bytes - JSON.stringify(call).length - 1))
      return `${JSON.stringify(call)}\n`
    },
    remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}
