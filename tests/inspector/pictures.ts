/**
 * The pictures of README, made anew by `node .ci/run-ts.mjs tests/inspector/pictures.ts` after a build: the inspector's page on the made-up log
 * of the tests, in Debian's Chromium, and `hooktape log` of the same log as a terminal shows it.
 */
import { statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { callLine } from "../../src/programs/cli/render/callLine.ts"
import { coloured } from "../../src/programs/cli/render/style.ts"
import { makeSample } from "../support/inspector/sample.ts"
import { serveSample } from "../support/inspector/server.ts"
import { openBrowser } from "./browser.ts"

const root = join(import.meta.dirname, "..", "..")
const maxBytes = 300_000
/** The same moment each time, so that the same page makes the same picture. */
const until = Date.UTC(2026, 0, 15, 10, 30)

const sample = makeSample(160, until, 6 * 60_000)

const picture = async (): Promise<string> => {
  const file = join(root, "docs", "pictures", "inspector.png")
  const server = await serveSample(sample, join(root, "dist", "inspector"))
  const browser = await openBrowser()
  const context = await browser.newContext({
    viewport: { width: 1280, height: 720 },
    colorScheme: "light",
    timezoneId: "UTC"
  })
  const page = await context.newPage()
  await page.clock.setFixedTime(until)
  const blocked = sample.calls.findLast(({ outcome }) => outcome === "blocked")
  await page.goto(server.address(`/call/${blocked?.invocation ?? ""}`))
  await page.getByText("Where the time went").first().waitFor()
  await page.screenshot({ path: file })
  await browser.close()
  await server.close()
  return file
}

const colours: Readonly<Record<string, string>> = {
  "31": "#ff7287",
  "32": "#63cf89",
  "33": "#f0b54a",
  "36": "#8aabff",
  "90": "#8f98aa",
  "2": "#8f98aa"
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const escape = String.fromCharCode(27)
const sequence = new RegExp(`(${escape}\\[\\d+m)`)

/** A line with its colours: what stands between two of the terminal's sequences is one piece. */
const spans = (line: string): string => {
  let fill = "#e6e8ee"
  return line
    .split(sequence)
    .map((part) => {
      if (!part.startsWith(escape)) return part === "" ? "" : `<tspan fill="${fill}">${escaped(part)}</tspan>`
      fill = colours[part.slice(2, -1)] ?? "#e6e8ee"
      return ""
    })
    .join("")
}

const columns = 98
const lineHeight = 19

const terminal = (): string => {
  // Calls are told by the last eight digits of their id: those of the sample are alike there.
  const shown = sample.calls
    .filter(({ outcome }) => outcome !== "silent")
    .slice(-11)
    .map((call) => ({
      ...call,
      invocation: ((call.position * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, "0")
    }))
  const lines = [
    "$ npx hooktape log",
    ...shown.map((call) => callLine(call, { style: coloured, width: columns }))
  ]
  const height = 24 + lines.length * lineHeight
  const texts = lines.map(
    (line, at) => `<text x="16" y="${28 + at * lineHeight}" xml:space="preserve">${spans(line)}</text>`
  )
  const file = join(root, "docs", "pictures", "log.svg")
  writeFileSync(
    file,
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 792 ${height}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="12.8" role="img" aria-label="hooktape log: one line for each call, with who blocked it or failed">
<rect width="792" height="${height}" rx="8" fill="#13161c"/>
${texts.join("\n")}
</svg>
`
  )
  return file
}

for (const file of [await picture(), terminal()]) {
  const { size } = statSync(file)
  if (size > maxBytes) throw new Error(`${file} has ${size} bytes; ${maxBytes} are the most`)
  process.stdout.write(`${file}: ${size} bytes\n`)
}
