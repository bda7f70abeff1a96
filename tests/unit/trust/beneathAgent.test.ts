/** What counts as being started by an agent, and that what weakens guards asks. */
import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterAll, describe, expect, it } from "vitest"
import { declarations } from "../../../src/programs/cli/declarations.ts"
import { plain } from "../../../src/programs/cli/render/style.ts"
import { run } from "../../../src/programs/cli/run.ts"
import { Screen } from "../../../src/programs/cli/Screen.ts"
import { isAgent, markIn, type Seen } from "../../../src/trust/agentPrograms.ts"
import { ancestors, fromPs, seen } from "../../../src/trust/ancestors.ts"
import { BeneathAgent, signOf } from "../../../src/trust/BeneathAgent.ts"
import { cli } from "../../support/cli.ts"

const root = realpathSync(mkdtempSync(join(tmpdir(), "beneath-")))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const process_ = (more: Partial<Seen>): Seen => ({ pid: 7, parent: 1, name: "bash", args: ["bash"], ...more })
const none = { env: {}, above: [process_({})], terminal: false }

describe("an agent is recognised by", () => {
  it.each([
    "CLAUDECODE",
    "CLAUDE_CODE_SESSION_ID",
    "CODEX_THREAD_ID",
    "CODEX_SANDBOX",
    "GEMINI_CLI",
    "CURSOR_AGENT"
  ])("the variable %s", (name) => {
    expect(markIn({ [name]: "1" })).toBe(name)
  })

  it.each([
    "CLAUDE_CODE_USE_BEDROCK",
    "CODEX_HOME",
    "GEMINI_API_KEY",
    "CURSOR_TRACE_ID",
    "CLAUDE_CONFIG_DIR"
  ])("no variable that its user may set, such as %s", (name) => {
    expect(markIn({ [name]: "1" })).toBeUndefined()
  })

  it("no variable that says it is not", () => {
    expect(markIn({ CLAUDECODE: "0", GEMINI_CLI: "" })).toBeUndefined()
  })

  it.each<[string, Partial<Seen>]>([
    ["its name", { name: "claude", args: ["claude"] }],
    ["the name it was called by", { name: "MainThread", args: ["/usr/local/bin/codex", "exec"] }],
    ["its program file", { name: "x", args: ["x"], program: "/home/u/.local/share/claude/versions/2.1.329" }],
    [
      "a native program beside a script",
      { name: "x", args: ["x"], program: "/lib/node_modules/@openai/codex-linux-x64/bin/it" }
    ],
    [
      "a script of node",
      { name: "node", args: ["node", "/lib/node_modules/@google/gemini-cli/dist/index.js"] }
    ],
    ["a script behind options", { name: "node", args: ["node", "--no-warnings", "/usr/bin/gemini", "-y"] }],
    ["a script of bun", { name: "bun", args: ["bun", "/x/@anthropic-ai/claude-code/cli.js"] }]
  ])("%s", (_, more) => {
    expect(isAgent(process_(more))).toBe(true)
  })

  it("the real place of a script that is called by another name, and the package that it lies in", () => {
    const there = join(root, "elsewhere", "renamed")
    mkdirSync(there, { recursive: true })
    writeFileSync(join(there, "package.json"), '{ "name": "@anthropic-ai/claude-code" }')
    writeFileSync(join(there, "it.js"), "")
    symlinkSync(join(there, "it.js"), join(root, "tool"))
    expect(isAgent(process_({ name: "node", args: ["node", join(root, "tool")] }))).toBe(true)
    expect(isAgent(process_({ name: "node", args: ["node", "tool"], cwd: root }))).toBe(true)
  })

  it.each<[string, Partial<Seen>]>([
    ["a shell", {}],
    ["another script of node", { name: "node", args: ["node", "/srv/app/server.js", "claude"] }],
    ["an editor on a file of that name", { name: "vim", args: ["vim", "codex"] }],
    ["an editor that has a terminal for its user", { name: "cursor", args: ["/opt/Cursor/cursor"] }]
  ])("not %s", (_, more) => {
    expect(isAgent(process_(more))).toBe(false)
  })
})

