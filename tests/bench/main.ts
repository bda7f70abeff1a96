/** `npm run bench`: what a hook call costs, against floors measured in the same interleaved run, and what the log can take. */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { type Candidate, interleave, type Timed } from "./interleave.ts"
import { measureRates, type Rate } from "./rates.ts"

const root = join(import.meta.dirname, "..", "..")
const cli = join(root, "dist", "cli.js")
const [rounds = 60, facts = 1_000_000] = process.argv.filter((argument) => /^\d+$/.test(argument)).map(Number)

const home = realpathSync(mkdtempSync(join(tmpdir(), "hooktape-bench-")))
const project = join(home, "project")
const state = join(home, "state")
// NODE_EXTRA_CA_CERTS would add its parsing to every start of Node, the floor's included.
const env: NodeJS.ProcessEnv = {
  PATH: process.env["PATH"],
  HOME: home,
  HOOKTAPE_HOME: state,
  HOOKTAPE_HOST: "off"
}

const guard = `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({
  name: "no-force-push",
  on: "tool.before",
  when: { tool: "shell" },
  run: ({ tool }) => (/git push .*--force\\b/.test(tool.command ?? "") ? blockingFeedback("Use --force-with-lease.") : undefined)
})
`

/** A PreToolUse of Claude Code, padded to a size. */
const payload = (bytes: number): string => {
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
  const words = "Run the tests of the HTTP client and show what failed. "
  call.tool_input.description = words
    .repeat(Math.ceil(bytes / words.length))
    .slice(0, bytes - JSON.stringify(call).length - 1)
  return `${JSON.stringify(call)}\n`
}

const hooktape = (...args: readonly string[]): void => {
  const { status, stderr } = spawnSync(process.execPath, [cli, ...args], {
    cwd: project,
    env,
    encoding: "utf8"
  })
  if (status !== 0) throw new Error(`hooktape ${args.join(" ")} ended with ${status}: ${stderr}`)
}

mkdirSync(join(project, ".hooktape", "hooks"), { recursive: true })
writeFileSync(join(project, ".hooktape", "hooks", "guard.ts"), guard)
hooktape("install", "--agent", "claude-code", "--scope", "user")
hooktape("trust")
hooktape("build")

const hook = `${state}/bin/hook`
const candidates: readonly Candidate[] = [
  { name: "/bin/true", command: ["/bin/true"] },
  { name: "sh -c :", command: ["/bin/sh", "-c", ":"] },
  { name: "node -e 0", command: [process.execPath, "-e", "0"] },
  { name: "entrypoint, cache warm", command: [hook, "claude-code", "PreToolUse"] },
  // As agents call it: their shell first.
  { name: "the same by sh -c", command: ["/bin/sh", "-c", `exec '${hook}' claude-code PreToolUse`] },
  {
    name: "entrypoint, cache cold",
    command: ["/bin/sh", "-c", `rm -f '${state}'/build/*/*.cache; exec '${hook}' claude-code PreToolUse`]
  }
]
const floors = ["sh -c :", "node -e 0"]

/** The cold candidate leaves a warm cache behind, so the two are measured in runs of their own, each with the floors. */
const plan = {
  runner: join(import.meta.dirname, "runner.c"),
  rounds,
  warmup: 3,
  payload: payload(4096),
  floors,
  env,
  cwd: project
}
const warm = interleave(
  candidates.filter(({ name }) => !name.includes("cold")),
  plan
)
const cold = interleave(
  candidates.filter(({ name }) => !name.includes("warm")),
  { ...plan, rounds: Math.ceil(rounds / 2) }
)

const budgets: Readonly<Record<string, { readonly floor: string; readonly most: number }>> = {
  "entrypoint, cache warm": { floor: "node -e 0", most: 1.8 }
}
const least: Readonly<Record<string, number>> = {
  "log append, batches of 100": 80_000,
  "log read and decode": 300_000
}

const fixed = (value: number, digits = 2): string => value.toFixed(digits)
const row = (cells: readonly string[]): string =>
  cells.map((cell, at) => (at === 0 ? cell.padEnd(28) : cell.padStart(12))).join("")

const timeRow = ({ name, median, p95, ratios, failures }: Timed): string => {
  const budget = budgets[name]
  const ratio = budget ? (ratios[budget.floor] ?? Number.NaN) : undefined
  const verdict =
    budget && ratio !== undefined
      ? ratio <= budget.most
        ? `within ${budget.most}×`
        : `OVER ${budget.most}×`
      : ""
  const cells = [
    name,
    fixed(median),
    fixed(p95),
    ...floors.map((floor) => `${fixed(ratios[floor] ?? Number.NaN)}×`),
    verdict
  ]
  return `${row(cells)}${failures > 0 ? `  ${failures} runs failed` : ""}`
}

const rateRow = ({ name, perSecond, facts: count }: Rate): string => {
  const floor = least[name] ?? 0
  const verdict = perSecond >= floor ? `at least ${floor / 1000} k` : `UNDER ${floor / 1000} k`
  return row([name, `${Math.round(perSecond / 1000)} k/s`, `${count}`, "", "", verdict])
}

const rates = await measureRates(facts)
const timed = [...warm, ...cold.filter(({ name }) => name.includes("cold"))]
const machine = { node: process.version, cpu: cpus()[0]?.model ?? "unknown", cores: cpus().length }
if (process.argv.includes("--json")) {
  process.stdout.write(`${JSON.stringify({ machine, rounds, timed, rates })}\n`)
} else {
  const lines = [
    `${machine.cores} × ${machine.cpu}, Node ${machine.node}; ${rounds} interleaved rounds, 4 KB PreToolUse, one handler`,
    "",
    row(["", "median ms", "p95 ms", ...floors.map((floor) => `× ${floor}`), "budget"]),
    ...timed.map(timeRow),
    "",
    row(["", "rate", "facts", "", "", "budget"]),
    ...rates.map(rateRow)
  ]
  process.stdout.write(`${lines.join("\n")}\n`)
}
rmSync(home, { recursive: true, force: true })
