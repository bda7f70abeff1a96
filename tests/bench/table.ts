/** The figures as a table, each against what it may be at most or must be at least. */
import { floors } from "./commands.ts"
import type { Crowd, HostFigures } from "./host.ts"
import type { Timed } from "./interleave.ts"
import type { Rate } from "./rates.ts"
import type { Seen } from "./seen.ts"
import type { Looked } from "./timeline.ts"

interface Budget {
  readonly floor: string
  readonly most: number
  /** Of the 95th percentile. */
  readonly p95?: number
}

export const budgets: Readonly<Record<string, readonly Budget[]>> = {
  "entrypoint, cache warm": [{ floor: "node -e 0", most: 1.6 }],
  "the same by sh -c": [],
  "hooktape --version": [{ floor: "node -e 0", most: 1.5 }],
  "hooktape show last": [{ floor: "node -e 0", most: 2.5 }],
  "hooktape log --limit 5": [{ floor: "node -e 0", most: 2.5 }],
  "client by sh -c, 4 KB": [
    { floor: "sh -c :", most: 3.4, p95: 4.5 },
    { floor: "exec cat >>file", most: 1.1 },
    { floor: "shell spool hook", most: 0.6 }
  ],
  "no handler, by sh -c": [
    { floor: "sh -c :", most: 1.6, p95: 4.5 },
    { floor: "exec cat >>file", most: 1.1 },
    { floor: "shell spool hook", most: 0.6 }
  ],
  "client, left for a host": [{ floor: "sh -c :", most: 1.3 }],
  "8 of them in parallel": [{ floor: "sh -c :", most: 14 }]
}

/** Milliseconds that earlier systems set themselves, as the median of a whole process. */
export const targets: Readonly<Record<string, number>> = {
  // To have started and handed the call over.
  "client, left for a host": 5,
  // With the answer.
  "client by sh -c, 4 KB": 15,
  // Where no host is, so that whoever adds context is still answered while it is waited for.
  "entrypoint, cache warm": 100
}

const fixed = (value: number, digits = 2): string => value.toFixed(digits)

const row = (cells: readonly string[]): string =>
  cells
    .map((cell, at) => (at === 0 ? cell.padEnd(28) : cell.padStart(at > floors.length + 2 ? 0 : 11)))
    .join(" ")
    .trimEnd()

const within = (is: number, most: number, unit: string): string =>
  is <= most ? `within ${most}${unit}` : `OVER ${most}${unit}`

const verdictOf = ({ name, median, ratios, ratiosP95 }: Timed): string => {
  const target = targets[name]
  const verdicts = (budgets[name] ?? []).map(({ floor, most, p95 }) => {
    const tail = p95 === undefined ? "" : `, p95 ${within(ratiosP95[floor] ?? Number.NaN, p95, "×")}`
    return `${within(ratios[floor] ?? Number.NaN, most, "×")} ${floor}${tail}`
  })
  return [...verdicts, ...(target === undefined ? [] : [within(median, target, " ms")])].join("; ")
}

export const timeRow = (timed: Timed): string => {
  const { name, median, p95, ratios, failures } = timed
  const cells = [
    name,
    fixed(median),
    fixed(p95),
    ...floors.map((floor) => `${fixed(ratios[floor] ?? Number.NaN)}×`),
    ` ${verdictOf(timed)}`
  ]
  return `${row(cells)}${failures > 0 ? `  ${failures} runs failed` : ""}`
}

export const timeHead = row(["", "median ms", "p95 ms", ...floors.map((floor) => `× ${floor.slice(0, 9)}`)])

const least: Readonly<Record<string, number>> = {
  "log append, batches of 100": 80_000,
  "log read and decode": 300_000
}

const atLeast = (is: number, floor: number): string => (is >= floor ? `at least ${floor}` : `UNDER ${floor}`)

export const rateRow = ({ name, perSecond, facts }: Rate): string =>
  row([
    name,
    `${Math.round(perSecond / 1000)} k/s`,
    `${facts}`,
    ` ${atLeast(Math.round(perSecond), least[name] ?? 0)}`
  ])

export const lookedRow = ({ ms, mostMs, name }: Looked): string =>
  row([name, `${fixed(ms, 1)} ms`, ...(mostMs === undefined ? [] : [` ${within(ms, mostMs, " ms")}`])])

export const seenRow = ({ is, most, name, unit }: Seen): string =>
  row([name, `${fixed(is, 1)} ${unit}`, ...(most === undefined ? [] : [` ${within(is, most, ` ${unit}`)}`])])

const latest: Readonly<Record<string, { readonly p50: number; readonly p99?: number }>> = {
  "socket, no handler": { p50: 0.15 },
  "HTTP, back to back": { p50: 1, p99: 6 },
  "HTTP, 20 ms apart": { p50: 1, p99: 6 }
}

export const hostRows = ({ bare, latencies, memoryMb, throughput }: HostFigures): readonly string[] => [
  row(["", "p50 ms", "p99 ms"]),
  ...latencies.map(({ name, p50, p99 }) => {
    const most = latest[name]
    const verdict = most
      ? [
          within(p50, most.p50, " ms"),
          ...(most.p99 === undefined ? [] : [`p99 ${within(p99, most.p99, " ms")}`])
        ]
      : []
    return row([name, fixed(p50, 3), fixed(p99, 3), ` ${verdict.join(", ")}`])
  }),
  "",
  row(["connections", "calls/s", "bare server"]),
  ...throughput.map(({ connections, perSecond }) =>
    row([
      `${connections}`,
      `${Math.round(perSecond)}`,
      `${Math.round(bare.find((one) => one.connections === connections)?.perSecond ?? Number.NaN)}`,
      ...(connections === 8 ? [` ${atLeast(Math.round(perSecond), 4000)}`] : [])
    ])
  ),
  "",
  row([
    "memory, idle",
    `${Math.round(memoryMb.idle)} MB`,
    ` ${within(Math.round(memoryMb.idle), 80, " MB")}`
  ]),
  row(["memory of a handlers' process", `${Math.round(memoryMb.worker)} MB`]),
  row([
    `memory after ${memoryMb.calls}`,
    `${Math.round(memoryMb.after)} MB`,
    ` ${within(Math.round(memoryMb.after), 160, " MB")}`
  ])
]

/** Microseconds over one hook alone. */
const mostCrowd = 50

export const crowdRow = ({ alone, among, name }: Crowd): string => {
  const over = Math.round((among - alone) * 1000)
  return row([
    name,
    fixed(among, 3),
    `+${over} µs`,
    ` ${within(over, mostCrowd, " µs")} over one hook (${fixed(alone, 3)} ms)`
  ])
}
