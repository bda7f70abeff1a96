/** Times commands as whole processes, all of them once per round: what an agent waits for, and ratios that hold on a noisy machine. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export interface Candidate {
  readonly name: string
  /** Program and arguments. */
  readonly command: readonly string[]
}

export interface Timed {
  readonly name: string
  /** Milliseconds. */
  readonly median: number
  readonly p95: number
  readonly min: number
  /** Median of the per-round ratios to each floor, by the floor's name. */
  readonly ratios: Readonly<Record<string, number>>
  /** Median of the per-round differences to each floor in milliseconds, by the floor's name. */
  readonly over: Readonly<Record<string, number>>
  /** 95th percentile of the ratios. */
  readonly ratiosP95: Readonly<Record<string, number>>
  readonly failures: number
}

export const quantile = (values: readonly number[], q: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

const compileRunner = (source: string): string => {
  const binary = join(mkdtempSync(join(tmpdir(), "hooktape-bench-")), "runner")
  const compiler = process.env["CC"] ?? "cc"
  const { status, stderr, error } = spawnSync(compiler, ["-O2", "-o", binary, source], { encoding: "utf8" })
  if (status !== 0)
    throw new Error(`the benchmark's runner does not compile with ${compiler}: ${error?.message ?? stderr}`)
  return binary
}

export interface Plan {
  readonly runner: string
  readonly rounds: number
  readonly warmup: number
  readonly payload: string
  readonly floors: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  /** Before each run, milliseconds: what an agent leaves between its calls. Default: none. */
  readonly pauseMs?: number
}

export const interleave = (candidates: readonly Candidate[], plan: Plan): readonly Timed[] => {
  const runner = compileRunner(plan.runner)
  const payload = `${runner}.payload`
  writeFileSync(payload, plan.payload)
  const { stdout, stderr, status } = spawnSync(
    runner,
    [`${plan.rounds}`, `${plan.warmup}`, payload, `${plan.pauseMs ?? 0}`],
    {
      input: `${candidates.map(({ command }) => command.join("\t")).join("\n")}\n`,
      encoding: "utf8",
      env: plan.env,
      cwd: plan.cwd,
      maxBuffer: 64 * 1024 * 1024
    }
  )
  if (status !== 0) throw new Error(`the benchmark's runner failed: ${stderr}`)
  const times = candidates.map(() => new Map<number, number>())
  const failures = candidates.map(() => 0)
  for (const line of stdout.trim().split("\n")) {
    const [round = 0, index = 0, milliseconds = 0, code = 0] = line.split(" ").map(Number)
    times[index]?.set(round, milliseconds)
    if (code !== 0) failures[index] = (failures[index] ?? 0) + 1
  }
  const timesOf = (name: string) => times[candidates.findIndex((candidate) => candidate.name === name)]
  return candidates.map(({ name }, index) => {
    const own = times[index] ?? new Map<number, number>()
    const all = [...own.values()]
    const toFloor = plan.floors.map((floor) => {
      const base = timesOf(floor)
      return [floor, [...own].map(([round, ms]) => ms / (base?.get(round) ?? Number.NaN))] as const
    })
    const overFloor = plan.floors.map((floor) => {
      const base = timesOf(floor)
      return [floor, median([...own].map(([round, ms]) => ms - (base?.get(round) ?? Number.NaN)))] as const
    })
    return {
      name,
      over: Object.fromEntries(overFloor),
      median: median(all),
      p95: quantile(all, 0.95),
      min: Math.min(...all),
      ratios: Object.fromEntries(toFloor.map(([floor, ratios]) => [floor, median(ratios)])),
      ratiosP95: Object.fromEntries(toFloor.map(([floor, ratios]) => [floor, quantile(ratios, 0.95)])),
      failures: failures[index] ?? 0
    }
  })
}
