/** The inspector's page in a browser, on a made-up log: each view, keys, accessibility, long lists, what it may ask for. */
import { request } from "node:http"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeSample } from "../support/inspector/sample.ts"
import { type SampleServer, sampleToken, serveSample } from "../support/inspector/server.ts"
import { axeFindings, openBrowser, watchedPage } from "./browser.ts"

const dist = join(import.meta.dirname, "..", "..", "dist", "inspector")
const sample = makeSample(600, Date.now())
const newestOf = (outcome: string) => {
  const call = sample.calls.findLast((one) => one.outcome === outcome)
  if (call === undefined) throw new Error(`the sample has no call that ${outcome}`)
  return call
}
const blocked = newestOf("blocked")
const failed = newestOf("failed")
const session = blocked.session ?? ""

/** A view, and words that stand in it, below its title, once it is there. */
const views: readonly (readonly [string, string, string])[] = [
  ["Live", "/live", "What delayed the agents here"],
  ["Call, blocked", `/call/${blocked.invocation}`, "Where the time went"],
  ["Call, failed", `/call/${failed.invocation}`, "collect-failures.ts:14:21"],
  ["Sessions", "/session", "blocked"],
  ["Session", `/session/${session}`, "What each hook cost"],
  ["Actors", "/actors?actor=job%2F703cee30", "connect ECONNREFUSED"],
  ["Log", "/log?p=8", "Caused by"],
  ["What-if", `/whatif/${blocked.invocation}`, "Nothing is delivered or recorded"],
  ["Hooks", "/hooks?hook=guard-destructive", "costs the agents most"],
  ["Chains", "/chains?sel=chain-1", "shown by evidence"],
  ["Metrics", "/metrics", "9 of 11 first checks"],
  ["Jobs", "/jobs", "failed for good"],
  ["Health", "/health", "need"]
]

let browser: Browser
let server: SampleServer

