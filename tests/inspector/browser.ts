/** Debian's Chromium, and what a page asked for in it. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { type Browser, chromium, type Page } from "playwright-core"

export const browserProgram = "/usr/bin/chromium"

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: browserProgram, args: ["--no-sandbox"] })

export interface Watched {
  readonly page: Page
  /** Addresses that the page asked for. */
  readonly asked: string[]
  /** What went wrong in it. */
  readonly wrong: string[]
}

export const watchedPage = async (
  browser: Browser,
  theme: "light" | "dark" = "light",
  width = 1440
): Promise<Watched> => {
  const context = await browser.newContext({
    viewport: { width, height: width < 700 ? 800 : 900 },
    colorScheme: theme
  })
  const page = await context.newPage()
  // Ends what hangs; nothing that is meant to happen waits for it, and a busy machine does not reach it.
  page.setDefaultTimeout(60_000)
  const asked: string[] = []
  const wrong: string[] = []
  page.on("request", (request) => asked.push(request.url()))
  page.on("pageerror", (error) => wrong.push(error.message))
  page.on("console", (message) => {
    if (message.type() === "error") wrong.push(message.text())
  })
  return { page, asked, wrong }
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** What axe has against what the page shows now. */
export const axeFindings = async (page: Page): Promise<unknown> => {
  await page.evaluate(axe)
  return page.evaluate(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | ')))"
  )
}
