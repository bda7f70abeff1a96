/** Runs one real agent, headless and alone, from a prompt to its end against a scripted model. */
import { spawn } from "node:child_process"
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Exercised } from "./agents.ts"
import type { Turn } from "./dialects.ts"
import { agentBinary } from "./install.ts"
import { end, endProcessesOf } from "./processes.ts"
import { type ModelRequest, withScriptedModel } from "./scriptedModel.ts"
import { toolPath, type Workspace } from "./workspace.ts"

export interface RunOptions {
  readonly workspace: Workspace
  readonly turns: ReadonlyArray<Turn>
  readonly prompt?: string
  /** Added to an otherwise empty environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Put before the prompt, after the flags every headless run needs. */
  readonly args?: ReadonlyArray<string>
  /** Asks before it acts instead of allowing everything; headless, a question is a refusal. */
  readonly careful?: boolean
  /** Which model the agent believes to talk to; its tools may depend on it. */
  readonly model?: string
  /** Codex only: run hooks nobody has trusted yet. Default true. */
  readonly trustHooks?: boolean
  readonly timeoutMs?: number
}

export interface AgentRun {
  readonly agent: Exercised
  /** `null` when it was ended by a signal, ours at the time-out included. */
  readonly exitCode: number | null
  readonly timedOut: boolean
  readonly stdout: string
  readonly stderr: string
  readonly modelRequests: ReadonlyArray<ModelRequest>
  /** How many scripted turns the agent asked for. */
  readonly turnsTaken: number
  readonly home: string
  readonly cwd: string
  readonly ms: number
}

export const runAgent = (agent: Exercised, options: RunOptions): Promise<AgentRun> =>
  withScriptedModel(options.turns, async (model) => {
    const { workspace } = options
    const launch = launchers[agent](model.url, options)
    const env = {
      PATH: toolPath(),
      HOME: workspace.home,
      TMPDIR: workspace.tmp,
      // A test that wants a host says so, and ends it.
      HOOKTAPE_HOST: "off",
      // A hook call may build anew.
      HOOKTAPE_DEFAULTS: "off",
      ...launch.env,
      ...options.env
    }
    const started = performance.now()
    const ended = await runBounded(
      agentBinary(agent),
      launch.args,
      env,
      workspace,
      options.timeoutMs ?? 60_000
    )
    return {
      agent,
      ...ended,
      modelRequests: model.requests,
      turnsTaken: model.taken(),
      home: workspace.home,
      cwd: workspace.cwd,
      ms: Math.round(performance.now() - started)
    }
  })

interface Launch {
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
}

const defaultPrompt = "Do the work."

/** Codex offers its patch tool to models it knows only. */
const models = {
  codex: "gpt-5.5",
  "gemini-cli": "gemini-2.5-flash",
  copilot: "claude-sonnet-4.5",
  opencode: "claude-sonnet-4-5",
  "qwen-code": "claude-sonnet-4-5",
  cline: "gpt-5"
} as const

const launchers: Readonly<Record<Exercised, (url: string, options: RunOptions) => Launch>> = {
  "claude-code": (url, { args = [], careful = false, model, prompt = defaultPrompt }) => ({
    args: [
      "-p",
      ...(careful ? [] : ["--dangerously-skip-permissions"]),
      "--output-format",
      "json",
      ...(model === undefined ? [] : ["--model", model]),
      ...args,
      ...(prompt === "" ? [] : [prompt])
    ],
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "sk-ant-test-000",
      // Skipping permissions as root is refused outside a sandbox.
      IS_SANDBOX: "1",
      DISABLE_TELEMETRY: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1"
    }
  }),
  codex: (
    url,
    { args = [], careful = false, model = models.codex, prompt = defaultPrompt, trustHooks = true, workspace }
  ) => {
    const config = join(workspace.home, ".codex", "config.toml")
    mkdirSync(join(workspace.home, ".codex"), { recursive: true })
    writeFileSync(config, withUserTables(codexConfig(url, model, workspace.cwd, careful), config))
    return {
      args: [
        "exec",
        "--skip-git-repo-check",
        ...(careful ? [] : ["--dangerously-bypass-approvals-and-sandbox"]),
        ...(trustHooks ? ["--dangerously-bypass-hook-trust"] : []),
        ...args,
        prompt
      ],
      env: {}
    }
  },
  "gemini-cli": (
    url,
    { args = [], careful = false, model = models["gemini-cli"], prompt = defaultPrompt, workspace }
  ) => {
    mergeSettings(join(workspace.home, ".gemini", "settings.json"), geminiSettings)
    return {
      args: [...(careful ? [] : ["-y"]), "-m", model, ...args, "-p", prompt],
      env: {
        GEMINI_API_KEY: "test",
        GOOGLE_GEMINI_BASE_URL: url,
        GEMINI_CLI_NO_RELAUNCH: "1",
        SANDBOX: "1"
      }
    }
  },
  "qwen-code": (
    url,
    { args = [], careful = false, model = models["qwen-code"], prompt = defaultPrompt, workspace }
  ) => {
    mergeSettings(join(workspace.home, ".qwen", "settings.json"), qwenSettings)
    return {
      args: [...(careful ? [] : ["-y"]), "--auth-type", "anthropic", "-m", model, ...args, "-p", prompt],
      env: {
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: "test",
        ANTHROPIC_MODEL: model,
        // Neither a container of its own nor a start of itself anew.
        SANDBOX: "1"
      }
    }
  },
  cline: (url, { args = [], careful = false, model = models.cline, prompt = defaultPrompt, workspace }) => {
    mergeSettings(
      join(workspace.home, ".cline", "data", "settings", "providers.json"),
      clineProviders(url, model)
    )
    return {
      args: ["--auto-approve", String(!careful), ...args, prompt],
      env: {
        CLINE_NO_AUTO_UPDATE: "1",
        // Without the process that it leaves behind for the sessions of a machine.
        CLINE_SESSION_BACKEND_MODE: "local"
      }
    }
  },
  copilot: (url, { args = [], model = models.copilot, prompt = defaultPrompt }) => ({
    args: ["-p", prompt, "--allow-all-tools", ...args],
    env: {
      // No sign-in and no network: the scripted model is all there is.
      COPILOT_OFFLINE: "true",
      COPILOT_PROVIDER_BASE_URL: url,
      COPILOT_PROVIDER_TYPE: "anthropic",
      COPILOT_PROVIDER_API_KEY: "test",
      COPILOT_MODEL: model,
      COPILOT_ALLOW_ALL: "true"
    }
  }),
  opencode: (
    url,
    { args = [], careful = false, model = models.opencode, prompt = defaultPrompt, workspace }
  ) => {
    mergeSettings(join(workspace.home, ".config", "opencode", "opencode.json"), {
      model: `anthropic/${model}`,
      autoupdate: false,
      share: "disabled",
      permission: careful ? "ask" : "allow",
      provider: { anthropic: { options: { baseURL: `${url}/v1`, apiKey: "test" } } }
    })
    return {
      args: ["run", ...args, prompt],
      env: { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" }
    }
  }
}

