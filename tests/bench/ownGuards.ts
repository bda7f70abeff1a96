/** `npm run bench -- own-guards`: what the hook adds to an edit and to a shell command, against a hook that does nothing. */
import type { Tool } from "../../events/agentEvents.ts"
import { weakenedByEdit } from "../../src/features/ownGuards/weakenedByEdit.ts"
import { weakenedByShell } from "../../src/features/ownGuards/weakenedByShell.ts"

export interface Added {
  readonly name: string
  /** Microseconds. */
  readonly p50: number
  readonly p95: number
}

const place = {
  cwd: process.cwd(),
  project: process.cwd(),
  home: process.env["HOME"] ?? "/",
  env: process.env
}
const edit = { kind: "edit", name: "Edit", path: `${process.cwd()}/src/index.ts`, input: {} } as Tool
const shell = {
  kind: "shell",
  name: "Bash",
  command: "cd src && npm test -- --run | tail -5",
  input: {}
} as Tool

const candidates: readonly (readonly [name: string, run: () => unknown])[] = [
  ["none", () => undefined],
  ["own-guards at an edit", () => weakenedByEdit(edit, place)],
  ["own-guards at a command", () => weakenedByShell(shell.command ?? "", place)]
]

/** Taken in turns, so that what else the machine does meets all alike. */
export const measureOwnGuards = (rounds = 2000): readonly Added[] => {
  const times = candidates.map((): number[] => [])
  for (let round = 0; round < rounds; round++)
    for (const [at, [, run]] of candidates.entries()) {
      const began = process.hrtime.bigint()
      run()
      times[at]?.push(Number(process.hrtime.bigint() - began) / 1000)
    }
  return candidates.map(([name], at) => {
    const sorted = (times[at] ?? []).slice(rounds / 4).sort((a, b) => a - b)
    const quantile = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0
    return { name, p50: quantile(0.5), p95: quantile(0.95) }
  })
}

export const addedRow = ({ name, p50, p95 }: Added): string =>
  `${name.padEnd(28)} p50 ${p50.toFixed(1)} µs  p95 ${p95.toFixed(1)} µs`
