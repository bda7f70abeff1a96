/** A user's home in which two versions take turns: their commands, their clients, their hosts, and calls of four agents. */
import { spawn } from "node:child_process"
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync
} from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import type { Recorded } from "../../../events/Recorded.ts"
import { endProcessesOf } from "../agents/processes.ts"
import { type Fired, outcomeOf } from "../entrypoint.ts"
import type { Package } from "./packages.ts"

interface Asking {
  readonly id: string
  readonly command: string
  readonly project: string
}

const claudeCode = ({ id, command, project }: Asking) => ({
  session_id: "s-1",
  transcript_path: "",
  cwd: project,
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command },
  tool_use_id: id
})

/** How each agent asks before a shell command. */
const asks: Readonly<
  Record<string, { readonly event: string; readonly payload: (asking: Asking) => object }>
> = {
  "claude-code": { event: "PreToolUse", payload: claudeCode },
  codex: {
    event: "PreToolUse",
    payload: (asking) => ({ ...claudeCode(asking), session_id: "s-2", turn_id: "t-1", model: "gpt" })
  },
  "gemini-cli": {
    event: "BeforeTool",
    payload: ({ command, project }) => ({
      session_id: "s-3",
      transcript_path: "",
      cwd: project,
      hook_event_name: "BeforeTool",
      timestamp: "2026-11-20T20:12:28.509Z",
      tool_name: "run_shell_command",
      tool_input: { command }
    })
  },
  cursor: {
    event: "beforeShellExecution",
    payload: ({ command, project }) => ({
      conversation_id: "s-4",
      generation_id: "g-1",
      model: "m",
      hook_event_name: "beforeShellExecution",
      cursor_version: "3.4.2",
      workspace_roots: [project],
      command,
      cwd: project
    })
  }
}

export const askers: readonly string[] = Object.keys(asks)

/** Whether an answer keeps the agent from its command, in the words of any of them. */
export const isDenied = ({ code, stdout }: Pick<Fired, "code" | "stdout">): boolean =>
  code === 2 || /"(?:permissionDecision|decision|permission)": ?"(?:deny|block)"/.test(stdout)

export interface Call {
  readonly id: string
  readonly agent: string
  readonly command: string
}

export const makeHome = (hooks: Readonly<Record<string, string>>) => {
  const home = realpathSync(mkdtempSync(join(homedir(), "versions-")))
  const project = join(home, "project")
  const state = join(home, "state")
  const env: NodeJS.ProcessEnv = {
    PATH: process.env["PATH"],
    HOME: home,
    HOOKTAPE_HOME: state,
    XDG_CONFIG_HOME: join(home, ".config")
  }
  const put = (name: string, text: string): void => {
    const file = join(home, ".config", "hooktape", name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  mkdirSync(project)
  for (const [name, text] of Object.entries(hooks)) put(`hooks/${name}.ts`, text)

  const run = async ({ command }: Package, args: readonly string[]): Promise<string> => {
    const told = await outcomeOf(
      spawn(command, args, { cwd: project, env, stdio: ["ignore", "pipe", "pipe"] })
    )
    if (told.code === 0) return told.stdout
    throw new Error(`hooktape ${args.join(" ")} ended with ${told.code}: ${told.stdout}${told.stderr}`)
  }

  return {
    home,
    state,
    run,
    /** As a user does it for each agent, of whichever version comes next. */
    install: async (version: Package): Promise<void> => {
      for (const agent of askers) await run(version, ["install", "--agent", agent])
    },
    /** What agents start from now on, whatever host there is: in one step, since they may be starting it. */
    placeClient: ({ client }: Package): void => {
      const hook = join(state, "bin", "hook")
      copyFileSync(client, `${hook}.aside`)
      chmodSync(`${hook}.aside`, 0o700)
      renameSync(`${hook}.aside`, hook)
    },
    /** The build of the host that answers now; none where there is none. */
    hostBuild: async (version: Package): Promise<string | undefined> => {
      const child = spawn(version.command, ["host", "status", "--json"], { cwd: project, env })
      const { stdout } = await outcomeOf(child)
      return (JSON.parse(stdout) as { readonly build?: string }).build
    },
    /** How often a host said that the log is a later version's, and ended. */
    refusals: (): number => {
      const file = join(state, "logs", "host.log")
      return existsSync(file)
        ? readFileSync(file, "utf8").split("was written by a newer hooktape").length - 1
        : 0
    },
    fire: ({ id, agent, command }: Call): Promise<Fired> => {
      const { event, payload } = asks[agent] ?? { event: "", payload: () => ({}) }
      // Recorded with the call, which is how it is found again: not every agent names its calls.
      const child = spawn(join(state, "bin", "hook"), [agent, event], {
        cwd: project,
        env: { ...env, TERM_PROGRAM: id }
      })
      child.stdin.on("error", () => undefined)
      child.stdin.end(JSON.stringify(payload({ id, command, project })))
      return outcomeOf(child)
    },
    /** Every fact, read by this version. What is printed does not say whether a type is known to it; those of calls are. */
    facts: async (version: Package): Promise<readonly Recorded[]> =>
      (await run(version, ["log", "--facts", "--json", "--limit", "10000000"]))
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => ({ ...(JSON.parse(line) as Recorded), known: true })),
    end: (): void => endProcessesOf(home)
  }
}

export type Home = ReturnType<typeof makeHome>
