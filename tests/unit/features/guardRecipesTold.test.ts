/** Which recipe a command starts, whatever else it is told, and what the recipe's file makes of its own variables. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { classifyLooking, isCleared } from "../../../src/features/guard/look.ts"

const home = realpathSync(mkdtempSync(join(tmpdir(), "guard-told-")))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const place = (folder: string) => {
  const project = join(home, folder)
  return { project, cwd: project, home, environment: { HOME: home } }
}
const write = (name: string, text: string) => {
  const file = join(home, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
const judge = async (folder: string, command: string) => {
  const verdict = await classifyLooking(command, place(folder), async () => undefined)
  return verdict === undefined ? null : `${verdict.rule} ${verdict.action}`
}

const scripts = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`s${at}`, "tsc"]))
const pieces = Object.keys(scripts).map((name) => `npm run ${name}`)
write(
  "app/package.json",
  JSON.stringify({
    scripts: {
      ...scripts,
      wipe: "rm -rf ~",
      preship: "rm -rf ~",
      ship: "echo",
      postinstall: "rm -rf ~",
      tags: "rm -rf",
      deep: "npm run deep1",
      deep1: "npm run deep2",
      deep2: "npm run deep3",
      deep3: "npm run deep4",
      deep4: "npm run wipe",
      all: pieces.slice(0, 20).join(" && "),
      ever: pieces.join(" && "),
      a: "npm run b",
      b: "npm run a"
    }
  })
)
const prerequisites = Array.from({ length: 45 }, (_, at) => `p${at}`)
const make = `
wipe: ; rm -rf ~
clean: ; rm -rf build/$(V)
all: ${prerequisites.join(" ")} wipe
${prerequisites.map((name) => `${name}: ; echo ${name}`).join("\n")}
`
write("app/Makefile", make)
write("app/main", make)
write("app/client/Makefile", make)
write("app/test/Makefile", make)
write("app/justfile", "wipe3 *args:\n    {{args}}\nwipe:\n    rm -rf ~\nshow *args:\n    echo {{args}}\n")
write(
  "app/Taskfile.yml",
  'tasks:\n  wipe:\n    cmds:\n      - rm -rf ~\n  listed:\n    aliases: [l, li]\n    cmds: [echo a, "rm -rf ~"]\n'
)
write("app/deno.json", JSON.stringify({ tasks: { wipe: "rm -rf ~" } }))
write("huge/package.json", JSON.stringify({ scripts: { build: "tsc", filler: "x".repeat(2_000_000) } }))
write(
  "long/Makefile",
  `all:\n${"\techo a line of a recipe that goes on and on\n".repeat(5000)}\trm -rf ~ ${"dist ".repeat(50)}\n`
)
write("lengthy/Makefile", `all:\n${"\techo a line of a recipe that goes on and on\n".repeat(5000)}`)

describe("a recipe that is started", () => {
  it.each([
    "make -Cclient wipe",
    "make -C client wipe",
    "make -fmain wipe",
    "make -Ctest wipe",
    "make -Otarget wipe",
    "make -j 8 wipe",
    "make -kj8 wipe",
    "make wipe -- -n",
    "make -- wipe",
    "make all",
    "make wipe V=$(git describe)",
    'make wipe VERSION="$VERSION"',
    'make "$MORE" wipe',
    "task wipe -- --help",
    "task wipe -- -n",
    "task -o prefixed wipe",
    "task listed",
    "task li",
    "npm run wipe --ignore-scripts",
    "npm run wipe --workspaces=false",
    "npm run wipe -F",
    "npm run wipe -r",
    "npm run wipe -g",
    'npm run wipe -- --tag "$TAG"',
    "npm --loglevel silent run wipe",
    "npm --loglevel=silent run wipe",
    "npm --some-option value run wipe",
    "npm --silent run wipe",
    "npm run deep",
    "npm run s0 && npm run s1 && npm run s2 && npm run s3 && npm run wipe",
    "pnpm run wipe --help",
    "pnpm -r run wipe",
    "pnpm wipe -r",
    "pnpm --reporter silent run wipe",
    "pnpm --some-option value run wipe",
    "pnpm --silent wipe",
    "pnpm tags ~",
    "pnpm run tags -- ~",
    "yarn wipe --help",
    "yarn --cwd . wipe -h",
    "bun run wipe -h",
    "bun --silent run wipe --filter x",
    "deno task wipe --help",
    "just wipe3 rm -rf /",
    "just wipe -n",
    "just wipe -l",
    "just wipe -s",
    "just --set x y wipe",
    "npm run wipe -ws",
    "npm run wipe --workspace a",
    "npm -w a run wipe",
    "pnpm -F a run wipe",
    "pnpm --filter a wipe",
    "bun --filter a run wipe",
    "yarn workspace a wipe"
  ])("is read: %s", async (command) => {
    expect(isCleared(command, place("app"))).toBe(false)
    expect(await judge("app", command)).toBe("delete-outside block")
  })

  it.each([
    "npm run ship --ignore-scripts",
    "npm ci --ignore-scripts",
    "npm run wipe --help",
    "npm run all",
    "npm run a",
    "npm run s1 -- wipe",
    "pnpm --help wipe",
    "pnpm run s1 wipe",
    "make -n wipe",
    "make -sn wipe",
    "make wipe -n",
    "make --dry-run wipe",
    "make -C client -q wipe",
    'make clean V="$V"',
    "make clean V=$(git describe)",
    "make p1 -j8",
    'make "$TARGET"',
    "just -n wipe",
    "just -l wipe",
    "just show wipe",
    "just show rm -rf /",
    "task --dry wipe",
    "task wipe --help",
    "deno task --help wipe"
  ])("is another, or only shown: %s", async (command) => {
    expect(await judge("app", command)).toBeNull()
  })

  it("is no question where nothing that is left out would be stopped", async () => {
    expect(await judge("lengthy", "make")).toBeNull()
  })

  it.each([
    ["huge", "npm run build"],
    ["long", "make"],
    ["app", "npm run ever"],
    ["app", pieces.join(" && ")]
  ])("is asked about where it cannot be read to its end: %s %#", async (folder, command) => {
    expect(await judge(folder, command)).toBe("hidden-code ask")
  })
})

const recipeOf = async (file: string, text: string, command: string) => {
  write(`one/${file}`, text)
  const found = await judge("one", command)
  rmSync(join(home, "one", file))
  return found
}

describe("a makefile", () => {
  it.each<readonly [what: string, text: string, command?: string]>([
    ["either way of a condition", "ifeq ($(X),)\nDIR=$(HOME)\nelse\nDIR=build\nendif\nw:\n\trm -rf $(DIR)"],
    [
      "the other way of a condition",
      "ifeq ($(X),)\nDIR=build\nelse\nDIR=$(HOME)\nendif\nw:\n\trm -rf $(DIR)"
    ],
    ["a condition that may not hold", "DIR=$(HOME)\nifdef CI\nDIR=build\nendif\nw:\n\trm -rf $(DIR)"],
    ["a variable of one letter", "D = $(HOME)\nw:\n\trm -rf $D"],
    ["several lines under one name", "define wipe\necho\n@rm -rf ~\nendef\nw:\n\t$(wipe)"],
    ["a function of its own", "define wipe\nrm -rf $(1)/x\nendef\nw:\n\t$(call wipe,$(HOME))"],
    ["a variable of the target", "w: DIR = $(HOME)\nw:\n\trm -rf $(DIR)"],
    ["a variable of what needs the target", "w: export DIR := $(HOME)\nw: x\nx:\n\trm -rf $(DIR)"],
    ["a target with its folder", "./w:\n\trm -rf ~"],
    ["a target with its folder, named without", "w:\n\trm -rf ~", "make ./w"],
    ["what it gives the shell", "export D := $(HOME)\nw:\n\trm -rf $$D"],
    ["a pattern", "w-%:\n\trm -rf $(HOME)/$*", "make w-x"],
    ["a function that changes nothing", "w:\n\trm -rf $(strip $(HOME)/x)"],
    ["names that the shell has to find", "w:\n\trm -rf $(wildcard $(HOME)/*)"],
    ["a choice", "w:\n\trm -rf $(or $(DIR),$(HOME))"],
    ["arguments of the shell", "w:\n\tset -- ~; rm -rf $$@"],
    ["a name with a dash", "MY-DIR = $(HOME)\nw:\n\trm -rf $(MY-DIR)"]
  ])("is read with %s", async (_, text, command = "make w") => {
    expect(await recipeOf("Makefile", `${text}\n`, command)).toBe("delete-outside block")
  })

  it.each<readonly [what: string, text: string, command?: string]>([
    ["a default", "ifndef DIR\nDIR := build\nendif\nw:\n\trm -rf $(DIR)/*"],
    ["the folder that it is in", "w:\n\trm -rf $(CURDIR)/build"],
    ["a variable of another target", "x: DIR = $(HOME)\nDIR = build\nx:\n\techo\nw:\n\trm -rf $(DIR)"],
    ["what the command sets", "w: DIR = $(HOME)\nw:\n\trm -rf $(DIR)", "make w DIR=build"],
    ["a list of names", "w:\n\trm -f $(OBJS:.c=.o) $(wildcard *.o)"],
    ["a target's own folder", "build/w:\n\trm -rf $(@D)/x $@", "make build/w"]
  ])("means what it says of %s", async (_, text, command = "make w") => {
    expect(await recipeOf("Makefile", `${text}\n`, command)).toBeNull()
  })

  it("is read with what it includes", async () => {
    write("one/mk/more.mk", "w:\n\trm -rf ~\n")
    expect(await recipeOf("Makefile", "-include mk/none.mk mk/more.mk\n", "make w")).toBe(
      "delete-outside block"
    )
    expect(await recipeOf("Makefile", "include $(X)/more.mk\nw:\n\techo\n", "make w")).toBeNull()
    write("one/mk/again.mk", "include mk/again.mk\nw:\n\techo\n")
    expect(await recipeOf("Makefile", "include mk/again.mk\n", "make w")).toBeNull()
  })
})

describe("a justfile", () => {
  it.each<readonly [what: string, text: string, command?: string]>([
    ["a variable that the shell is given", "export D := '/'\nw:\n    rm -rf $D"],
    ["all variables given to the shell", "set export\nD := '/'\nw:\n    rm -rf $D"],
    ["a comment behind a value", 'D := "/" # root\nw:\n    rm -rf {{D}}'],
    ["a parameter that the shell is given", "w $P='/':\n    rm -rf $P"],
    ["a value made of others", "A := '/sr'\nD := A + 'v' / 'x'\nw:\n    rm -rf {{D}}"],
    ["the environment", "D := env_var('HOME')\nw:\n    rm -rf {{D}}"],
    ["a value that is made in its place", "w:\n    rm -rf {{ env('HOME') / 'x' }}"],
    ["a value that stands behind", "w:\n    rm -rf {{D}}\nD := '/'"],
    ["what it hands on", "w: (x '/')\nx dir:\n    rm -rf {{dir}}"],
    ["what the command sets", "D := 'dist'\nw:\n    rm -rf {{D}}", "just --set D / w"],
    ["what it imports", "import 'more.just'\n"]
  ])("is read with %s", async (_, text, command = "just w") => {
    write("one/more.just", "w:\n    rm -rf ~\n")
    expect(await recipeOf("justfile", `${text}\n`, command)).toBe("delete-outside block")
  })

  it.each<readonly [what: string, text: string, command?: string]>([
    ["its own folder", "w:\n    rm -rf {{justfile_directory()}}/dist"],
    ["what only the run tells", "D := `git rev-parse HEAD`\nw:\n    rm -rf {{D}}/* {{other()}}/*"],
    ["a parameter", "w dir:\n    rm -rf {{dir}}", "just w dist"]
  ])("means what it says of %s", async (_, text, command = "just w") => {
    expect(await recipeOf("justfile", `${text}\n`, command)).toBeNull()
  })
})

describe("a Taskfile", () => {
  it.each<readonly [what: string, text: string]>([
    ["a variable of the task", "tasks:\n  w:\n    vars:\n      D: /\n    cmds:\n      - rm -rf {{.D}}"],
    [
      "a variable of others",
      "vars:\n  A: /srv\n  D: '{{.A}}/x'\ntasks:\n  w:\n    cmds:\n      - rm -rf {{.D}}"
    ],
    ["a command with more beside it", "tasks:\n  w:\n    cmds:\n      - silent: true\n        cmd: rm -rf ~"],
    ["a comma in quotes", "tasks:\n  w:\n    cmds: [\"echo a, b\", 'rm -rf ~']"]
  ])("is read with %s", async (_, text) => {
    expect(await recipeOf("Taskfile.yml", `${text}\n`, "task w")).toBe("delete-outside block")
  })

  it("asks the run for what a command prints", async () => {
    const text =
      "vars:\n  D:\n    sh: git rev-parse --show-toplevel\ntasks:\n  w:\n    cmds:\n      - rm -rf {{.D}}/*\n"
    expect(await recipeOf("Taskfile.yml", text, "task w")).toBeNull()
  })
})