describe("being beneath an agent", () => {
  it("is not ended by taking the variable away", () => {
    const above = [process_({}), process_({ pid: 6, env: { CLAUDECODE: "1" } })]
    expect(signOf({ ...none, above })).toBe("CLAUDECODE was set for process 6 above it")
  })

  it("is seen through everything that lies between", () => {
    const above = [
      process_({ name: "script" }),
      process_({}),
      process_({ name: "codex", args: ["codex"], pid: 3 })
    ]
    expect(signOf({ ...none, above })).toBe("process 3 above it is codex")
  })

  it("is not so for a person, in a terminal or in a script", () => {
    expect(signOf({ ...none, terminal: true })).toBeUndefined()
    expect(signOf(none)).toBeUndefined()
  })

  it.skipIf(process.platform === "win32")(
    "is taken for true where nothing can be seen and nobody sits at a terminal",
    () => {
      expect(signOf({ ...none, above: [] })).toMatch(/cannot be looked at/)
      expect(signOf({ ...none, above: [], terminal: true })).toBeUndefined()
    }
  )
})

describe.skipIf(process.platform === "win32")("the processes above", () => {
  it("are found as the system shows them, up to where it shows no more", () => {
    const above = ancestors(process.pid)
    expect(above[0]).toMatchObject({ pid: process.pid, parent: process.ppid })
    expect(above.length).toBeGreaterThan(1)
    expect(seen(2 ** 30)).toBeUndefined()
  })

  it("are asked of ps in a way that a BSD's understands: all behind the first = is a heading there", () => {
    const ps = join(root, "ps")
    writeFileSync(
      ps,
      `#!/bin/sh
heading= columns=
while [ $# -gt 0 ]; do
  case $1 in
  -ww) shift ;;
  -p) pid=$2; shift 2 ;;
  -o)
    columns="$columns \${2%%=*}" h=\${2#*=} heading="$heading$h"
    shift 2 ;;
  *) exit 1 ;;
  esac
done
[ -z "$heading" ] || echo "$heading"
for column in $columns; do
  case $column in
  ppid) printf ' 41 ' ;;
  comm) printf '/Applications/An Agent/claude' ;;
  args) printf '/Applications/An Agent/claude -p %s' "$pid" ;;
  esac
done
echo
`,
      { mode: 0o700 }
    )
    const found = fromPs(42, ps)
    expect(found).toMatchObject({ pid: 42, parent: 41, name: "/Applications/An Agent/claude" })
    expect(found?.args.slice(-2)).toEqual(["-p", "42"])
    expect(isAgent(found as Seen)).toBe(true)
  })

  it("never go round in a circle", () => {
    expect(ancestors(5, (pid) => process_({ pid, parent: pid }))).toHaveLength(64)
  })
})

const refused: readonly (readonly string[])[] = [
  ["init", "--preset", "quiet"],
  ["trust"],
  ["adopt"],
  ["dev"],
  ["trust", "revoke", "x"],
  ["forget", "--matching", "a text"],
  ["uninstall", "--agent", "claude-code"],
  ["hooks", "enable", "x"],
  ["hooks", "disable", "x"],
  ["policy", "sign", "x", "--key", "k", "--name", "x", "--release", "1", "--to", "p"],
  ["ship", "add", "x", "/x"],
  ["ship", "remove", "x"],
  ["migrate", "--rollback"],
  ["migrate", "--replace"]
]

/** What leaves every guard where it is. `install` is asked only where hooks are registered already. */
const kept = `new trust/list build install setup doctor run test check fixture explain log log/verify log/repair show replay backtest note search checkpoint
notes/list notes/show notes/confirm notes/retract chains/list chains/show chains/similar
checkpoints/list checkpoints/show hooks/list jobs/list jobs/show jobs/retry host/start host/stop host/status docs/delivery completions actors import
  inspect report metrics policy/key policy/show ship/status collect/migrate collect/tokens collect/serve
  collect/run collect/status collect/hooks collect/sessions collect/problems`

