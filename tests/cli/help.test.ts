/** What help says and what the parser takes are written down apart: here they are held together. */
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as Descriptor from "@effect/cli/CommandDescriptor"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as HashMap from "effect/HashMap"
import { describe, expect, it } from "vitest"
import { root } from "../../src/programs/cli/app.ts"
import { commandHelp, helpText } from "../../src/programs/cli/render/help.ts"
import { columnsOf, plain, unstyled } from "../../src/programs/cli/render/style.ts"
import { type CommandName, helpWanted, usage } from "../../src/programs/cli/usage.ts"

const names = Object.keys(usage) as readonly CommandName[]
const optionsIn = (text: string): readonly string[] =>
  [...new Set(text.match(/--[a-z][a-z-]+/g) ?? [])].sort()

const config = CliConfig.make({ showBuiltIns: false })

/** What the parser says of a command, and of those below it: only the root tells of these, a line for each. */
const helpOf = (name: string, parser: Descriptor.Command<unknown> | undefined): string => {
  const own = parser === undefined ? "" : unstyled(HelpDoc.toAnsiText(Descriptor.getHelp(parser, config)))
  const all = unstyled(HelpDoc.toAnsiText(Command.getHelp(root, config))).split("\n")
  return [own, ...all.filter((line) => line.trim().startsWith(`- ${name} `))].join("\n")
}

describe("help", () => {
  const parsers = new Map(HashMap.toEntries(Command.getSubcommands(root)))

  it("knows every command", () => {
    expect([...names].sort()).toEqual([...parsers.keys()].sort())
    expect(names.length).toBeGreaterThan(10)
  })

  it.each(names)("%s names exactly the options the parser takes", (name) => {
    const told = (usage[name].options ?? []).map(([option]) => option)
    expect(optionsIn(told.join("\n"))).toEqual(optionsIn(helpOf(name, parsers.get(name))))
  })

  it("fits 80 columns", () => {
    const drawing = { style: plain, width: 80 }
    for (const text of [helpText("1.0.0", drawing), ...names.map((name) => commandHelp(name, drawing))]) {
      for (const line of text.split("\n")) expect(columnsOf(unstyled(line))).toBeLessThanOrEqual(80)
    }
  })

  it("is asked for after a command, or before it, and not behind a --", () => {
    expect(helpWanted(["log", "--since", "1h", "--help"])).toBe("log")
    expect(helpWanted(["help", "show"])).toBe("show")
    expect(helpWanted(["show", "-h"])).toBe("show")
    expect(helpWanted(["test", "--", "--help"])).toBeUndefined()
    expect(helpWanted(["nothing", "--help"])).toBeUndefined()
    expect(helpWanted(["jobs"])).toBe("jobs")
    expect(helpWanted(["jobs", "list", "--help"])).toBe("jobs")
    expect(helpWanted(["jobs", "list"])).toBeUndefined()
  })
})
