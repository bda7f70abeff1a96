/** What the inspector's page weighs, how soon it is painted, what a frame of a long list costs, and how soon a call is on screen. */
import { spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { gzipSync } from "node:zlib"
import type { Browser, CDPSession, Page } from "playwright-core"
import { browserProgram, openBrowser } from "../inspector/browser.ts"
import { firstView } from "../support/inspector/firstView.ts"
import { makeSample } from "../support/inspector/sample.ts"
import { serveSample } from "../support/inspector/server.ts"
import { startHost } from "./host.ts"
import { quantile } from "./interleave.ts"
import { markedCommand, onScreen, onScreenRows } from "./onScreen.ts"
import { besideReaders } from "./readers.ts"
import type { Seen } from "./seen.ts"
import { makeStage, type Stage } from "./stage.ts"

const root = join(import.meta.dirname, "..", "..")
const page = join(root, "dist", "inspector")
const longList = 100_000

const packed = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + gzipSync(readFileSync(join(page, name))).length, 0) / 1000

/** As it travels. */
const weights = (): readonly Seen[] => [
  { name: "page, packed", is: packed(readdirSync(page)), unit: "kB", most: 120 },
  { name: "its first view", is: packed(firstView(page)), unit: "kB", most: 80 }
]

const loads = 9
const paintMs = 300
/** From asking for the document to the first words, and to the first rows, each time in a new window with nothing kept. */
const paints = async (browser: Browser, address: string): Promise<readonly Seen[]> => {
  const words: number[] = []
  const rows: number[] = []
  for (let load = 0; load < loads; load++) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    const opened = await context.newPage()
    await opened.goto(address)
    await opened.getByRole("option").first().waitFor()
    rows.push(Number(await opened.evaluate("performance.now()")))
    const painted = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
    words.push(Number(await opened.evaluate(painted)))
    await context.close()
  }
  return [
    { name: `first paint, median of ${loads}`, is: quantile(words, 0.5), unit: "ms", most: paintMs },
    { name: "first rows", is: quantile(rows, 0.5), unit: "ms" }
  ]
}

const scrolls = 240
const workMs = 8
const slowMs = 33

const workOf = async (client: CDPSession): Promise<number> => {
  const { metrics } = await client.send("Performance.getMetrics")
  const of = (name: string) => metrics.find((one) => one.name === name)?.value ?? 0
  return 1000 * (of("ScriptDuration") + of("LayoutDuration") + of("RecalcStyleDuration"))
}

/** In the page: a frame that scrolls to this part of the whole, until it is drawn. */
const scrolledTo = (part: number): string => `new Promise((done) => {
  const box = document.querySelector(".calls .rows")
  box.scrollTop = box.scrollHeight * ${part}
  requestAnimationFrame(() => requestAnimationFrame(done))
})`

/** In the page: how many of so many frames in a row took longer than two turns of the screen. */
const slowFrames = (scroll: boolean): string => `(async () => {
  const box = ${scroll ? `document.querySelector(".calls .rows")` : "undefined"}
  let slow = 0
  let last = await new Promise(requestAnimationFrame)
  for (let at = 0; at < ${scrolls}; at++) {
    if (box) box.scrollTop = (box.scrollHeight * at) / ${scrolls}
    const now = await new Promise(requestAnimationFrame)
    if (now - last > ${slowMs}) slow++
    last = now
  }
  return slow
})()`

const scrolled = async (opened: Page, empty: Page): Promise<readonly Seen[]> => {
  await opened.getByRole("option").first().waitFor()
  const client = await opened.context().newCDPSession(opened)
  await client.send("Performance.enable")
  const works: number[] = []
  for (let at = 0; at < scrolls; at++) {
    const before = await workOf(client)
    await opened.evaluate(scrolledTo(at / scrolls))
    works.push((await workOf(client)) - before)
  }
  await empty.bringToFront()
  const among = Number(await empty.evaluate(slowFrames(false)))
  await opened.bringToFront()
  const slow = Number(await opened.evaluate(slowFrames(true)))
  return [
    { name: "script and layout, p99", is: quantile(works, 0.99), unit: "ms", most: workMs },
    { name: `over ${slowMs} ms, empty page`, is: among, unit: "frames" },
    { name: `over ${slowMs} ms, scrolled`, is: slow, unit: "frames", most: among }
  ]
}

const calls = 40
/** Between calls an agent thinks. */
const gapMs = 150

const call = ({ env, project, state }: Stage, nth: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(join(state, "bin", "hook"), ["claude-code", "PreToolUse"], {
      cwd: project,
      env,
      stdio: ["pipe", "ignore", "ignore"]
    })
    child.once("error", reject)
    child.once("close", () => resolve())
    child.stdin.end(
      JSON.stringify({
        session_id: "s-1",
        transcript_path: "",
        cwd: project,
        hook_event_name: "PreToolUse",
        tool_name: "Bash",
        tool_use_id: `mark-${nth}`,
        tool_input: { command: markedCommand(nth) }
      })
    )
  })

const latencies = async (browser: Browser): Promise<readonly Seen[]> => {
  const stage = makeStage()
  const host = await startHost(stage)
  try {
    const times = await onScreen(browser, stage, calls, async () => {
      for (let nth = 0; nth < calls; nth++) {
        await call(stage, nth)
        await pause(gapMs)
      }
    })
    const beside = await besideReaders(stage, () => call(stage, 0))
    return [...onScreenRows("", times), ...beside]
  } finally {
    await host.stop()
    stage.remove()
  }
}

export const measureInspector = async (): Promise<readonly Seen[]> => {
  if (!existsSync(browserProgram)) throw new Error(`inspector: there is no ${browserProgram}`)
  const browser = await openBrowser()
  const long = await serveSample(makeSample(longList, Date.now(), 86_400_000), page)
  try {
    const address = long.address("/live?show=all")
    const painted = await paints(browser, address)
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    const empty = await context.newPage()
    const opened = await context.newPage()
    await opened.goto(address)
    const frames = await scrolled(opened, empty)
    await context.close()
    return [...weights(), ...painted, ...frames, ...(await latencies(browser))]
  } finally {
    await browser.close()
    await long.close()
  }
}
