/** Completions: what bash offers after a line of words, and what the other shells are told. */
import { spawnSync } from "node:child_process"
import { describe, expect, it } from "vitest"
import { declarations } from "../../src/programs/cli/declarations.ts"
import { completionsFor, shells } from "../../src/programs/cli/syntax/completions.ts"
import { writtenAs } from "../../src/programs/cli/syntax/parameters.ts"
import { optionsWithin } from "../../src/programs/cli/syntax/read.ts"

const commands = await declarations()

/** The last word is the one that is being written. */
const offered = (...words: readonly string[]): readonly string[] => {
  const script = `${completionsFor("bash", commands)}
COMP_WORDS=(hooktape "$@"); COMP_CWORD=$#
compopt() { printf '<files>\\n'; }
_hooktape
printf '%s\\n' "\${COMPREPLY[@]}"`
  const { status, stderr, stdout } = spawnSync("bash", ["-c", script, "bash", ...words], { encoding: "utf8" })
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  return stdout.split("\n").filter((line) => line !== "")
}

describe("completions for bash", () => {
  it("offer every command", () => {
    expect(offered("")).toEqual([...Object.keys(commands), "help", "--help", "--log", "--version"])
    expect(offered("ch")).toEqual(["check", "chains", "checkpoint", "checkpoints"])
  })

  it("offer subcommands, and the options of each", () => {
    expect(offered("jobs", "")).toEqual(["list", "show", "retry", "--help"])
    expect(offered("jobs", "list", "--")).toEqual(["--state", "--json", "--help"])
    expect(offered("jobs", "retry", "--a")).toEqual(["--all-dead"])
    expect(offered("show", "--r")).toEqual(["--raw"])
  })

  it("offer the values of an option, and files where it may be anything", () => {
    expect(offered("jobs", "list", "--state", "d")).toEqual(["done", "dead", "dropped"])
    expect(offered("install", "--agent", "c")).toEqual(["claude-code", "codex", "copilot", "cline", "cursor"])
    expect(offered("log", "--project", "")).toEqual(["<files>"])
    expect(offered("test", "fix")).toEqual(["<files>"])
  })
})

describe("completions", () => {
  it.each(shells)("for %s have every command, subcommand and option", (shell) => {
    const script = completionsFor(shell, commands)
    for (const [name, command] of Object.entries(commands)) {
      expect(script).toContain(name)
      for (const below of Object.keys(command.subcommands ?? {})) expect(script).toContain(below)
      for (const key of Object.keys(optionsWithin(command)))
        expect(script).toContain(shell === "fish" ? `-l ${writtenAs(key).slice(2)} ` : writtenAs(key))
    }
  })

  it("keep apart what a shell would read as its own", () => {
    const { show } = commands
    if (show === undefined) throw new Error("no show")
    const odd = { show: { ...show, summary: "It's [odd]: \\" } }
    expect(completionsFor("zsh", odd)).toContain(String.raw`'show:It'\''s [odd]: \'`)
    expect(completionsFor("fish", odd)).toContain(String.raw`'It\'s [odd]: \\'`)
  })
})
