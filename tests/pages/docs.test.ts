/** Pages that point at nothing are worse than no pages. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { anchors, links } from "../support/markdown.ts"

const project = fileURLToPath(new URL("../../", import.meta.url))
const topLevel = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]
const pages = [
  ...topLevel.map((name) => join(project, name)),
  ...readdirSync(join(project, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(project, "docs", name))
]

const deadLinks = (page: string, markdown: string): readonly string[] =>
  links(markdown).flatMap(({ target, line }) => {
    if (/^[a-z]+:/.test(target)) return []
    const [path = "", anchor] = target.split("#")
    const file = path === "" ? page : resolve(dirname(page), path)
    const dead = `${relative(project, page)}:${line}: ${target}`
    if (path !== "" && !existsSync(file)) return [dead]
    if (anchor === undefined || !file.endsWith(".md")) return []
    return anchors(path === "" ? markdown : readFileSync(file, "utf8")).has(anchor) ? [] : [dead]
  })

const pagesFrom = (page: string): readonly string[] =>
  links(readFileSync(page, "utf8")).flatMap(({ target }) => {
    const path = target.split("#")[0] ?? ""
    const file = resolve(dirname(page), path)
    return !/^[a-z]+:/.test(target) && path.endsWith(".md") && existsSync(file) ? [file] : []
  })

/** The pages that so many links lead to, at most. */
const stepsFrom = (start: string, steps: number): ReadonlySet<string> => {
  let reached = new Set([start])
  for (let step = 0; step < steps; step++) reached = new Set([...reached, ...[...reached].flatMap(pagesFrom)])
  return reached
}

describe("the pages", () => {
  it("are there", () => {
    expect(pages.length).toBeGreaterThan(topLevel.length + 4)
  })

  it.each(pages.map((page) => relative(project, page)))("%s links only to what exists", (page) => {
    expect(deadLinks(join(project, page), readFileSync(join(project, page), "utf8"))).toEqual([])
  })

  it("would be refused with a dead file or a dead anchor", () => {
    const text =
      "# One\n[a](nowhere.md) [b](#two) [c](#one) [d](LICENSE) [e](https://example.org/x)\n`[f](g)`"
    expect(deadLinks(join(project, "README.md"), text)).toEqual([
      "README.md:2: nowhere.md",
      "README.md:2: #two"
    ])
  })

  it("have small pictures, and README begins with them", () => {
    const head = readFileSync(join(project, "README.md"), "utf8").split("\n```")[0] ?? ""
    const pictures = [...head.matchAll(/!\[[^\]]{20,}\]\(([^)]+)\)/g)].map(([, path = ""]) => path)
    expect(pictures).toEqual(
      ["inspector.png", "log.svg", "guards.svg"].map((name) => `docs/pictures/${name}`)
    )
    for (const path of pictures) expect(statSync(join(project, path)).size).toBeLessThanOrEqual(300_000)
  })

  it("are all found from the index", () => {
    const index = join(project, "docs", "README.md")
    // For those who work on hooktape; it is not in the package.
    const requirements = join(project, "docs", "requirements.md")
    const seen = new Set<string>()
    const visit = (page: string): void => {
      if (seen.has(page) || !existsSync(page)) return
      seen.add(page)
      for (const next of pagesFrom(page)) visit(next)
    }
    visit(index)
    expect(
      pages
        .filter((page) => page.includes("/docs/") && page !== requirements && !seen.has(page))
        .map((page) => relative(project, page))
    ).toEqual([])
  })

  it("tell of every option of a hook within three steps from where a reader starts", () => {
    const options = pages.filter((page) => page.includes("/docs/reference/options/"))
    const within = stepsFrom(join(project, "README.md"), 3)
    expect(options.length).toBeGreaterThan(20)
    expect(options.filter((page) => !within.has(page)).map((page) => relative(project, page))).toEqual([])
    // The count is one of steps: after one nobody has got that far.
    expect(options.filter((page) => stepsFrom(join(project, "README.md"), 1).has(page))).toEqual([])
  })
})
