/**
 * `npm run state`: makes the golden state of the version in package.json, as an installation in use leaves it, with the build that is in dist.
 *
 * Paths of the tree that it is made in are part of it, for trust goes by content: a clone at a place that says nothing of its owner is best.
 *
 *     npm run state                         into tests/states/<version>, where there is none yet
 *     npm run state -- <folder> [<home>]    elsewhere, to be looked at, in another home while it is made
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import Sqlite from "better-sqlite3"
import { cliFor } from "../cli.ts"
import { formerHome } from "../goldenState.ts"

const root = join(import.meta.dirname, "..", "..", "..")
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
const into = resolve(process.argv[2] ?? join(root, "tests", "states"), version)

/** The same for everybody who makes one: it stands in the log, where nobody can change it afterwards. */
const home = process.argv[3] ?? formerHome
const state = join(home, ".local", "state", "hooktape")
const shop = join(home, "shop")
const plain = join(home, "plain")
const env: NodeJS.ProcessEnv = { PATH: process.env["PATH"], HOME: home, LANG: "C.UTF-8" }

const put = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const hooktape = (cwd: string, words: readonly string[], input = ""): string => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cliFor(words), ...words], {
    cwd,
    env,
    input,
    encoding: "utf8"
  })
  if (status === 0) return stdout
  throw new Error(`hooktape ${words.join(" ")} ended with ${status}: ${stdout}${stderr}`)
}

interface Call {
  readonly agent: string
  readonly event: string
  readonly cwd: string
  readonly payload: object
  readonly env?: NodeJS.ProcessEnv
}

/** As an agent does it. Whatever the answer is, there is one. */
const call = ({ agent, cwd, event, payload, env: more }: Call): void => {
  const input = JSON.stringify({ session_id: "s-golden", cwd, hook_event_name: event, ...payload })
  const { status, signal } = spawnSync(join(state, "bin", "hook"), [agent, event], {
    cwd,
    env: { ...env, ...more },
    input
  })
  if (signal !== null || (status !== 0 && status !== 2))
    throw new Error(`${agent} ${event}: ${signal ?? status}`)
}

const furnish = (): void => {
  put(
    join(home, ".config", "hooktape", "hooks", "hello.ts"),
    `import { defineHook, userHint } from "hooktape"\nexport default defineHook({ name: "hello", on: "session.start", once: "session", run: () => userHint("Hello.") })\n`
  )
  put(join(home, ".config", "hooktape", "config.json"), `{"hooks":{"hello":{"priority":200}}}\n`)
  put(join(home, ".claude", "settings.json"), `{ "permissions": { "allow": ["Bash(npm test)"] } }\n`)
  put(
    join(shop, ".hooktape", "hooks", "no-deploy.ts"),
    `import { blockingFeedback, defineHook } from "hooktape"\nexport default defineHook({ name: "no-deploy", on: "tool.before", when: { tool: "shell", command: /deploy/ }, onFailure: "block", run: () => blockingFeedback("Deploy from the release job.") })\n`
  )
  put(
    join(shop, ".hooktape", "hooks", "count-edits.ts"),
    `import { defineHook } from "hooktape"\nexport default defineHook({ name: "count-edits", on: "file.edited", background: true, retry: { attempts: 2 }, run: () => { throw new Error("no counter here") } })\n`
  )
  put(
    join(shop, ".hooktape", "hooks", "once-a-day.ts"),
    `import { defineHook, modelContext } from "hooktape"\nexport default defineHook({ name: "once-a-day", on: "prompt.submit", cooldown: "1 day", run: () => modelContext("Tests run with npm test.") })\n`
  )
  put(join(shop, ".hooktape", "config.json"), `{ "deadlineMs": 5000, "hooks": {} }\n`)
  put(join(shop, "a.ts"), "export const a = 1\n")
  put(
    join(home, "transcript.jsonl"),
    `${JSON.stringify({ type: "user", message: { role: "user", content: "run the tests" }, uuid: "1", timestamp: "2026-11-23T00:00:00Z" })}\n`
  )
  mkdirSync(plain)
}

