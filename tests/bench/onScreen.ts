/** How soon a call is on the inspector's screen: marked calls that a guard blocks, and when a row first says so. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as pause } from "node:timers/promises"
import type { Browser } from "playwright-core"
import { quantile } from "./interleave.ts"
import type { Seen } from "./seen.ts"
import { blockedWith } from "./stage.ts"

const cli = join(import.meta.dirname, "..", "..", "dist", "cli.js")

/** What a marked call runs: the bench's guard blocks it. */
export const markedCommand = (nth: number): string => `git push --force origin mark-${nth}-`

interface Inspector {
  readonly address: URL
  readonly child: ChildProcess
}

export interface Place {
  readonly env: NodeJS.ProcessEnv
  readonly project: string
}

export const startInspector = async ({ env, project }: Place): Promise<Inspector> => {
  const child = spawn(process.execPath, [cli, "inspect"], {
    cwd: project,
    env,
    stdio: ["ignore", "pipe", "inherit"]
  })
  for await (const line of createInterface(child.stdout))
    if (URL.canParse(line)) return { address: new URL(line), child }
  throw new Error("the inspector said no address")
}

export const endInspector = async (child: ChildProcess): Promise<void> => {
  const ended = once(child, "exit")
  if (child.kill()) await ended
}

/** In the page: when a row first had these words and was over. */
const noting = `{
  window.seenAt = {}
  const note = () => {
    for (const row of document.querySelectorAll(".calls [role=option]")) {
      const mark = /mark-\\d+-/.exec(row.textContent)?.[0]
      if (mark && row.textContent.includes(${JSON.stringify(blockedWith)})) window.seenAt[mark] ??= Date.now()
    }
  }
  new MutationObserver(note).observe(document, { subtree: true, childList: true, characterData: true })
}`

interface Listed {
  readonly at: number
  readonly waitMs: number | null
  readonly subject: string
  readonly outcome: string
  readonly invocation: string
}

export interface OnScreen {
  /** Milliseconds from a call's end, as the log dates it, to the row that has it as over; the frame that paints it comes next. */
  readonly afterEnd: readonly number[]
  /** The same from when its end was on the log, where whoever reads finds it. */
  readonly afterLogged: readonly number[]
}

/** What is not on screen by then never will be. */
const lateMs = 10_000

/** Marked calls, each blocked once, while a page watches; a host is there. */
export const onScreen = async (
  browser: Browser,
  place: Place,
  calls: number,
  make: () => Promise<void>
): Promise<OnScreen> => {
  const { address, child } = await startInspector(place)
  const headers = { authorization: `Bearer ${address.hash.slice("#token=".length)}` }
  const get = async <A>(path: string): Promise<A> => {
    const answer = await fetch(`${address.origin}/api/v1/${path}`, { headers })
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    return (await answer.json()) as A
  }
  const loggedAt = async (invocation: string): Promise<number> => {
    const { facts } = await get<{ facts: readonly { position: number }[] }>(
      `facts?type=EXITED&stream=invocation/${invocation}`
    )
    return (await get<{ recordedAt: number }>(`facts/${facts[0]?.position}`)).recordedAt
  }
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    const opened = await context.newPage()
    await opened.addInitScript(noting)
    await opened.goto(`${address.origin}/live?show=all${address.hash}`)
    await opened.getByText("Host ready").first().waitFor()
    await make()
    const seen = async () => (await opened.evaluate("window.seenAt")) as Readonly<Record<string, number>>
    const until = Date.now() + lateMs
    // The page lets nobody ask it in code of its own again and again.
    while (Object.keys(await seen()).length < calls && Date.now() < until) await pause(50)
    const seenAt = await seen()
    await context.close()
    const { calls: listed } = await get<{ calls: readonly Listed[] }>("calls?show=blocked&limit=500")
    const blocked = new Map(
      listed
        .filter(({ outcome }) => outcome === "blocked")
        .map((one) => [/mark-\d+-/.exec(one.subject)?.[0], one])
    )
    const afterEnd: number[] = []
    const afterLogged: number[] = []
    for (const [mark, at] of Object.entries(seenAt)) {
      const one = blocked.get(mark)
      if (one === undefined) continue
      afterEnd.push(at - (one.at + (one.waitMs ?? 0)))
      afterLogged.push(at - (await loggedAt(one.invocation)))
    }
    if (afterEnd.length !== calls) throw new Error(`${afterEnd.length} of ${calls} calls were found again`)
    return { afterEnd, afterLogged }
  } finally {
    await endInspector(child)
  }
}

export const seenMs = 100
/** What is wanted is counted from the log on; what an agent's human sees, from the end of the call. */
export const onScreenRows = (whose: string, { afterEnd, afterLogged }: OnScreen): readonly Seen[] => [
  { name: `${whose}on screen after its end, p50`, is: quantile(afterEnd, 0.5), unit: "ms" },
  { name: `${whose}the latest of ${afterEnd.length}, after its end`, is: quantile(afterEnd, 1), unit: "ms" },
  { name: `${whose}after it was on the log, p50`, is: quantile(afterLogged, 0.5), unit: "ms" },
  {
    name: `${whose}the latest of ${afterLogged.length}, after it was on the log`,
    is: quantile(afterLogged, 1),
    unit: "ms",
    most: seenMs
  }
]
