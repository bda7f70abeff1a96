/** What a call costs with this build and with an earlier one, in one run: short turns of each, so that both meet the same machine. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { commands } from "./commands.ts"
import { takeHostAway } from "./host.ts"
import { type Candidate, interleave, median } from "./interleave.ts"
import { makeStage, type Stage } from "./stage.ts"

/** One command: how many times the earlier build's time today's takes, and what both take, in milliseconds. */
export interface Against {
  readonly name: string
  readonly before: number
  readonly now: number
  readonly ratio: number
}

/** Slower than this by more than chance: what a change may not cost. */
export const mostSlower = 1.05

interface Kind {
  readonly bytes: number
  readonly padding?: "code"
  readonly off?: boolean
  /** Nothing is in the host's place, so that each call finds none. */
  readonly bare?: boolean
  readonly pick: (named: ReturnType<typeof commands>) => readonly Candidate[]
}

const sized = (bytes: number, padding?: "code"): Kind => ({
  bytes,
  ...(padding === undefined ? {} : { padding }),
  pick: ({ client }) =>
    client
      .filter(({ name }) => name === "client and host" || name === "the same by sh -c")
      .map((one) => ({ ...one, name: `${one.name}, ${bytes / 1024} KB${padding ? ` of ${padding}` : ""}` }))
})

const kinds: readonly Kind[] = [
  { bytes: 4096, off: true, pick: ({ warm }) => warm.slice(-2) },
  { bytes: 4096, off: true, pick: ({ cold }) => cold.slice(-1) },
  sized(1024),
  sized(4096),
  sized(100 * 1024),
  // What agents write and read: redaction looks at it closer than at words.
  sized(4096, "code"),
  sized(100 * 1024, "code"),
  {
    bytes: 4096,
    pick: ({ client }) => client.filter(({ name }) => /^(no handler|8 of them)/.test(name))
  },
  { bytes: 4096, bare: true, pick: ({ spool }) => spool.slice(-1) }
]

const perTurn = 4

const turn = (stage: Stage, { bytes, off, padding, pick }: Kind) =>
  interleave(pick(commands(stage)), {
    runner: join(import.meta.dirname, "runner.c"),
    rounds: perTurn,
    warmup: 1,
    payload: stage.payload(bytes, padding),
    floors: [],
    env: off ? { ...stage.env, HOOKTAPE_HOST: "off" } : stage.env,
    cwd: stage.project
  })

/** With a host that has begun where one may be, and none where none may. What is returned leaves it as it was. */
const ready = (stage: Stage, { bare, off }: Kind, root: string): (() => void) => {
  const host = (word: "start" | "stop") =>
    void spawnSync(process.execPath, [join(root, "dist", "cli.js"), "host", word], {
      env: stage.env,
      cwd: stage.project
    })
  host("stop")
  const putBack = bare ? takeHostAway(stage) : undefined
  if (!off && !bare) host("start")
  return () => {
    host("stop")
    putBack?.()
  }
}

/** `root`: the checkout of the earlier version, built. */
export const measureAgainst = (root: string, rounds: number): readonly Against[] => {
  const here = join(import.meta.dirname, "..", "..")
  const sides = [
    { root, stage: makeStage(undefined, root) },
    { root: here, stage: makeStage(undefined, here) }
  ] as const
  const found = kinds.flatMap((kind) => {
    const done = sides.map((side) => ready(side.stage, kind, side.root))
    const names = kind.pick(commands(sides[0].stage)).map(({ name }) => name)
    const turns = Array.from({ length: Math.ceil(rounds / perTurn) }, (_, nth) => {
      // Whoever comes second finds the machine as the first left it: each does so half of the time.
      const [first, second] = nth % 2 === 0 ? sides : [sides[1], sides[0]]
      const timed = new Map([first, second].map((side) => [side.root, turn(side.stage, kind)]))
      return { before: timed.get(root) ?? [], now: timed.get(here) ?? [] }
    })
    for (const end of done) end()
    return names.map((name, at): Against => {
      const of = (side: "before" | "now") => turns.map((one) => one[side][at]?.median ?? Number.NaN)
      const [before, now] = [of("before"), of("now")]
      return {
        name,
        before: median(before),
        now: median(now),
        ratio: median(now.map((ms, nth) => ms / (before[nth] ?? Number.NaN)))
      }
    })
  })
  for (const { stage } of sides) stage.remove()
  return found
}

export const againstRow = ({ before, name, now, ratio }: Against): string =>
  `${name.padEnd(32)} ${before.toFixed(2).padStart(9)} ms ${now.toFixed(2).padStart(9)} ms ${ratio.toFixed(2).padStart(6)} × ${ratio <= mostSlower ? "" : `OVER ${mostSlower}`}`.trimEnd()