const use = (): void => {
  hooktape(shop, ["trust", "--yes"])
  hooktape(shop, ["install", "--agent", "claude-code", "--transport", "http"])
  for (const agent of ["codex", "gemini-cli", "cursor", "windsurf"])
    hooktape(shop, ["install", "--agent", agent])
  hooktape(shop, ["host", "start"])
  const transcript = { transcript_path: join(home, "transcript.jsonl") }
  const shell = (command: string, id: string) => ({
    ...transcript,
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: id
  })
  const claude = (event: string, payload: object): void =>
    call({ agent: "claude-code", event, cwd: shop, payload })
  claude("SessionStart", { ...transcript, source: "startup" })
  claude("UserPromptSubmit", { ...transcript, prompt: "deploy the shop" })
  claude("PreToolUse", shell("make deploy", "t-1"))
  claude("PreToolUse", shell("npm test", "t-2"))
  claude("PostToolUse", {
    ...shell("npm test", "t-2"),
    tool_response: { stdout: "1 failed", stderr: "", exit_code: 1 }
  })
  claude("PostToolUse", {
    ...transcript,
    tool_name: "Edit",
    tool_input: { file_path: join(shop, "a.ts"), old_string: "1", new_string: "2" },
    tool_response: { filePath: join(shop, "a.ts") },
    tool_use_id: "t-3"
  })
  claude("Stop", { ...transcript, stop_hook_active: false })
  call({
    agent: "codex",
    event: "PreToolUse",
    cwd: shop,
    payload: { ...shell("ls", "t-4"), turn_id: "1", model: "gpt" }
  })
  call({
    agent: "gemini-cli",
    event: "BeforeTool",
    cwd: shop,
    payload: { ...transcript, tool_name: "run_shell_command", tool_input: { command: "ls" } }
  })
  hooktape(shop, ["note", "The shop is deployed by its release job."])
  hooktape(shop, ["hooks", "disable", "hello"])
  claude("SessionEnd", { ...transcript, reason: "other" })
  hooktape(shop, ["host", "stop"])
}

/** While a program that a call would start is not as it was. */
const instead = (name: string, text: string | undefined, work: () => void): void => {
  const file = join(state, "bin", name)
  renameSync(file, `${file}.aside`)
  try {
    if (text !== undefined) writeFileSync(file, text, { mode: 0o700 })
    work()
  } finally {
    renameSync(`${file}.aside`, file)
  }
}

/** Calls that no host took in: one whose facts wait in the spool, one that is left to the next host, one that nobody handled. */
const leave = (): void => {
  // Which events leave nothing to answer is found out anew: what guards a session kept is part of it.
  hooktape(plain, ["build"])
  const list = { tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "t-9" }
  const before = { agent: "claude-code", event: "PreToolUse", cwd: shop, payload: list }
  instead("host", "#!/bin/sh\nexit 0\n", () => {
    call({ ...before, env: { HOOKTAPE_HOST: "off" } })
    const file_path = join(plain, "CLAUDE.md")
    call({ agent: "claude-code", event: "InstructionsLoaded", cwd: plain, payload: { file_path } })
    instead("entry", undefined, () => call(before))
  })
}

/** What is made anew from the rest, or cannot be unpacked elsewhere. */
const strip = (): void => {
  const db = new Sqlite(join(state, "log.sqlite"))
  db.pragma("wal_checkpoint(TRUNCATE)")
  db.close()
  for (const name of ["build", "bin/hook", "bin/shipped", "run/host.sock"])
    rmSync(join(state, name), { recursive: true, force: true })
}

/** Of each kind of what is stored, so that no state without one is kept for good. */
const parts: Readonly<Record<string, RegExp>> = {
  "the number of its layout": /^layout$/,
  "the log": /^log\.sqlite$/,
  "facts on their way": /^spool\/[^/]+\.ndjson$/,
  "a call that is left to the next host": /^spool\/[^/]+\.frame$/,
  "a call that nobody handled": /^run\/unreachable$/,
  "what is trusted": /^trust\.json$/,
  "what was switched off": /^switches\.json$/,
  "what was registered, of five agents": /^installs\/[^/]+\.json$/,
  "copies of settings": /^backups\/[^/]+$/,
  "builds, of a project and the user": /^projects\/[^/]+\.json$/,
  "what a limit counts": /^limits\/[^/]+$/,
  "the key": /^key$/
}

const requireParts = (): void => {
  const names = readdirSync(state, { recursive: true, encoding: "utf8" })
  const missing = Object.keys(parts).filter((part) => !names.some((name) => parts[part]?.test(name)))
  if (missing.length > 0) throw new Error(`the state is without ${missing.join(", ")}`)
}

const pack = (): string => {
  mkdirSync(into, { recursive: true })
  const file = join(into, "home.tar.gz")
  const words = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "-czf", file, "-C", home, "."]
  const { status, stderr } = spawnSync("tar", words, { encoding: "utf8" })
  if (status !== 0) throw new Error(`tar: ${stderr}`)
  return file
}

for (const taken of [into, home])
  if (existsSync(taken)) {
    process.stderr.write(`${taken} is there already: nothing was made\n`)
    process.exit(1)
  }
mkdirSync(home, { mode: 0o700 })
try {
  furnish()
  use()
  leave()
  strip()
  requireParts()
  console.info(`${pack()}: what ${version} leaves. Run the tests with it, then commit it: it stays.`)
} finally {
  rmSync(home, { recursive: true, force: true })
}
