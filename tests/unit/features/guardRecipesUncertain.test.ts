/** Files of recipes that can be read in two ways, that cost more than they say, or that leave to the run what does not matter. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { classifyLooking } from "../../../src/features/guard/look.ts"

const home = realpathSync(mkdtempSync(join(tmpdir(), "guard-uncertain-")))
afterAll(() => rmSync(home, { recursive: true, force: true }))

type Files = Readonly<Record<string, string>>

let places = 0
const judge = async (files: Files, command: string) => {
  const project = join(home, `p${places++}`)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true })
    writeFileSync(join(project, name), text)
  }
  const place = { project, cwd: project, home, environment: { HOME: home } }
  const verdict = await classifyLooking(command, place, async () => undefined)
  return verdict === undefined ? null : `${verdict.rule} ${verdict.action}`
}

const makefile = (text: string, more: Files = {}): Files => ({ Makefile: text, ...more })
const many40 = Array.from({ length: 40 }, (_, at) => `f${at}.o`).join(" ")
const wipes = "w:\n\trm -rf ~\n"

describe("a makefile", () => {
  it.each<readonly [string, string]>([
    ["begins with another sign, perhaps", `ifdef NEVER\n.RECIPEPREFIX = >\nendif\n${wipes}`],
    ["begins with another sign, which is none", `empty :=\n.RECIPEPREFIX := $(empty)\n${wipes}`],
    ["begins with another sign, which a comment says", `.RECIPEPREFIX = # the tab\n${wipes}`],
    ["begins with another sign, if that is not set", `.RECIPEPREFIX ?= >\n${wipes}`],
    ["begins with a sign that a value has", "S = >\n.RECIPEPREFIX = $(S)\nw:\n>rm -rf ~\n"],
    ["begins with a letter, perhaps", `ifdef NEVER\n.RECIPEPREFIX = w\nendif\n${wipes}`],
    ["has a colon in a line of its own sign", ".RECIPEPREFIX = >\nw:\n>echo a: b\n>rm -rf ~\n"],
    ["calls by a value", "T = w\n$(T): ; rm -rf $$HOME\n"],
    ["calls by a changed value", "T = w.o\n$(T:.o=): ; rm -rf $$HOME\n"],
    ["sets for what a value names", "T = w\n$(T): D = $$HOME\n$(T):\n\trm -rf $(D)\n"],
    ["does in one shell, perhaps", "ifdef NEVER\n.ONESHELL:\nendif\nw:\n\tcd a/b/c\n\trm -rf ..\n"],
    ["has run by a program", "SHELL = ./sh\nw:\n\trm -rf ~\n"],
    ["changes the ends of", "D = ~.o\nw:\n\trm -rf $(D:.o=)\n"],
    ["puts in a pattern", "D = /home.o\nw:\n\trm -rf $(patsubst %.o,%,$(D))\n"]
  ])("is read with what it %s", async (_, text) => {
    expect(await judge(makefile(text), "make w")).toBe("delete-outside block")
  })

  it.each<readonly [string, Files, string]>([
    [
      "has what a compiler wrote down",
      makefile("OBJS = main.o foo.o\nprog: $(OBJS)\n\tcc $^\n-include $(OBJS:.o=.d)\n", {
        "main.d": "main.o: a.h\n"
      }),
      "make foo.o"
    ],
    [
      "has a target without a recipe",
      makefile("all: prog\nprog: a.o\ninclude $(X)/x.mk\ntest: all\n"),
      "make test"
    ],
    ["has a first target without a recipe", makefile("all: prog\nprog: a.o\ninclude $(X)/x.mk\n"), "make"],
    [
      "includes from where it lies",
      makefile("TOP := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))\ninclude $(TOP)/x.mk\nall:\n\ttrue\n", {
        "x.mk": "lint:\n\ttrue\n"
      }),
      "make lint"
    ],
    [
      "includes in order",
      makefile("include $(sort $(wildcard mk/*.mk))\nall:\n\ttrue\n", { "mk/a.mk": "lint:\n\ttrue\n" }),
      "make lint"
    ],
    [
      "has more written down than is read",
      makefile(
        `OBJS = ${many40}\nall: $(OBJS)\n\ttrue\n-include $(OBJS:.o=.d)\n`,
        Object.fromEntries(many40.split(" ").map((name) => [name.replace(".o", ".d"), `${name}: a.h\n`]))
      ),
      "make"
    ]
  ])("is left alone where it %s", async (_, files, command) => {
    expect(await judge(files, command)).toBeNull()
  })

  it("is read with what it includes from where it lies", async () => {
    const text = "TOP := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))\ninclude $(TOP)x.mk\n"
    expect(await judge(makefile(text, { "x.mk": wipes }), "make w")).toBe("delete-outside block")
  })

  it("is asked about where more is included than is read", async () => {
    const mk = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`mk/${at}.mk`, `x${at}:\n\ttrue\n`]))
    expect(await judge(makefile("include mk/*.mk\n", mk), "make w")).toBe("hidden-code ask")
  })
})

const just = "w:\n    rm -rf ~\n"

describe("a justfile", () => {
  it.each<readonly [string, Files, string?]>([
    [
      "has behind what is said of a value",
      { justfile: `[working-directory: 'a/b/c']\ny := 'b'\nw:\n    rm -rf ..\n` }
    ],
    ["has under the name of a module that is not there", { justfile: `mod? w\n${just}` }],
    [
      "has under the name of a module in a text",
      { justfile: `a := '''\nmod w\n'''\n${just}`, "w.just": "x:\n    true\n" }
    ],
    ["has run by a program", { justfile: `set shell := ['./sh', '-c']\n${just}` }],
    ["needs of a module", { justfile: "mod sub\nall: sub::w\n    true\n", "sub.just": just }, "just all"],
    [
      "calls by another name in a module",
      { justfile: "mod sub\nalias z := sub::w\n", "sub.just": just },
      "just z"
    ],
    [
      "needs of a module of a module",
      { justfile: "mod a\nw: a::x\n", "a/mod.just": "mod b\nx: b::w\n", "a/b.just": just }
    ],
    [
      "gives to a recipe of a module",
      { justfile: "mod sub\nw: (sub::x '/home')\n", "sub.just": "x d:\n    rm -rf {{d}}\n" }
    ]
  ])("is read with what it %s", async (_, files, command = "just w") => {
    expect(await judge(files as Files, command as string)).toBe("delete-outside block")
  })

  it("is left alone where what it needs of a module does no harm", async () => {
    const files = {
      justfile: "mod docs\nall: docs::build\n    true\n",
      "docs.just": "build:\n    rm -rf site\n"
    }
    expect(await judge(files, "just all")).toBeNull()
  })

  it("is asked about where it needs itself as a module", async () => {
    expect(await judge({ justfile: "mod a 'justfile'\nx: a::x a::x\n    true\n" }, "just x")).toBe(
      "hidden-code ask"
    )
  })
})

const tasks = (...lines: readonly string[]): string => ["version: '3'", ...lines, ""].join("\n")
const wipe = tasks("tasks:", "  w:", "    cmds:", "      - rm -rf ~")
const aliases = Array.from({ length: 25 }, (_, at) => `a${at}`).join(", ")

describe("a Taskfile", () => {
  it.each<readonly [string, Files, string?]>([
    [
      "has besides what is none",
      { "Taskfile.yml": tasks("includes:", "  a: {taskfile: {toString: x, valueOf: y}}") + wipe }
    ],
    [
      "includes of itself, by many names",
      {
        "Taskfile.yml":
          tasks("includes:", "  a:", "    taskfile: ./Taskfile.yml", `    aliases: [${aliases}]`) + wipe
      }
    ],
    [
      "includes of itself, by one of many names",
      {
        "Taskfile.yml":
          tasks("includes:", "  a:", "    taskfile: ./Taskfile.yml", `    aliases: [${aliases}]`) + wipe
      },
      "task a7:w"
    ],
    [
      "includes in one line by another name",
      {
        "Taskfile.yml": tasks("includes:", "  sub: {taskfile: ./sub, aliases: [s]}"),
        "sub/Taskfile.yml": wipe
      },
      "task s:w"
    ],
    ["says in one line", { "Taskfile.yml": tasks("tasks:", "  w: {cmds: [rm -rf ~]}") }],
    ["says as a list", { "Taskfile.yml": tasks("tasks:", "  w:", "    - rm -rf ~") }],
    ["says for all", { "Taskfile.dist.yaml": wipe }],
    ["says in small letters", { "taskfile.yaml": wipe }]
  ])("is read with what it %s", async (_, files, command = "task w") => {
    expect(await judge(files as Files, command as string)).toBe("delete-outside block")
  })

  it("is asked about where it has more names than are read", async () => {
    const level = (next: string) =>
      tasks("includes:", "  a:", `    taskfile: ${next}`, `    aliases: [${aliases}]`)
    const files = {
      "Taskfile.yml": level("./1.yml"),
      "1.yml": level("./2.yml"),
      "2.yml": level("./3.yml"),
      "3.yml": level("./4.yml"),
      "4.yml": wipe
    }
    expect(await judge(files, "task a24:a24:a24:a24:w")).toBe("hidden-code ask")
  })
})

const many = (name: string): string => `$(${name})`.repeat(40)

describe("what costs more than it says", () => {
  const words = `W = ${"a ".repeat(200)}\n`
  const each = (inner: string) => `$(foreach a,$(W),$(foreach b,$(W),$(foreach c,$(W),${inner})))`
  it.each<readonly [string, string]>([
    ["in the place of letters", `L=${"a".repeat(25000)}\nw:\n\techo $(subst a,$(L),$(L))\n\trm -rf ~\n`],
    [
      "for each of many, in the head of a rule",
      `${words}${wipes.replace("\n", ` ${each("x".repeat(3500))}\n`)}`
    ],
    ["in front of names that are none", `include $(wildcard${" ".repeat(60_000)}\n${wipes}`],
    [
      "in names of files",
      `include ${many("A")}\nA=${many("B")}\nB=${many("C")}\nC=${many("D")}\nD=x\n${wipes}`
    ],
    ["in patterns for files", `${"include d/q*\n".repeat(2000)}${wipes}`],
    ["for each of many", `${words}w:\n\techo ${each("x".repeat(3500))}\n\trm -rf ~\n`]
  ])("is read as far as it is paid for: %s", async (_, text) => {
    expect(await judge(makefile(text), "make w")).toBe("delete-outside block")
  })
})
