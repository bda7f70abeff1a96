/** How the page looks where it is measured: on a made-up log, in a real browser, and in its style sheets. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { makeSample } from "../support/inspector/sample.ts"
import { type SampleServer, serveSample } from "../support/inspector/server.ts"
import { openBrowser, watchedPage } from "./browser.ts"

const root = join(import.meta.dirname, "..", "..")
const styles = join(root, "src", "programs", "inspector", "styles")
const sample = makeSample(600, Date.now())

let browser: Browser
let server: SampleServer

beforeAll(async () => {
  browser = await openBrowser()
  server = await serveSample(sample, join(root, "dist", "inspector"))
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

it("a class that lays out columns is of one thing", () => {
  const rules = readdirSync(styles).flatMap((name) => [
    ...readFileSync(join(styles, name), "utf8")
      .replaceAll(/\/\*.*?\*\//gs, "")
      .matchAll(/([^{}]+)\{([^{}]*)\}/g)
  ])
  const selectors = (named: string): readonly string[] => named.split(",").map((one) => one.trim())
  const columns = rules
    .filter(([, , body = ""]) => body.includes("grid-template-columns"))
    .flatMap(([, named = ""]) => selectors(named))
    .filter((selector) => /^\.[\w-]+$/.test(selector))
  expect(columns.length).toBeGreaterThan(10)
  const alsoOfOthers = rules
    .flatMap(([, named = ""]) => selectors(named))
    .filter((selector) =>
      columns.some((one) => selector !== one && new RegExp(`[\\w\\]] *\\${one}$`).test(selector))
    )
  expect(alsoOfOthers).toEqual([])
})

it("the line that threw stands in its column, with its number", async () => {
  const { page } = await watchedPage(browser)
  const failed = sample.calls.findLast(({ outcome }) => outcome === "failed")
  await page.goto(server.address(`/call/${failed?.invocation}`))
  await page.locator(".src").waitFor()
  const lines = await page.locator(".src").evaluate((node) => {
    const spans = [...node.children].map((cell) => {
      const text = document.createRange()
      text.selectNodeContents(cell)
      const { left, right } = text.getBoundingClientRect()
      return { left, right, end: cell.getBoundingClientRect().right }
    })
    return { numbers: spans.filter((_, at) => at % 2 === 0), code: spans.filter((_, at) => at % 2 === 1) }
  })
  expect(lines.code.length).toBe(5)
  expect(new Set(lines.code.map(({ left }) => Math.round(left))).size).toBe(1)
  expect(new Set(lines.numbers.map(({ right }) => Math.round(right))).size).toBe(1)
  for (const { end, right } of lines.numbers) expect(right).toBeLessThanOrEqual(end)
  await page.context().close()
})

it("a hook's name is whole on at most two lines of a small screen, and is broken between words", async () => {
  const { page } = await watchedPage(browser, "light", 360)
  await page.goto(server.address("/hooks"))
  await page.locator(".ht .name").first().waitFor()
  const names = await page.locator(".ht .name").evaluateAll((nodes) =>
    nodes.map((node) => {
      const text = document.createRange()
      text.selectNodeContents(node)
      const lines = new Set([...text.getClientRects()].map(({ top }) => Math.round(top)))
      const { height } = (node.closest("tr") as Element).getBoundingClientRect()
      return { name: node.textContent ?? "", lines: lines.size, height, broken: brokenIn(node) }
      /** Parts of the name that lie on two lines. */
      function brokenIn(one: Element): readonly string[] {
        const words = [...(one.textContent ?? "").matchAll(/[^-]+-?/g)]
        return words
          .filter(([word = ""], at) => {
            const start = words.slice(0, at).reduce((sum, [before = ""]) => sum + before.length, 0)
            const range = document.createRange()
            range.setStart(one.firstChild as Node, start)
            range.setEnd(one.firstChild as Node, start + word.length)
            return range.getClientRects().length > 1
          })
          .map(([word = ""]) => word)
      }
    })
  )
  expect(names.map(({ name }) => name)).toContain("guard-destructive")
  for (const { broken, height, lines, name } of names) {
    expect([name, broken]).toEqual([name, []])
    expect(lines).toBeLessThanOrEqual(2)
    expect(height).toBeLessThan(70)
  }
  await page.context().close()
})

