/** Help is made of the declarations, and fits where it is read. */
import { describe, expect, it } from "vitest"
import { declarations } from "../../src/programs/cli/declarations.ts"
import { commandHelp, helpText, usageLine } from "../../src/programs/cli/render/help.ts"
import { columnsOf, plain, unstyled } from "../../src/programs/cli/render/style.ts"
import { writtenAs } from "../../src/programs/cli/syntax/parameters.ts"
import { optionsWithin } from "../../src/programs/cli/syntax/read.ts"

const commands = await declarations()
const names = Object.keys(commands)
const drawing = { style: plain, width: 80 }

const commandNamed = (name: string) => {
  const command = commands[name]
  if (command === undefined) throw new Error(`no command ${name}`)
  return command
}

describe("help", () => {
  it("knows every command", () => {
    expect(names.length).toBeGreaterThan(20)
    const text = helpText("1.0.0", commands, drawing)
    for (const name of names) expect(text).toMatch(new RegExp(`^  ${name}\\b`, "m"))
  })

  it.each(names)("of %s names every option and subcommand", (name) => {
    const command = commandNamed(name)
    const text = commandHelp(name, command, drawing)
    for (const key of Object.keys(optionsWithin(command)))
      expect(text).toMatch(new RegExp(`^  ${writtenAs(key)}\\b`, "m"))
    for (const below of Object.keys(command.subcommands ?? {}))
      expect(text).toMatch(new RegExp(`^  ${below}\\b`, "m"))
  })

  it("fits 80 columns", () => {
    const texts = names.map((name) => commandHelp(name, commandNamed(name), drawing))
    for (const text of [helpText("1.0.0", commands, drawing), ...texts])
      for (const line of text.split("\n")) expect(columnsOf(unstyled(line))).toBeLessThanOrEqual(80)
  })

  it("writes down how a command is called", () => {
    const lines = names.map((name) => `${name} ${usageLine(commandNamed(name))}`.trimEnd())
    expect(lines.join("\n")).toMatchInlineSnapshot(`
      "init [options]
      new [template] [options]
      trust [list | revoke <digest>] [options]
      build [options]
      install --agent NAME [options]
      uninstall --agent NAME [options]
      setup
      adopt [<agent>] [options]
      migrate [options]
      doctor [options]
      import [agent] [path…] [options]
      run <agent> <Event>
      test [fixtures…] [options]
      fixture <ref> [options]
      check [options]
      dev [options]
      explain [<command>…] [options]
      log [verify | repair] [options]
      show <ref> [options]
      inspect [options]
      report <session> [options]
      replay <ref> | --since TIME | --all [options]
      backtest [hook…] [options]
      note <text> [options]
      notes list | show <ref> | confirm <ref> | retract <ref> [options]
      search <query>… [options]
      chains list | show <ref> | similar <message> [options]
      checkpoint [options]
      checkpoints list | show <ref> [options]
      metrics [<group>] [options]
      hooks list | enable <name> | disable <name> [options]
      jobs list | show <ref> | retry <ref> [options]
      actors [options]
      host start | stop | status [options]
      policy key <file> | sign <folder> | show [file] [options]
      ship add <name> <url|file> | status | remove <name> [options]
      collect migrate | tokens <add|list|revoke> [name] | serve | run | status | hooks | problems | sessions [options]
      forget <session> | <ref> | --matching TEXT [options]
      docs delivery
      completions <shell>"
    `)
  })
})
