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
