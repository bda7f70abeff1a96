/** What a guard costs as a user has it, beside what people write by hand: one call of a shell, through a shell as agents start hooks. */
import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { startHost } from "./host.ts"
import { type Candidate, interleave, type Timed } from "./interleave.ts"
import { makeShippedStage, type Stage } from "./stage.ts"

const shell = (line: string): readonly string[] => ["/bin/sh", "-c", line]

const floor = "sh -c :"

/** What all four look for, in a form that each of their languages reads. */
const pattern = "rm -rf|git push .*--force"

const bashScript = `#!/usr/bin/env bash
command=$(jq -r '.tool_input.command // empty')
if grep -qE '${pattern}' <<<"$command"; then
  echo "not without a person" >&2
  exit 2
fi
`

const nodeScript = `const { readFileSync } = require("node:fs")
const { tool_input } = JSON.parse(readFileSync(0, "utf8"))
if (/${pattern}/.test(tool_input.command ?? "")) {
  console.error("not without a person")
  process.exitCode = 2
}
`

const pythonScript = `import json, re, sys
command = json.load(sys.stdin)["tool_input"].get("command", "")
if re.search(r"${pattern}", command):
    print("not without a person", file=sys.stderr)
    sys.exit(2)
`

/** Without a home and what a person's shell sets, a shim that looks for the real program is all that would be measured. */
const pythonProgram = (): string | undefined => {
  const asked = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" })
  return asked.status === 0 ? asked.stdout.trim() : undefined
}

const isThere = (program: string): boolean => spawnSync(program, ["--version"]).status === 0

interface ByHand {
  readonly byHand: readonly Candidate[]
  /** Programs that are not on this machine. */
  readonly missing: readonly string[]
}

const byHand = ({ home }: Stage): ByHand => {
  const write = (name: string, text: string): string => {
    const file = join(home, name)
    writeFileSync(file, text, { mode: 0o755 })
    return file
  }
  const python = pythonProgram()
  const hasJq = isThere("jq")
  const jq = `jq -e '.tool_input.command | test("${pattern}") | not' >/dev/null || exit 2`
  const bash = write("guard.sh", bashScript)
  const node = write("guard.cjs", nodeScript)
  return {
    byHand: [
      ...(hasJq ? [{ name: "jq, one line", command: shell(jq) }] : []),
      ...(hasJq ? [{ name: "bash, with jq and grep", command: shell(`exec '${bash}'`) }] : []),
      { name: "Node script", command: shell(`exec '${process.execPath}' '${node}'`) },
      ...(python === undefined
        ? []
        : [
            {
              name: "Python script",
              command: shell(`exec '${python}' '${write("guard.py", pythonScript)}'`)
            }
          ])
    ],
    missing: [...(hasJq ? [] : ["jq"]), ...(python === undefined ? ["python3"] : [])]
  }
}

/** By what the row is called: the tool, and what it is given. */
const calls = {
  "hooktape, nobody listens (Read)": { tool_name: "Read", tool_input: { file_path: "/tmp/a.ts" } },
  "hooktape, a plain command": { tool_name: "Bash", tool_input: { command: "npm test -- --run parser" } },
  "hooktape, its guards read the command": {
    tool_name: "Bash",
    tool_input: { command: "git push origin main && python3 build.py > out.txt" }
  }
} as const

/** Milliseconds between two calls: back to back, one tool after the other, and a model that thinks. */
export const pauses = [0, 50, 2000] as const

export interface GuardFigures {
  readonly missing: readonly string[]
  readonly rows: readonly { readonly pauseMs: number; readonly timed: Timed }[]
}

/** `rounds` without a pause; with one there are fewer. */
export const measureGuards = async (rounds: number): Promise<GuardFigures> => {
  const stage = makeShippedStage()
  const { env, home, payload, project, state } = stage
  const { byHand: peers, missing } = byHand(stage)
  const hook = join(state, "bin", "hook")
  const ours = shell(`exec '${hook}' claude-code PreToolUse`)
  const common: readonly Candidate[] = [
    { name: floor, command: shell(":") },
    { name: "exec cat >>file", command: shell(`exec cat >>'${home}/kept'`) }
  ]
  const host = await startHost(stage)
  try {
    const rows = pauses.flatMap((pauseMs) =>
      Object.entries(calls).flatMap(([name, call], nth) => {
        // They are given what ours has to read, once.
        const isLast = nth === Object.keys(calls).length - 1
        const beside = isLast && pauseMs === 0 ? peers : []
        const timed = interleave([...common, ...beside, { name, command: ours }], {
          runner: join(import.meta.dirname, "runner.c"),
          rounds: pauseMs === 0 ? rounds : Math.ceil(rounds / (pauseMs < 1000 ? 2 : 10)),
          warmup: 10,
          payload: `${JSON.stringify({ ...JSON.parse(payload(1)), ...call })}\n`,
          floors: [floor],
          env,
          cwd: project,
          pauseMs
        })
        const isShown = (one: string): boolean => one === name || beside.some((peer) => peer.name === one)
        return timed.filter((one) => isShown(one.name)).map((one) => ({ pauseMs, timed: one }))
      })
    )
    return { missing, rows }
  } finally {
    await host.stop()
    stage.remove()
  }
}

/** × `sh -c :`, of a call without a pause before it. */
const most: Readonly<Record<string, number>> = {
  "hooktape, nobody listens (Read)": 1.6,
  "hooktape, a plain command": 2.8,
  "hooktape, its guards read the command": 2.8
}

export const ratioOf = ({ ratios }: Timed): number => ratios[floor] ?? Number.NaN

export const guardRows = ({ missing, rows }: GuardFigures): readonly string[] => [
  `${"a guard, as agents start it: × sh -c :".padEnd(44)}pause ms  median ms    ratio`,
  ...rows.map(({ pauseMs, timed }) => {
    const ratio = ratioOf(timed)
    const budget = pauseMs === 0 ? most[timed.name] : undefined
    const verdict = budget === undefined ? "" : ratio <= budget ? `  within ${budget}×` : `  OVER ${budget}×`
    const failed = timed.failures > 0 ? `  ${timed.failures} runs failed` : ""
    const cells = [`${pauseMs}`, timed.median.toFixed(2), `${ratio.toFixed(2)}×`]
    return `${timed.name.padEnd(41)}${cells.map((cell) => cell.padStart(11)).join("")}${verdict}${failed}`
  }),
  ...missing.map((program) => `not compared: ${program} is not on this machine`)
]