it("a lane of a small screen has the whole of its session's name", async () => {
  const { page } = await watchedPage(browser, "light", 360)
  await page.goto(server.address("/live"))
  await page.locator(".lname b").first().waitFor()
  const cut = await page
    .locator(".lname .ell")
    .evaluateAll((nodes) =>
      nodes.filter((node) => node.scrollWidth > node.clientWidth).map((node) => node.textContent)
    )
  expect(cut).toEqual([])
  await page.context().close()
})

it("a tool call that began before the window has its name where it is seen", async () => {
  const { page } = await watchedPage(browser)
  const tool = sample.tools.find(
    ({ name, subject, to, from }) => name === "Bash" && subject === "git status" && (to ?? 0) - from > 400
  )
  if (tool === undefined) throw new Error("the sample has no such tool call")
  await page.addInitScript(`{
    window.written = []
    const { fillText } = CanvasRenderingContext2D.prototype
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
      window.written.push([text, x])
      return fillText.call(this, text, x, y)
    }
  }`)
  const middle = Math.round((tool.from + (tool.to ?? 0)) / 2)
  await page.goto(server.address(`/live?from=${middle}&to=${tool.to}&session=${tool.session}`))
  await page.waitForFunction(
    "window.written.length > 0 && window.written.some(([text]) => text.startsWith('git status'))"
  )
  const [, x] = (await page.evaluate("window.written.find(([text]) => text.startsWith('git status'))")) as [
    string,
    number
  ]
  const names = await page.locator(".lname").first().boundingBox()
  expect(x).toBeGreaterThanOrEqual(names?.width ?? Number.POSITIVE_INFINITY)
  await page.context().close()
})

it("an empty list is told apart from an empty log, whatever it is filtered by", async () => {
  const { page } = await watchedPage(browser)
  await page.goto(server.address("/live?show=blocked&session=none-such"))
  const empty = page.locator(".calls .empty")
  await empty.waitFor()
  expect(await empty.textContent()).toContain(
    `${sample.calls.length} calls are on the log. The filter “Blocked” in session such leaves none.`
  )
  await page.getByText(`0 of ${sample.calls.length}`).waitFor()
  await page.goto(server.address(`/live?text=no-such-words&session=${sample.calls[0]?.session}`))
  await empty.waitFor()
  expect(await empty.textContent()).toContain(`${sample.calls.length} calls are on the log. “no-such-words”`)
  await page.context().close()
})

it.each([
  [[], "hooktape install"],
  [["codex"], "Hooks are registered for 1 agent: start one here."]
] as const)(
  "an empty log with %j registered says what to do, in lists and where one call would be",
  async (agents, words) => {
    const { page } = await watchedPage(browser)
    await page.route(/\/api\/v1\/(status|stream|calls)/, async (route) => {
      const { pathname } = new URL(route.request().url())
      if (pathname.endsWith("/calls"))
        return route.fulfill({ json: { total: 0, upTo: 0, offset: 0, calls: [], folds: [], all: 0 } })
      const response = await route.fetch({ url: `${server.origin}/api/v1/status` })
      const status = { ...(await response.json()), agents, calls: 0 }
      if (pathname.endsWith("/status")) return route.fulfill({ json: status })
      return route.fulfill({
        contentType: "text/event-stream",
        body: `event: hello\ndata: ${JSON.stringify({ position: 0, missed: 0, status })}\n\n`
      })
    })
    for (const path of ["/live", "/call"]) {
      await page.goto(server.address(path))
      await page.locator(".empty", { hasText: "No call yet." }).getByText(words).waitFor()
    }
    // The page asks again and again: an answer that is underway is nobody's by then.
    await page.unrouteAll({ behavior: "ignoreErrors" })
    await page.context().close()
  }
)