beforeAll(async () => {
  browser = await openBrowser()
  server = await serveSample(sample, dist)
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

const shows = (page: Page, text: string) => page.getByText(text).first().waitFor()

describe.each([
  ["light", 1440],
  ["dark", 1440],
  ["light", 360],
  ["dark", 360]
] as const)("%s at %i pixels", (theme, width) => {
  it.each(views)(
    "%s is there, asks nobody else, and has nothing against it from axe",
    async (_, path, text) => {
      const { asked, page, wrong } = await watchedPage(browser, theme, width)
      await page.goto(server.address(path))
      await page.locator(".view").getByText(text).first().waitFor()
      expect(await axeFindings(page)).toEqual([])
      expect(wrong).toEqual([])
      expect(asked.filter((url) => !url.startsWith(server.origin) && !url.startsWith("data:"))).toEqual([])
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true)
      await page.context().close()
    }
  )
})

describe("the token", () => {
  it("is taken off the address and kept for the tab", async () => {
    const { page } = await watchedPage(browser)
    await page.goto(server.address("/live?show=blocked"))
    await shows(page, "guard-destructive blocked it")
    expect(page.url()).toBe(`${server.origin}/live?show=blocked`)
    await page.reload()
    await shows(page, "guard-destructive blocked it")
    await page.context().close()
  })

  it("missing, the page says what to run and asks for nothing", async () => {
    const { asked, page } = await watchedPage(browser)
    await page.goto(`${server.origin}/live`)
    await shows(page, "hooktape inspect")
    expect(asked.filter((url) => url.includes("/api/"))).toEqual([])
    await page.context().close()
  })

  it("is not enough for another Host", async () => {
    const status = await new Promise<number | undefined>((done, fail) => {
      const headers = { host: "hooks.example", authorization: `Bearer ${sampleToken}` }
      request(`${server.origin}/api/v1/status`, { headers }, (response) => {
        response.resume()
        done(response.statusCode)
      })
        .on("error", fail)
        .end()
    })
    expect(status).toBe(403)
  })
})

/** In the page: presses keys as soon as there is such an element, each in a turn of its own, without a frame between. */
const pressedAt = (selector: string, keys: readonly string[]): string => `{
  const press = (at) => {
    const key = ${JSON.stringify(keys)}[at]
    if (key === undefined) return
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }))
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => press(at + 1)
    port2.postMessage(null)
  }
  const watch = new MutationObserver(() => {
    if (document.querySelector(${JSON.stringify(selector)}) === null) return
    watch.disconnect()
    press(0)
  })
  watch.observe(document, { childList: true, subtree: true })
}`

describe("keys alone", () => {
  it("find a call, open it, step through its facts, and come back", async () => {
    const { page } = await watchedPage(browser)
    await page.goto(server.address("/live"))
    await shows(page, "guard-destructive blocked it")
    await page.keyboard.press("j")
    await page.waitForURL(/sel=/)
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/call\//)
    await shows(page, "Where the time went")
    await page.keyboard.press("ArrowLeft")
    await page.waitForURL(/fact=/)
    const before = new URL(page.url()).searchParams.get("fact")
    await page.keyboard.press("ArrowRight")
    await page.waitForURL((url) => url.searchParams.get("fact") !== before)
    await page.keyboard.press("Escape")
    await page.waitForURL(/\/live/)
    await page.keyboard.press("4")
    await page.waitForURL(/\/log/)
    await page.keyboard.press("/")
    await page.keyboard.type("push --force")
    await page.getByRole("listbox", { name: "Found" }).getByRole("option").first().waitFor()
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/call\//)
    await page.context().close()
  })

  it("count from the moment that a row is in the document, one after the other", async () => {
    const { page } = await watchedPage(browser)
    await page.addInitScript(pressedAt(".calls .rows [role=option]", ["j", "Enter"]))
    await page.goto(server.address("/live"))
    await page.waitForURL(/\/call\//)
    await page.context().close()
  })

  it("search: Enter before the answer is there goes to what it finds", async () => {
    const { page } = await watchedPage(browser)
    let answer: () => void = () => {}
    const held = new Promise<void>((done) => {
      answer = done
    })
    await page.route(/\/api\/v1\/search/, async (route) => {
      await held
      await route.continue()
    })
    await page.goto(server.address("/log"))
    await page.getByRole("option").first().waitFor()
    await page.keyboard.press("/")
    await page.keyboard.type("push --force")
    await page.keyboard.press("Enter")
    answer()
    await page.waitForURL(/\/call\//)
    await page.context().close()
  })

  it("ask before anything is run again", async () => {
    const { asked, page } = await watchedPage(browser)
    await page.goto(server.address(`/whatif/${blocked.invocation}`))
    await page.getByRole("button", { name: "Run again…" }).click()
    await page.getByRole("dialog").waitFor()
    await page.getByRole("button", { name: "No" }).click()
    const posted = () => asked.filter((url) => url.endsWith("/whatif")).length
    const before = posted()
    await page.getByRole("button", { name: "Run again…" }).click()
    await page.getByRole("button", { name: "Run it" }).click()
    await shows(page, "First difference")
    expect(posted()).toBe(before + 1)
    await page.context().close()
  })
})

it("a host that stopped is named, and the page goes on where it was when one is back", async () => {
  let other = await serveSample(sample, dist)
  const port = Number(new URL(other.origin).port)
  const { page } = await watchedPage(browser)
  await page.goto(other.address("/live"))
  await shows(page, "Host ready")
  await other.close()
  await shows(page, "The inspector stopped at")
  other = await serveSample({ ...sample, positions: sample.positions + 12 }, dist, port)
  await shows(page, "12 facts came meanwhile.")
  await other.close()
  await page.context().close()
})

/** In the page: how many animation frames pass from the read that brings `words` until they are in the document. */
const framesUntil = (words: string): string => `{
  const { read } = ReadableStreamDefaultReader.prototype
  window.framesPassed = new Promise((done) => {
    ReadableStreamDefaultReader.prototype.read = function () {
      return read.call(this).then((part) => {
        if (part.value && new TextDecoder().decode(part.value).includes(${JSON.stringify(words)})) {
          let frames = 0
          const look = () => {
            if (frames > 100 || document.querySelector(".calls").textContent.includes(${JSON.stringify(words)})) done(frames)
            else requestAnimationFrame(() => { frames++; look() })
          }
          look()
        }
        return part
      })
    }
  })
}`

it("a call that comes is on screen two frames after the stream told of it", async () => {
  const { page } = await watchedPage(browser)
  await page.addInitScript(framesUntil("echo just now"))
  await page.goto(server.address("/live?show=all"))
  await shows(page, "Host ready")
  await page.getByRole("option").first().waitFor()
  server.tell([
    {
      ...blocked,
      invocation: "0198c0de-0000-7000-8000-ffffffffffff",
      position: sample.positions + 7,
      subject: "echo just now"
    }
  ])
  expect(await page.evaluate("window.framesPassed")).toBeLessThanOrEqual(2)
  await shows(page, "echo just now")
  await page.context().close()
})

describe("100,000 calls", () => {
  it("are scrolled with at most 60 rows in the document, and little work a frame", async () => {
    const long = await serveSample(makeSample(100_000, Date.now(), 86_400_000), dist)
    const { page } = await watchedPage(browser)
    await page.goto(long.address("/live?show=all"))
    await page.getByRole("option").first().waitFor()
    const client = await page.context().newCDPSession(page)
    await client.send("Performance.enable")
    const workOf = async () => {
      const { metrics } = await client.send("Performance.getMetrics")
      const of = (name: string) => metrics.find((one) => one.name === name)?.value ?? 0
      return of("ScriptDuration") + of("LayoutDuration") + of("RecalcStyleDuration")
    }
    const before = await workOf()
    const frames = (await page.evaluate(`(async () => {
      const box = document.querySelector(".calls .rows")
      let most = 0
      let frames = 0
      for (let at = 0; at < 240; at++) {
        box.scrollTop = (box.scrollHeight * at) / 240
        await new Promise(requestAnimationFrame)
        frames++
        most = Math.max(most, box.querySelectorAll("[role=option]").length)
      }
      return { frames, most }
    })()`)) as { frames: number; most: number }
    const perFrame = ((await workOf()) - before) / frames.frames
    console.log(
      `100,000 calls: ${(perFrame * 1000).toFixed(2)} ms of script, style and layout a frame, ${frames.most} rows`
    )
    expect(frames.most).toBeLessThanOrEqual(60)
    expect(perFrame * 1000).toBeLessThanOrEqual(8)
    await page.context().close()
    await long.close()
  })

  it("are asked for where somebody rests, and not on the way there", async () => {
    const long = await serveSample(makeSample(100_000, Date.now(), 86_400_000), dist)
    const { asked, page } = await watchedPage(browser)
    await page.clock.install()
    await page.goto(long.address("/live?show=all"))
    await page.getByRole("option").first().waitFor()
    await page.clock.pauseAt(new Date(Date.now() + 60_000))
    const pages = () => asked.filter((url) => /\/calls\?.*offset=[1-9]/.test(url))
    const ghost = page.locator(".calls .ghost").first()
    for (const row of [20_000, 40_000, 60_000, 80_000]) {
      await page.evaluate(`document.querySelector(".calls .rows").scrollTop = ${row * 50}`)
      await page.locator(`#Calls-${row}`).waitFor()
      await page.clock.runFor(40)
    }
    expect(pages()).toEqual([])
    await page.clock.runFor(200)
    await ghost.waitFor({ state: "detached" })
    expect(pages().length).toBeGreaterThan(0)
    await page.context().close()
    await long.close()
  })
})
