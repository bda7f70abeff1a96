/** The guard that everybody copies first: the same pattern wherever it is shown, and it knows a forced push from a careful one. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { example } from "../../src/tools/build/scaffold.ts"

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8")

/** As it stands in the source of the hook. */
const patternIn = (text: string): string => /\bcommand: \/(.+)\/\s*\}/.exec(text)?.[1] ?? ""

const shown = {
  "README.md": read("README.md"),
  "docs/how-to/write-a-hook.md": read("docs/how-to/write-a-hook.md"),
  "tests/demo/hooks/guard.ts": read("tests/demo/hooks/guard.ts"),
  "the hook that init writes": example
}
const pattern = patternIn(example)

describe("the example guard", () => {
  it.each(Object.entries(shown))("is the same in %s", (_, text) => {
    expect(patternIn(text)).toBe(pattern)
    expect(pattern).toMatch(/git.*push/)
  })

  it.each([
    "git push -f",
    "git push -f origin main",
    "git push origin main -f",
    "git push -uf origin main",
    "git push --force origin main",
    "git push origin main --force",
    "git -C . push -f",
    "git -c push.default=current --no-pager push -f",
    "git push origin +main",
    "git push origin +main:main",
    "git add -A && git push --force",
    "cd a && git push -f"
  ])("blocks %s", (command) => {
    expect(command).toMatch(new RegExp(pattern))
  })

  it.each([
    "git push",
    "git push origin main",
    "git push -u origin fix",
    "git push --force-with-lease",
    "git push --force-with-lease=main origin main",
    "git push --force-with-lease --force-if-includes",
    "git push --follow-tags origin a-f",
    'git commit -m "do not push -f"',
    "git log --grep push -f",
    `git${" -c".repeat(20_000)} -`,
    "git push && rm -f x",
    "git push; rm -f x",
    "git push | tail -f",
    "git push\nrm -f x",
    "rm -f x && git push",
    "npm run push -- -f"
  ])("passes %s", (command) => {
    expect(command).not.toMatch(new RegExp(pattern))
  })
})