it.each([1440, 360])("why a call was blocked or failed is read in its row, at %i pixels", async (width) => {
  const { page } = await watchedPage(browser, "light", width)
  for (const show of ["blocked", "trouble", "effect"]) {
    await page.goto(server.address(`/live?show=${show}`))
    await page.locator(".calls .reason").first().waitFor()
    const rows = await page.locator(".calls .reasoned").evaluateAll((nodes) =>
      nodes.map((node) => {
        const reason = node.querySelector(".reason") as HTMLElement
        const box = node.getBoundingClientRect()
        return {
          text: reason.textContent ?? "",
          shown: reason.clientHeight,
          whole: reason.scrollHeight,
          fits: [...node.querySelectorAll(".reason, .how, .what")].every((part) => {
            const { bottom, top } = part.getBoundingClientRect()
            return top >= box.top && bottom <= box.bottom
          })
        }
      })
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const { fits, shown, text, whole } of rows) {
      expect(fits).toBe(true)
      expect(shown).toBeGreaterThanOrEqual(17)
      // Of what is longer than two lines, two lines are read.
      if (text.length <= 80) expect(whole).toBeLessThanOrEqual(shown)
      else expect(shown).toBeGreaterThanOrEqual(34)
    }
  }
  await page.context().close()
})

it("rows stand below each other where some are taller, also after a walk through them by keys", async () => {
  const { page } = await watchedPage(browser)
  await page.goto(server.address("/live?show=effect"))
  await page.locator(".calls .reason").first().waitFor()
  for (let step = 0; step < 40; step++) await page.keyboard.press("j")
  await page.locator("#Calls-39[aria-selected=true]").waitFor()
  const seen = await page.locator(".calls .rows").evaluate((box) => {
    const { bottom, top } = box.getBoundingClientRect()
    const rows = [...box.querySelectorAll("[role=option]")]
      .map((row) => row.getBoundingClientRect())
      .sort((a, b) => a.top - b.top)
    const chosen = box.querySelector("[aria-selected=true]")?.getBoundingClientRect()
    return {
      gaps: rows.slice(1).filter((row, at) => Math.abs(row.top - (rows[at]?.bottom ?? 0)) > 1).length,
      isChosenInSight: chosen !== undefined && chosen.top >= top - 1 && chosen.bottom <= bottom + 1
    }
  })
  expect(seen).toEqual({ gaps: 0, isChosenInSight: true })
  await page.context().close()
})

it("a page of rows begins where the one before ended, where some are taller", async () => {
  const { page } = await watchedPage(browser)
  await page.goto(server.address("/live?show=blocked"))
  await page.locator(".calls .reason").first().waitFor()
  const inSight = () =>
    page.locator(".calls .rows").evaluate((box) => {
      const { bottom, top } = box.getBoundingClientRect()
      return [...box.querySelectorAll("[role=option]")]
        .filter((row) => {
          const place = row.getBoundingClientRect()
          return place.top >= top - 1 && place.bottom <= bottom + 1
        })
        .map((row) => Number(row.id.split("-").at(-1)))
        .sort((a, b) => a - b)
    })
  await page.locator(".calls .rows").focus()
  await page.keyboard.press("ArrowDown")
  await page.locator("#Calls-0[aria-selected=true]").waitFor()
  for (const key of ["PageDown", "PageDown", "PageDown", "PageUp", "PageUp"]) {
    const before = await inSight()
    const chosen = await page.locator(".calls [aria-selected=true]").getAttribute("id")
    await page.keyboard.press(key)
    await page.waitForFunction(
      (was) => document.querySelector(".calls [aria-selected=true]")?.id !== was,
      chosen
    )
    const after = await inSight()
    if (key === "PageDown") expect(after[0]).toBeLessThanOrEqual((before.at(-1) ?? 0) + 1)
    else expect(after.at(-1)).toBeGreaterThanOrEqual((before[0] ?? 0) - 1)
  }
  await page.context().close()
})

it.each([1440, 360])("what differs stands under its own heading, at %i pixels", async (width) => {
  const { page } = await watchedPage(browser, "light", width)
  const blocked = sample.calls.findLast(({ outcome }) => outcome === "blocked")
  await page.goto(server.address(`/whatif/${blocked?.invocation}`))
  await page.getByRole("button", { name: "Run again…" }).click()
  await page.getByRole("button", { name: "Run it" }).click()
  await page.locator(".first .pairrow").waitFor()
  const seen = await page.evaluate(() => ({
    widths: [...document.querySelectorAll(".first .pairrow > *")].map((one) =>
      Math.round(one.getBoundingClientRect().width)
    ),
    sideways: document.documentElement.scrollWidth - window.innerWidth
  }))
  expect(seen.widths).toHaveLength(2)
  expect(seen.widths[0]).toBe(seen.widths[1])
  expect(seen.sideways).toBe(0)
  await page.context().close()
})
