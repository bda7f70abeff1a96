/** Where the time of a call went, as it is drawn: what each bar is can be read, and the line of the moment crosses the call's bars alone. */
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { CallDetail } from "../../src/features/inspector/contract/call.ts"
import { makeSample } from "../support/inspector/sample.ts"
import { type SampleServer, serveSample } from "../support/inspector/server.ts"
import { openBrowser, watchedPage } from "./browser.ts"

const sample = makeSample(60, Date.now())
const failure = "connect ECONNREFUSED 127.0.0.1:4318 while spans were sent"

let browser: Browser
let server: SampleServer

beforeAll(async () => {
  browser = await openBrowser()
  server = await serveSample(sample, `${import.meta.dirname}/../../dist/inspector`)
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

/** A hook that asked a program, and whose work after the reply was given up. */
const busier = (detail: CallDetail): CallDetail => ({
  ...detail,
  handlers: detail.handlers.map((handler) => ({
    ...handler,
    services: [{ service: "run", subject: "git rev-parse --abbrev-ref HEAD", ms: 1, at: detail.call.at + 1 }]
  })),
  jobs: [
    {
      job: "j-1",
      hook: "telemetry-exporter",
      state: "dead",
      attempts: 5,
      ms: 12,
      error: failure,
      failure: null,
      runs: [{ state: "running", startMs: 40, ms: 12 }]
    }
  ]
})

/** The call that was blocked last, in a page of this width. */
const blockedCall = async (width: number): Promise<Page> => {
  const { page } = await watchedPage(browser, "light", width)
  const invocation = sample.calls.findLast(({ outcome }) => outcome === "blocked")?.invocation ?? ""
  await page.route(`**/api/v1/calls/${invocation}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ json: busier((await response.json()) as CallDetail) })
  })
  await page.goto(server.address(`/call/${invocation}`))
  await page.locator(".wf").getByText("telemetry-exporter").waitFor()
  return page
}

it.each([1280, 360])("what each bar is stands there whole, at %i pixels", async (width) => {
  const page = await blockedCall(width)
  const names = await page.locator(".wf .ln > span:first-child:not(:empty)").evaluateAll((nodes) =>
    nodes.map((node) => ({
      text: (node.textContent ?? "").trim(),
      isCut: node.scrollWidth > node.clientWidth || node.scrollHeight > node.clientHeight
    }))
  )
  expect(names.map(({ text }) => text)).toContain(`telemetry-exporter dead, attempt 5: ${failure}`)
  expect(names.map(({ text }) => text)).toContain("└ run git rev-parse --abbrev-ref HEAD")
  expect(names.filter(({ isCut }) => isCut)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
  await page.context().close()
})

it.each([1280, 360])("the moment's line spans the call's own bars, at %i pixels", async (width) => {
  const page = await blockedCall(width)
  const { bars, jobs, line } = await page.locator(".wf").evaluate((waterfall) => {
    const placesOf = (nodes: Iterable<Element>) =>
      [...nodes].map((node) => {
        const { bottom, top } = node.getBoundingClientRect()
        return { bottom, top }
      })
    const lines = [...waterfall.querySelectorAll(".ln")]
    const after = lines.findIndex((one) => (one.textContent ?? "").startsWith("after the reply"))
    const barsIn = (some: readonly Element[]) =>
      placesOf(some.flatMap((one) => [...one.querySelectorAll(".bar")]))
    return {
      bars: barsIn(lines.slice(0, after)),
      jobs: barsIn(lines.slice(after)),
      line: placesOf(waterfall.querySelectorAll(".moment"))[0]
    }
  })
  if (line === undefined) throw new Error("there is no line of the moment")
  expect(jobs).toHaveLength(1)
  expect(bars.length).toBeGreaterThan(3)
  expect(line.top).toBeLessThanOrEqual(Math.min(...bars.map(({ top }) => top)))
  expect(line.bottom).toBeGreaterThanOrEqual(Math.max(...bars.map(({ bottom }) => bottom)))
  expect(line.bottom).toBeLessThan(Math.min(...jobs.map(({ top }) => top)))
  await page.context().close()
})
