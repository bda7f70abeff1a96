/** docs/reference/cli.md says what the declarations of the commands say. `npx vitest run tests/pages/cliReference.test.ts -u` writes it anew. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { declarations } from "../../src/programs/cli/declarations.ts"
import { writeCliPage } from "../support/cliPage.ts"
import { rows } from "../support/markdown.ts"

const file = fileURLToPath(new URL("../../docs/reference/cli.md", import.meta.url))
const commands = await declarations()
// As it is to be: what is written anew is held against itself in the same run.
const page = writeCliPage(readFileSync(file, "utf8"), commands)

describe("docs/reference/cli.md", () => {
  it("follows from the declarations", async () => {
    expect(Object.keys(commands).length).toBeGreaterThan(20)
    await expect(writeCliPage(page, commands)).toMatchFileSnapshot(file)
  })

  it("has a section for each command, with every option once", () => {
    for (const [name, { action, subcommands = {} }] of Object.entries(commands))
      for (const [title, one] of [
        ...(action === undefined ? [] : [[name, action] as const]),
        ...Object.entries(subcommands).map(([below, each]) => [`${name} ${below}`, each] as const)
      ]) {
        const section = page.split(/^#{2,3} /m).find((part) => part.startsWith(`${title}\n`)) ?? ""
        const listed = rows(section).filter(([first = ""]) => first.startsWith("`--"))
        expect(listed, title).toHaveLength(Object.keys(one.options ?? {}).length)
        expect(section, title).toMatch(new RegExp(`^\`\`\`sh\\n.*npx hooktape ${title}`, "m"))
      }
  })

  it("has an example for each option that takes a value", () => {
    for (const { action, subcommands = {} } of Object.values(commands))
      for (const one of [action, ...Object.values(subcommands)])
        for (const [key, { example, kind, sample }] of Object.entries(one?.options ?? {}))
          if (kind !== "flag") expect(example ?? sample, key).toBeDefined()
  })

  it("changes where an option is declared that it does not have, and where one is gone", () => {
    const { show } = commands
    if (show?.action === undefined) throw new Error("no show")
    const { raw: _, ...fewer } = show.action.options ?? {}
    const without = { ...commands, show: { ...show, action: { ...show.action, options: fewer } } }
    expect(writeCliPage(page, without)).not.toContain("show last --raw")
    const more = { ...show.action.options, deep: { kind: "flag" as const, help: "Everything." } }
    const withMore = { ...commands, show: { ...show, action: { ...show.action, options: more } } }
    expect(writeCliPage(page, withMore)).toContain(
      "| `--deep`: everything | `npx hooktape show last --deep` |"
    )
  })
})