/** Each command, and each subcommand as `trust/list`, that can be called. */
const actions = async (): Promise<readonly string[]> =>
  Object.entries(await declarations()).flatMap(([name, { action, subcommands = {} }]) => [
    ...(action === undefined ? [] : [name]),
    ...Object.keys(subcommands).map((below) => `${name}/${below}`)
  ])

const screen = {
  out: () => Effect.void,
  note: () => Effect.void,
  watched: false,
  style: plain,
  width: undefined,
  progress: () => ({ at: () => undefined, end: () => undefined })
}

const runBeneath = (sign: string | undefined, words: readonly string[]) =>
  Effect.runPromise(
    Effect.flip(
      run(words).pipe(
        Effect.provideService(Screen, screen),
        Effect.provideService(BeneathAgent, { sign: Effect.succeed(sign) })
      )
    )
  )

describe("a command that weakens guards", () => {
  it("is one of these, and every other command was thought about", async () => {
    const named = refused.map(([first, second = ""]) =>
      second.startsWith("-") || second === "" ? first : `${first}/${second}`
    )
    expect((await actions()).toSorted()).toEqual([...new Set(named), ...kept.split(/\s+/)].toSorted())
  })

  it.each(refused)("is refused beneath an agent: %s %s", async (...words) => {
    const error = (await runBeneath("CLAUDECODE is set", words)) as Error
    expect(error.message).toMatch(
      /: an agent does not decide about its own guards, .*CLAUDECODE is set\. Run "hooktape /
    )
    expect(error.message).not.toContain("\n")
    expect(existsSync(process.env["HOOKTAPE_HOME"] ?? "")).toBe(false)
  })
})

describe.skipIf(process.platform === "win32")("the command as it is shipped", () => {
  const env = { PATH: process.env["PATH"], HOME: root, HOOKTAPE_HOME: join(root, "state") }

  it("refuses where the variable is set, and touches nothing", () => {
    const { status, stderr } = spawnSync(process.execPath, [cli, "trust"], {
      cwd: root,
      env: { ...env, CLAUDECODE: "1" },
      encoding: "utf8"
    })
    expect(status).toBe(1)
    expect(stderr).toMatch(
      /^hooktape: trust: an agent .* Run "hooktape trust" in a terminal of your own\.\n$/
    )
    expect(existsSync(env.HOOKTAPE_HOME)).toBe(false)
  })

  it.each([
    ["env -u", `env -u CLAUDECODE "$@"`],
    ["a new session", `env -u CLAUDECODE setsid -w "$@"`],
    ["nohup", `unset CLAUDECODE; nohup "$@"`],
    ["an empty environment", `env -i HOME="$HOME" "$@"`]
  ])("refuses beneath an agent's shell all the same behind %s", (_, line) => {
    // The shell is the agent's: it has the variable from its start.
    const { status, stderr } = spawnSync(
      "/bin/sh",
      ["-c", `${line}; exit $?`, "sh", process.execPath, cli, "trust"],
      {
        cwd: root,
        env: { ...env, CLAUDECODE: "1" },
        encoding: "utf8"
      }
    )
    expect({ status, stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("does not decide")
    })
  })

  it("refuses beneath a program that is an agent, without any variable", async () => {
    const folder = join(root, "lib", "@openai", "codex")
    mkdirSync(folder, { recursive: true })
    const script = join(folder, "it.mjs")
    writeFileSync(
      script,
      `import { spawnSync } from "node:child_process"
const { status } = spawnSync(process.execPath, [${JSON.stringify(cli)}, "trust"], { stdio: "inherit" })
process.exit(status)`
    )
    const child = spawn(process.execPath, [script], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] })
    let stderr = ""
    child.stderr.on("data", (chunk) => {
      stderr += chunk
    })
    expect(await new Promise((resolve) => child.once("close", resolve))).toBe(1)
    expect(stderr).toMatch(/process \d+ above it is node/)
  })
})
