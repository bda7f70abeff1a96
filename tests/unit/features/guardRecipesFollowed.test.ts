/** What files of recipes make of themselves and of other files: functions of make, what is included, modules; and what cannot be followed. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { classifyLooking } from "../../../src/features/guard/look.ts"

const home = realpathSync(mkdtempSync(join(tmpdir(), "guard-followed-")))
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
const wipes = "w:\n\trm -rf ~\n"

describe("a makefile", () => {
  it.each<readonly [string, Files, string?]>([
    ["does for each of some words", makefile("DIRS = /home /srv\nw:\n\t$(foreach d,$(DIRS),rm -rf $(d);)\n")],
    ["reads as a rule", makefile("define R\nw:\n\trm -rf $(HOME)\nendef\n$(eval $(R))\n")],
    ["makes of a template", makefile("define R\n$(1):\n\trm -rf $(2)\nendef\n$(eval $(call R,w,/home))\n")],
    [
      "makes of a template for each",
      makefile("define R\n$(1):\n\trm -rf $(HOME)\nendef\n$(foreach t,w x,$(eval $(call R,$(t))))\n")
    ],
    ["does in one shell", makefile(".ONESHELL:\nw:\n\tcd /\n\trm -rf home\n")],
    ["has run by its own shell", makefile("SHELL = ./evil.sh\nw:\n\techo hi\n", { "evil.sh": "rm -rf ~\n" })],
    ["tells its shell", makefile(".SHELLFLAGS = -c 'rm -rf ~'\nw:\n\techo hi\n")],
    ["runs while it is read", makefile("X := $(shell rm -rf ~)\nw:\n\techo hi\n")],
    ["runs for a value", makefile("X != rm -rf ~\nw:\n\techo hi\n")],
    ["runs on a line of its own", makefile("$(shell rm -rf ~)\nw:\n\techo hi\n")],
    ["runs for a condition", makefile("ifeq ($(shell rm -rf ~),)\nendif\nw:\n\techo hi\n")],
    ["puts in place of letters", makefile("X = rmX-rfX/home\nw:\n\t$(subst X, ,$(X))\n")],
    ["puts before each", makefile("w:\n\trm -rf $(addprefix /home/,a b)\n")],
    ["names by another value", makefile("A = /home\nn = A\nw:\n\trm -rf $($(n))\n")],
    ["begins with another sign", makefile(".RECIPEPREFIX = >\nw:\n> rm -rf ~\n")],
    ["includes by a variable", makefile("D = mk\ninclude $(D)/x.mk\n", { "mk/x.mk": wipes })],
    ["includes by a pattern", makefile("include mk/*.mk\n", { "mk/x.mk": wipes })],
    ["includes as it finds it", makefile("-include $(wildcard mk/*.mk)\n", { "mk/x.mk": wipes })],
    ["does for want of a rule", makefile(".DEFAULT:\n\trm -rf ~\n")]
  ])("is read with what it %s", async (_, files, command = "make w") => {
    expect(await judge(files as Files, command as string)).toBe("delete-outside block")
  })

  it.each<readonly [string, Files, string?]>([
    ["includes as only the run can tell", makefile("include $(shell find-it)/x.mk\n")],
    [
      "has run by a program that nobody can read",
      makefile("SHELL = ./odd\nw:\n\techo hi\n", { odd: "\u007fELF\0" })
    ]
  ])("is asked about where it %s", async (_, files, command = "make w") => {
    expect(await judge(files as Files, command as string)).toBe("hidden-code ask")
  })

  it.each<readonly [string, Files, string?]>([
    ["does for each of its own", makefile("DIRS = a b\nw:\n\t$(foreach d,$(DIRS),rm -rf $(d)/dist;)\n")],
    ["does in one shell of its own", makefile(".ONESHELL:\nw:\n\tcd build\n\trm -rf home\n")],
    [
      "is like most",
      makefile(
        [
          "SHELL := /usr/bin/env bash",
          ".SHELLFLAGS := -eu -o pipefail -c",
          "VERSION := $(shell git describe --tags --always)",
          "ifeq ($(shell uname),Darwin)",
          "SED = gsed",
          "else",
          "SED = sed",
          "endif",
          "SRCS := $(wildcard src/*.c)",
          "OBJS := $(patsubst src/%.c,build/%.o,$(SRCS))",
          "-include $(OBJS:.o=.d)",
          "-include .env",
          "include $(TOPDIR)/rules.mk",
          "define build-one",
          "build/$(1): src/$(1)",
          "\t$(CC) -o $$@ $$<",
          "clean-$(1):",
          "\trm -rf build/$(1)",
          "endef",
          "$(foreach t,a b c,$(eval $(call build-one,$(t))))",
          "$(info building $(VERSION))",
          ".PHONY: w clean",
          "w: $(OBJS) build/a clean-b",
          "\t@mkdir -p build",
          "\t$(foreach f,$(SRCS),echo $(f) &&) true",
          "clean:",
          "\trm -rf build dist $(OBJS) *.log",
          ""
        ].join("\n"),
        { "src/a.c": "", "src/b.c": "" }
      ),
      "make clean w"
    ]
  ])("is left alone where it %s", async (_, files, command = "make w") => {
    expect(await judge(files as Files, command as string)).toBeNull()
  })

  it("costs no more than its budget, whatever it does for each of many", async () => {
    const words = "a ".repeat(5000)
    const nested = `${"$(foreach x,$(W),".repeat(6)}rm -rf ~ $(x)${")".repeat(6)}`
    expect(await judge(makefile(`W = ${words}\nw:\n\t${nested}\n$(eval $(eval $(W)))\n`), "make w")).toMatch(
      /^(?:delete-outside block|hidden-code ask)$/
    )
  })
})

const tasks = (...lines: readonly string[]): string => ["version: '3'", ...lines, ""].join("\n")
const wipe = tasks("tasks:", "  w:", "    cmds:", "      - rm -rf ~")

describe("a Taskfile", () => {
  it.each<readonly [string, Files, string?]>([
    [
      "includes a folder",
      { "Taskfile.yml": tasks("includes:", "  sub: ./sub"), "sub/Taskfile.yml": wipe },
      "task sub:w"
    ],
    [
      "includes as its own",
      {
        "Taskfile.yml": tasks("includes:", "  sub:", "    taskfile: ./sub/t.yml", "    flatten: true"),
        "sub/t.yml": wipe
      }
    ],
    [
      "includes by another name",
      {
        "Taskfile.yml": tasks("includes:", "  sub:", "    taskfile: sub", "    aliases: [s]"),
        "sub/Taskfile.yml": wipe
      },
      "task s:w"
    ],
    [
      "needs of what it includes",
      {
        "Taskfile.yml": tasks("includes:", "  sub: ./sub", "tasks:", "  w:", "    deps: ['sub:w']"),
        "sub/Taskfile.yml": wipe
      }
    ],
    [
      "includes of what it includes",
      {
        "Taskfile.yml": tasks("includes:", "  a: ./a"),
        "a/Taskfile.yml": tasks("includes:", "  b: ./b", "tasks:", "  w:", "    cmds:", "      - task: b:w"),
        "a/b/Taskfile.yml": wipe
      },
      "task a:w"
    ],
    [
      "includes in another folder",
      {
        "Taskfile.yml": tasks("includes:", "  sub:", "    taskfile: sub", "    dir: /"),
        "sub/Taskfile.yml": tasks("tasks:", "  w:", "    cmds:", "      - rm -rf home")
      },
      "task sub:w"
    ],
    [
      "does in a folder",
      { "Taskfile.yml": tasks("tasks:", "  w:", "    dir: /", "    cmds:", "      - rm -rf home") }
    ],
    [
      "hands on",
      {
        "Taskfile.yml": tasks(
          "tasks:",
          "  w:",
          "    cmds:",
          "      - task: x",
          "      - {task: x, vars: {D: /home}}",
          "  x:",
          "    cmds:",
          "      - rm -rf {{.D}}"
        )
      }
    ],
    [
      "asks first",
      {
        "Taskfile.yml": tasks(
          "tasks:",
          "  w:",
          "    status:",
          "      - rm -rf ~",
          "    cmds:",
          "      - echo"
        )
      }
    ],
    [
      "runs for a value",
      {
        "Taskfile.yml": tasks(
          "tasks:",
          "  w:",
          "    vars:",
          "      X:",
          "        sh: rm -rf ~",
          "    cmds:",
          "      - echo"
        )
      }
    ],
    [
      "sets",
      { "Taskfile.yml": tasks("env:", "  D: /home", "tasks:", "  w:", "    cmds:", "      - rm -rf $D") }
    ],
    [
      "does for any name",
      { "Taskfile.yml": tasks("tasks:", "  'w:*':", "    cmds:", "      - rm -rf ~") },
      "task w:x"
    ]
  ])("is read with what it %s", async (_, files, command = "task w") => {
    expect(await judge(files as Files, command as string)).toBe("delete-outside block")
  })

  it("is asked about where it starts what only the run can tell", async () => {
    const files = {
      "Taskfile.yml": tasks(
        "includes:",
        "  r: https://example.com/Taskfile.yml",
        "tasks:",
        "  w:",
        "    cmds: [echo]"
      )
    }
    expect(await judge(files, "task r:w")).toBe("hidden-code ask")
    expect(await judge(files, "task w")).toBeNull()
  })

  it("is left alone where what it includes does no harm", async () => {
    const clean = tasks(
      "tasks:",
      "  w:",
      "    dir: build",
      "    env: {A: b}",
      "    cmds:",
      "      - rm -rf dist $A"
    )
    const files = {
      "Taskfile.yml": tasks("includes:", "  sub: ./sub", "  gone: {taskfile: ./gone, optional: true}"),
      "sub/Taskfile.yml": clean
    }
    for (const command of ["task sub:w", "task gone:w", "task w"])
      expect([command, await judge(files, command)]).toEqual([command, null])
  })
})

const just = "w:\n    rm -rf ~\n"

describe("a justfile", () => {
  it.each<readonly [string, Files, string?]>([
    [
      "imports of what it imports",
      { justfile: "import 'sub/x.just'\n", "sub/x.just": "import 'y.just'\n", "sub/y.just": just }
    ],
    ["has as a module", { justfile: "mod sub\n", "sub.just": just }, "just sub::w"],
    ["has as a module, by two words", { justfile: "mod sub\n", "sub/mod.just": just }, "just sub w"],
    ["has as a module in a folder", { justfile: "mod sub # more\n", "sub/justfile": just }, "just sub w"],
    ["has as a module elsewhere", { justfile: "mod? sub 'x/y.just'\n", "x/y.just": just }, "just sub::w"],
    ["has in a folder", { "sub/justfile": just }, "just sub/w"],
    [
      "has run by its own shell",
      { justfile: "set shell := ['./evil.sh', '-c']\nw:\n    echo\n", "evil.sh": "rm -rf ~\n" }
    ],
    ["runs for a value", { justfile: "X := `rm -rf ~`\nw:\n    echo\n" }],
    ["calls by another name", { justfile: `alias z := w\n${just}` }, "just z"],
    ["does in a folder", { justfile: "[working-directory: '/']\nw:\n    rm -rf home\n" }],
    ["does all in a folder", { justfile: "set working-directory := '/'\nw:\n    rm -rf home\n" }]
  ])("is read with what it %s", async (_, files, command = "just w") => {
    expect(await judge(files as Files, command as string)).toBe("delete-outside block")
  })

  it("is asked about where it needs a recipe of a module that it does not have", async () => {
    expect(await judge({ justfile: "w: sub::x\n    echo\n" }, "just w")).toBe("hidden-code ask")
  })

  it("is left alone where it does no harm", async () => {
    const text =
      "set shell := ['bash', '-c']\nset dotenv-load\nV := `git describe`\nalias b := build\nmod sub\n[group: 'x']\nbuild: clean\n    tsc\nclean:\n    rm -rf dist\n"
    for (const command of ["just", "just b", "just clean", "just sub w"])
      expect([
        command,
        await judge({ justfile: text, "sub.just": "w:\n    rm -rf dist\n" }, command)
      ]).toEqual([command, null])
  })
})
