/** What is in the package: whatever its README leads to, and nothing of how it is tested. */
import { readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { links } from "../../support/markdown.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly files: readonly string[]
}
/** npm takes these in any case. */
const always = ["package.json", "README.md", "LICENSE"]
const isPacked = (path: string): boolean =>
  [...files, ...always].some((one) => path === one || path.startsWith(`${one}/`))

it("what the README and the documentation lead to is packed", () => {
  for (const page of ["README.md", join("docs", "README.md")]) {
    const targets = links(readFileSync(join(root, page), "utf8"))
      .map(({ target }) => target.replace(/#.*$/, ""))
      .filter((target) => target !== "" && !/^[a-z]+:/.test(target))
      .map((target) => normalize(join(dirname(page), target)))
    expect(targets.length).toBeGreaterThan(3)
    expect(targets.filter((target) => !isPacked(target))).toEqual([])
  }
})

it("tests are not packed, and examples are", () => {
  expect(isPacked("examples")).toBe(true)
  expect(isPacked(join("tests", "unit", "packed.test.ts"))).toBe(false)
})

it("the README says how to install", () => {
  expect(readFileSync(join(root, "README.md"), "utf8")).toMatch(/^npm install --save-dev hooktape\b/m)
})