/** What the harness needs, beside what is there. */
const mergeSettings = (path: string, needed: object): void => {
  const settings = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as object) : {}
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify({ ...settings, ...needed }, null, 2)}\n`)
}

const qwenSettings = {
  security: { auth: { selectedType: "anthropic" }, folderTrust: { enabled: false } },
  general: { enableAutoUpdate: false },
  // Asks the model for what it remembers before every first turn.
  memory: { enableManagedAutoMemory: false },
  privacy: { usageStatisticsEnabled: false }
}

const clineProviders = (url: string, model: string): object => ({
  version: 1,
  lastUsedProvider: "openai-compatible",
  modes: {},
  providers: {
    "openai-compatible": {
      settings: { provider: "openai-compatible", apiKey: "test", model, baseUrl: `${url}/v1` },
      updatedAt: "2026-01-01T00:00:00.000Z",
      tokenSource: "manual"
    }
  }
})

const geminiSettings = {
  hooksConfig: { enabled: true },
  security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } }
}

const ours = "# ---- below: not written by the harness ----"

const codexConfig = (url: string, model: string, cwd: string, careful: boolean): string =>
  [
    `model = "${model}"`,
    'model_provider = "scripted"',
    `approval_policy = "${careful ? "on-request" : "never"}"`,
    `sandbox_mode = "${careful ? "workspace-write" : "danger-full-access"}"`,
    "[model_providers.scripted]",
    'name = "scripted"',
    `base_url = "${url}/v1"`,
    'wire_api = "responses"',
    "[features]",
    "hooks = true",
    `[projects.${JSON.stringify(cwd)}]`,
    'trust_level = "trusted"',
    ours,
    ""
  ].join("\n")

/** The port differs per run, so the head of the file is rewritten; tables an installer added stay behind it. */
const withUserTables = (head: string, path: string): string => {
  const before = existsSync(path) ? readFileSync(path, "utf8") : ""
  const at = before.indexOf(ours)
  return `${head}${at === -1 ? before : before.slice(at + ours.length + 1)}`
}

type Ended = Pick<AgentRun, "exitCode" | "timedOut" | "stdout" | "stderr">

/** Output goes to files: a pipe held open by a hook's leftover child would keep us waiting for the wrong thing. */
const runBounded = async (
  command: string,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  { cwd, home, root }: Workspace,
  timeoutMs: number
): Promise<Ended> => {
  const paths = [join(root, "agent.stdout"), join(root, "agent.stderr")] as const
  const fds = paths.map((path) => openSync(path, "w", 0o600))
  try {
    // A process group of its own, so that the time-out can end the agent and nothing of ours.
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ["ignore", fds[0], fds[1]] })
    let timedOut = false
    const timer = setTimeout(() => {
      timedOut = true
      if (child.pid !== undefined) end(-child.pid)
      endProcessesOf(home)
    }, timeoutMs)
    // Nothing is ended after a regular end: whether a hook's child survives its agent is for a test to see.
    const exitCode = await new Promise<number | null>((done, fail) => {
      child.once("error", fail)
      child.once("exit", (code) => done(code))
    }).finally(() => clearTimeout(timer))
    const [stdout, stderr] = paths.map((path) => readFileSync(path, "utf8"))
    return { exitCode, timedOut, stdout: stdout ?? "", stderr: stderr ?? "" }
  } finally {
    for (const fd of fds) closeSync(fd)
  }
}
