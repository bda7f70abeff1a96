/** The page on a real log, served by `hooktape inspect`: what was recorded is what is seen, and what comes is seen as it comes. */
import type { Browser } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { bash } from "../support/entrypoint.ts"
import { giveUp } from "../support/inspector/giveUp.ts"
import { type Inspected, inspected, recordedStation } from "../support/inspector/inspected.ts"
import { axeFindings, openBrowser, watchedPage } from "./browser.ts"

let browser: Browser
let served: Inspected

/** The newest call that was blocked, or failed. */
const newest = async (show: "blocked" | "failed"): Promise<string> => {
  const answer = await fetch(`${served.origin}/api/v1/calls?show=${show}`, {
    headers: { authorization: `Bearer ${served.token}` }
  })
  const { calls } = (await answer.json()) as { calls: readonly { invocation: string }[] }
  return calls[0]?.invocation ?? ""
}

beforeAll(async () => {
  const place = await recordedStation()
  // hooktape's own event in the agent's session, as after each stop of a turn.
  await place.fire({
    agent: "raw",
    event: "reflection.before",
    input: JSON.stringify({ session: "s-1", text: "Goal" })
  })
  served = await inspected(place)
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await served?.end()
})

// Only so many pages may watch at once.
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()))
})

describe("a recorded log", () => {
  it("shows the call that was blocked, and its page, and asks nobody else", async () => {
    const { asked, page, wrong } = await watchedPage(browser)
    await page.goto(served.address)
    await page.getByText("git push --force origin main").first().waitFor()
    await page.getByText("others have pulled it").first().waitFor()
    expect(page.url()).not.toContain(served.token)
    const invocation = await newest("blocked")
    await page.goto(`${served.origin}/call/${invocation}`)
    await page.getByText("Where the time went").first().waitFor()
    await page.getByText("others have pulled it").first().waitFor()
    expect(asked.filter((url) => !url.startsWith(served.origin))).toEqual([])
    expect(wrong).toEqual([])
  })

  it("marks a call whose work after the reply was given up, in the list, on its page and in its session", async () => {
    const invocation = await giveUp(served.place, "job is bad")
    const { page, wrong } = await watchedPage(browser)
    const tag = page.locator(".tag.failed", { hasText: "later failed after the reply" })
    await page.goto(`${served.origin}/live?show=trouble#token=${served.token}`)
    const row = page.locator(".call.failed", { has: tag })
    await row.locator(".reason", { hasText: "job is bad" }).waitFor()
    await page.goto(`${served.origin}/call/${invocation}`)
    await page.locator(".lead .badge.failed").waitFor()
    await page.getByText("went on after the reply, and later failed").first().waitFor()
    await page.locator(".wf .ln", { hasText: "dead, attempt 5: job is bad" }).waitFor()
    await page.getByText("at run (/p/hooks/later.ts:7:11)").waitFor()
    await page.goto(`${served.origin}/session/s-1`)
    await tag.waitFor()
    expect(await tag.getAttribute("title")).toBe("job is bad")
    await page.setViewportSize({ width: 360, height: 800 })
    await tag.waitFor()
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${served.origin}/session`)
    await page.locator(".srow .is-failed").waitFor()
    expect(await page.locator(".srow .is-failed").getAttribute("title")).toContain(
      "later after the reply, job is bad"
    )
    expect(wrong).toEqual([])
  })

  it("shows a call that comes", async () => {
    const { page, wrong } = await watchedPage(browser)
    await page.goto(served.address)
    await page.getByText("git push --force origin main").first().waitFor()
    await served.place.fire({ input: bash("git push --force again", { tool_use_id: "t-9" }) })
    await page.getByText("git push --force again").first().waitFor()
    expect(wrong).toEqual([])
  })

  it.each([
    ["/session/s-1", "What each hook cost"],
    ["/hooks", "no-force"],
    ["/jobs", "later"],
    ["/log", "INVOCATION_OPENED"],
    ["/actors", "invocation"],
    ["/health", "doctor"]
  ])("has something to say at %s", async (path, text) => {
    const { page, wrong } = await watchedPage(browser)
    await page.goto(`${served.origin}${path}#token=${served.token}`)
    await page.getByText(text).first().waitFor()
    expect(wrong).toEqual([])
  })

  it("shows whose session it is, that no host runs, and a session's own time", async () => {
    const { page, wrong } = await watchedPage(browser)
    await page.goto(`${served.origin}/live?session=s-1#token=${served.token}`)
    await page.locator(".lname .ag", { hasText: "Claude Code" }).waitFor()
    await page.getByText("No host runs").waitFor()
    await page.getByText("session s-1 ×").waitFor()
    await page.getByText("1 session, 1 open").waitFor()
    expect(wrong).toEqual([])
  })

  it("has all of the statechart in sight on a small screen", async () => {
    const { page } = await watchedPage(browser, "light", 1280)
    const invocation = await newest("blocked")
    await page.goto(`${served.origin}/call/${invocation}#token=${served.token}`)
    const chart = page.locator(".chart")
    await chart.getByText("exiting").first().waitFor()
    const [seen, there] = await chart.evaluate((node) => [node.clientWidth, node.scrollWidth])
    expect(there).toBe(seen)
  })

  it("has hooks that never ran, that are off, and that run after the reply, and says why", async () => {
    const { page, wrong } = await watchedPage(browser)
    await page.goto(`${served.origin}/hooks?hook=asleep#token=${served.token}`)
    await page.getByText("off unless somebody says otherwise").first().waitFor()
    await page.getByText("It has not run yet.").waitFor()
    for (const hook of ["never", "later"])
      await page.getByRole("button", { name: hook, exact: true }).waitFor()
    expect(wrong).toEqual([])
  })

  it("says so where a filter of its address is none", async () => {
    const { page } = await watchedPage(browser)
    await page.goto(`${served.origin}/live?show=banana#token=${served.token}`)
    await page.getByText("There is no filter “banana”.").waitFor()
  })

  it("says why a tab has no key any more, once another command serves", async () => {
    const other = await inspected(served.place)
    const { page } = await watchedPage(browser)
    await page.goto(other.address)
    await page.getByText("No host runs").waitFor()
    await page.route("**/api/**", (route) =>
      route.continue({
        headers: { ...route.request().headers(), authorization: "Bearer of-the-command-before" }
      })
    )
    await page.reload()
    await page.getByText("The key of this tab has ended.").waitFor()
    await other.end()
  })

  it("runs a call again with another payload, once its reader said yes, and shows where it parts", async () => {
    const { page, wrong } = await watchedPage(browser)
    await page.goto(`${served.origin}/calls?show=blocked#token=${served.token}`)
    const invocation = await newest("blocked")
    await page.goto(`${served.origin}/whatif/${invocation}`)
    await page.getByText("Edit the payload").click()
    await page.getByLabel("The payload").fill(bash("git push origin main"))
    await page.getByText("Run again…").click()
    await page.getByText("Run it", { exact: true }).click()
    await page.getByText("it would be looser: blocked → nothing said").waitFor()
    const first = page.locator(".first")
    await first.getByText("First difference").waitFor()
    await first.getByText("others have pulled it").waitFor()
    expect(wrong).toEqual([])
  })

  it("keeps a call as a fixture, once its reader said yes", async () => {
    const { page, wrong } = await watchedPage(browser)
    const invocation = await newest("failed")
    await page.goto(`${served.origin}/call/${invocation}#token=${served.token}`)
    await page.getByText("Save as fixture").click()
    await page.getByText("Save it", { exact: true }).click()
    await page.getByText(/^Saved as .*boom\.json$/).waitFor()
    expect(wrong).toEqual([])
  })

  it.each(["blocked", "failed"] as const)(
    "tells a call that was %s fact by fact in words, and not as JSON",
    async (show) => {
      const { page, wrong } = await watchedPage(browser)
      await page.goto(`${served.origin}/call/${await newest(show)}?fact=1#token=${served.token}`)
      const panel = page.locator(".trio")
      await panel.getByText("INVOCATION_OPENED").waitFor()
      const facts = Number(/of (\d+)/.exec((await panel.textContent()) ?? "")?.[1])
      expect(facts).toBeGreaterThan(5)
      for (let fact = 1; fact <= facts; fact++) {
        await panel.getByText(`Fact ${fact} of ${facts}`).waitFor()
        const said = await panel.locator("dt, dd").allTextContents()
        // What came in and what went out is shown as it was.
        const values = said.filter((_, at) => !["payload", "stdout"].includes(said[at - 1] ?? ""))
        expect(values.filter((one) => /[[{]"|(?:Us|Ms)$/.test(one))).toEqual([])
        await page.keyboard.press("ArrowRight")
      }
      expect(wrong).toEqual([])
    }
  )
})

/** Each view on what was recorded, and words that stand in it. */
const views: readonly (readonly [string, string])[] = [
  ["/live", "What delayed the agents here"],
  ["/call", "Where the time went"],
  ["/session", "s-1"],
  ["/session/s-1", "What each hook cost"],
  ["/actors", "Invocations"],
  ["/log", "INVOCATION_OPENED"],
  ["/hooks?hook=no-force", "no-force"],
  ["/chains", "chain"],
  ["/metrics", "session"],
  ["/jobs", "later"],
  ["/health", "doctor"]
]

describe.each(["light", "dark"] as const)("in %s, a recorded log", (theme) => {
  it.each(views)("has nothing against it from axe at %s", async (path, text) => {
    const { page, wrong } = await watchedPage(browser, theme)
    await page.goto(`${served.origin}${path}#token=${served.token}`)
    await page.locator(".view").getByText(text).first().waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(wrong).toEqual([])
  })
})
