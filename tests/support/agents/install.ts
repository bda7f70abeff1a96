/** Puts the pinned agents into a cache of their own, once per machine: they are far too big for a dependency. */
import { spawn } from "node:child_process"
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { type Exercised, exercised } from "./agents.ts"

/** By hand: what the adapters were written and tried against. */
export const packages: Readonly<Record<Exercised, { name: string; version: string; bin: string }>> = {
  "claude-code": { name: "@anthropic-ai/claude-code", version: "2.1.332", bin: "claude" },
  codex: { name: "@openai/codex", version: "0.171.0", bin: "codex" },
  "gemini-cli": { name: "@google/gemini-cli", version: "0.61.0", bin: "gemini" },
  "qwen-code": { name: "@qwen-code/qwen-code", version: "0.24.4", bin: "qwen" },
  copilot: { name: "@github/copilot", version: "1.0.102", bin: "copilot" },
  opencode: { name: "opencode-ai", version: "1.18.33", bin: "opencode" },
  cline: { name: "cline", version: "3.0.65", bin: "cline" }
}

/** `agent=version` with commas between: other versions than those, for a run of all tests. */
export const versionsVariable = "HOOKTAPE_TEST_AGENT_VERSIONS"

const versionOf = (agent: Exercised): string =>
  (process.env[versionsVariable] ?? "")
    .split(",")
    .map((pair) => pair.split("="))
    .find(([name]) => name === agent)?.[1] ?? packages[agent].version

/** Inside the tests HOME and XDG_CACHE_HOME are replaced; the cache of the machine is then named by the setup. */
export const agentsCache = (env: NodeJS.ProcessEnv = process.env): string =>
  env["HOOKTAPE_AGENTS_CACHE"] ??
  env["HOOKTAPE_TEST_AGENTS_CACHE"] ??
  join(env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "hooktape-agents")

export const agentBinary = (agent: Exercised, cache: string = agentsCache()): string => {
  const path = join(directory(agent, cache), "node_modules", ".bin", packages[agent].bin)
  if (existsSync(join(directory(agent, cache), marker)) && existsSync(path)) return path
  throw new Error(
    `${agent} is not in ${cache}: call installAgents first, as the setup of the agent tests does`
  )
}

/** Installs what is missing. Safe to be called by several processes at once: the first works, the others wait. */
export const installAgents = async (
  cache: string = agentsCache(),
  agents: ReadonlyArray<Exercised> = exercised
): Promise<void> => {
  mkdirSync(cache, { recursive: true })
  for (const agent of agents) {
    while (!isInstalled(agent, cache)) {
      const lock = join(cache, `${agent}.lock`)
      if (takeLock(lock)) {
        try {
          if (!isInstalled(agent, cache)) await install(agent, cache)
        } finally {
          rmSync(lock, { force: true })
        }
      } else await pause(500)
    }
  }
}

const marker = "installed"

const directory = (agent: Exercised, cache: string): string => join(cache, `${agent}-${versionOf(agent)}`)

const isInstalled = (agent: Exercised, cache: string): boolean =>
  existsSync(join(directory(agent, cache), marker))

/** Installs beside its final place: the renamed directory appears whole or not at all. */
const install = async (agent: Exercised, cache: string): Promise<void> => {
  const { name, bin } = packages[agent]
  const version = versionOf(agent)
  const staging = join(cache, `${agent}.staging-${process.pid}`)
  rmSync(staging, { recursive: true, force: true })
  mkdirSync(staging, { recursive: true })
  writeFileSync(join(staging, "package.json"), JSON.stringify({ private: true }))
  await run("npm", ["install", "--no-audit", "--no-fund", "--save-exact", `${name}@${version}`], staging)
  // A home of its own: agents write into it even when only asked for their version.
  const home = { HOME: join(staging, "home") }
  const said = await run(join(staging, "node_modules", ".bin", bin), ["--version"], staging, home)
  if (!said.includes(version)) throw new Error(`${name}@${version} says it is ${said.trim()}`)
  writeFileSync(join(staging, marker), `${version}\n`)
  rmSync(directory(agent, cache), { recursive: true, force: true })
  renameSync(staging, directory(agent, cache))
}

const takeLock = (path: string): boolean => {
  try {
    const fd = openSync(path, "wx", 0o600)
    writeFileSync(fd, String(process.pid))
    closeSync(fd)
    return true
  } catch {
    if (!isAbandoned(path)) return false
    rmSync(path, { force: true })
    return false
  }
}

const isAbandoned = (lock: string): boolean => {
  try {
    const pid = Number(readFileSync(lock, "utf8"))
    // Empty: its owner stands between opening and writing.
    if (pid === 0) return false
    process.kill(pid, 0)
    return false
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "ESRCH"
  }
}

const run = (command: string, args: ReadonlyArray<string>, cwd: string, env = {}): Promise<string> =>
  new Promise((done, fail) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    const chunks: Array<Buffer> = []
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk))
    child.once("error", fail)
    child.once("close", (code) => {
      const text = Buffer.concat(chunks).toString("utf8")
      if (code === 0) done(text)
      else fail(new Error(`${command} ${args.join(" ")} ended with ${code}\n${text}`))
    })
  })
