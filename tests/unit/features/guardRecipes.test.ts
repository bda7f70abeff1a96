/** Recipes on the disk that a command starts by their name: scripts of a package, targets of a makefile and their like. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { classifyLooking, isCleared } from "../../../src/features/guard/look.ts"
import { readJustfile } from "../../../src/features/guard/recipes/justfile.ts"
import { readMakefile } from "../../../src/features/guard/recipes/makefile.ts"
import { fillIn, longestText } from "../../../src/features/guard/recipes/Recipe.ts"
import { readTaskfile } from "../../../src/features/guard/recipes/taskfile.ts"

const home = realpathSync(mkdtempSync(join(tmpdir(), "guard-recipes-")))
const project = join(home, "app")
mkdirSync(join(project, "sub"), { recursive: true })
mkdirSync(join(project, "long"))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const write = (name: string, lines: readonly string[]) =>
  writeFileSync(join(project, name), `${lines.join("\n")}\n`)
const scripts = {
  build: "tsc -b && vite build",
  clean: "rm -rf dist coverage",
  wipe: "rm -rf ~",
  preship: 'rm -rf "$HOME/.config"',
  ship: "echo ships",
  chain: "npm run wipe",
  many: "run-s build wipe",
  delete: "rm -rf",
  deploy: "terraform apply -auto-approve",
  again: "npm run again",
  up: "rm -rf ../app/dist"
}
write("package.json", [JSON.stringify({ name: "app", scripts }, null, 2)])
write("sub/package.json", [
  JSON.stringify({ scripts: { postinstall: "rm -rf ~", start: "rm -rf ../../app/.git" } })
])
write("long/package.json", [JSON.stringify({ scripts: { wipe: "rm -rf ~", filler: "x".repeat(70_000) } })])
write("deno.json", [JSON.stringify({ tasks: { wipe: "rm -rf ~", dev: "deno run main.ts" } })])
write("composer.json", [
  JSON.stringify({ scripts: { wipe: ["@clean", "rm -rf ~"], clean: "rm -rf var", all: ["@wipe"] } })
])
write("Makefile", [
  "OUT := dist",
  "WHERE = $(HOME)/$(NAME)",
  "NAME ?= .config",
  ".PHONY: all wipe clean",
  "all: $(OUT)/app",
  "$(OUT)/app: src/a.c",
  "\tcc -o $@ $<",
  "wipe:",
  "\t@echo bye",
  "\t-@rm -rf \\",
  "\t\t$(WHERE)",
  "purge: clean wipe",
  "clean:",
  "\trm -rf $(OUT) $(UNSET)/x *.o",
  "inner: ; rm -rf ~",
  "again:",
  "\t$(MAKE) wipe",
  "apart:",
  "\tcd /",
  "\trm -rf dist"
])
write("sub/other.mk", ["nothing:", "\techo", "wipe:", "\tfind / -delete"])
write("sub/above.mk", ["up:", "\trm -rf ../.config", "here:", "\trm -rf build"])
writeFileSync(join(home, "common.mk"), "clean:\n\trm -rf build\n")
write("sub/up.just", ["up:", "    rm -rf ../../.config", "here:", "    rm -rf .config"])
write("justfile", [
  'dir := "dist"',
  "default: build",
  "build:",
  "    npm run build",
  "# takes all",
  "wipe target='all':",
  "    echo {{target}}",
  "    @rm -rf ~/",
  "purge: build wipe",
  "clean:",
  "    rm -rf {{dir}} {{ other }}",
  "delete path:",
  "    rm -rf {{path}}",
  "script:",
  "    #!/usr/bin/env bash",
  "    set -e",
  "    cd ~",
  "    rm -rf .config",
  "program:",
  "    #!/usr/bin/env python3",
  "    rm -rf ~"
])
write("Taskfile.yml", [
  "version: '3'",
  "vars:",
  "  OUT: dist",
  "tasks:",
  "  default:",
  "    cmds:",
  "      - task: build",
  "  build:",
  "    cmds:",
  "      - go build -o {{.OUT}}/app .",
  "  wipe:",
  "    desc: takes all",
  "    cmds:",
  "    - echo bye",
  "    - cmd: rm -rf ~",
  "  purge:",
  "    deps: [build, wipe]",
  "  block:",
  "    cmds:",
  "      - |",
  "        cd ~",
  "        rm -rf .config",
  "  clean: rm -rf {{.OUT}} {{.OTHER}}",
  "  delete:",
  "    cmds:",
  "      - rm -rf {{.CLI_ARGS}}"
])

const place = { project, cwd: project, home }
const judge = async (command: string) => {
  const verdict = await classifyLooking(command, place, async () => undefined)
  return verdict === undefined ? null : `${verdict.rule} ${verdict.action}`
}

describe("a recipe that a command starts", () => {
  it.each([
    "npm run wipe",
    "npm run-script wipe --silent",
    "npm run ship",
    "npm run chain",
    "npm run many",
    "npm run delete -- ~",
    "yarn wipe",
    "yarn run wipe",
    "yarn delete ~",
    "pnpm wipe",
    "pnpm run wipe",
    "bun run wipe",
    "bun wipe",
    "node --run wipe",
    "npx run-s build wipe",
    "cd sub && npm install",
    "cd sub && npm run wipe || (cd .. && npm run wipe)",
    "npm --prefix sub ci",
    "npm --prefix long run wipe",
    "yarn --cwd=sub install",
    "sudo npm run wipe",
    "npm ci && npm run wipe",
    "deno task wipe",
    "composer wipe",
    "composer run-script all",
    "make wipe",
    "make -j8 purge",
    "make -s inner",
    "make again",
    "make clean OUT=/home",
    "gmake wipe",
    "cd sub; make -C .. wipe",
    "make -f sub/other.mk wipe",
    "make -f sub/above.mk up",
    "make -C sub -f ../sub/other.mk wipe",
    'make -f "$PWD/sub/other.mk" wipe',
    "just -f sub/up.just up",
    "just -d .. -f sub/up.just here",
    "just wipe",
    "just purge",
    "just delete ~",
    "just script",
    "just wipe -c all",
    "just build wipe",
    "just dir=/home clean",
    "task wipe",
    "task build purge",
    "task block",
    "task delete -- ~",
    "task OUT=/home clean"
  ])("is read, for what nobody ever means: %s", async (command) => {
    expect(isCleared(command, place)).toBe(false)
    expect(await judge(command)).toBe("delete-outside block")
  })

  it("means what it says in the folder that its file lies in", async () => {
    expect(await judge("npm --prefix sub start")).toBe("delete-project block")
    expect(await judge("npm run up")).toBeNull()
  })

  it("is named with its file", async () => {
    const verdict = await classifyLooking("make purge", place, async () => undefined)
    expect(verdict?.reason).toMatch(/^The recipe purge of .*\/app\/Makefile: `rm -r` deletes/)
  })

  it.each([
    "npm run build:all",
    "npm run clean",
    "npm run deploy",
    "npm run again",
    "npm run delete",
    "npm run delete -- dist",
    "npm run wipe --help",
    "npm install left-pad",
    "npm install --ignore-scripts --prefix sub",
    "npm --prefix sub run nothing",
    "npm run $SCRIPT",
    'npm --prefix "$SOMEWHERE" run wipe',
    "yarn add wipe",
    "bun test",
    "deno task dev",
    "composer install",
    "make",
    "make all",
    "make clean",
    "make -n wipe",
    "make apart",
    "make nothing",
    "make -f sub/other.mk",
    "make -C sub wipe",
    "make -C sub -f above.mk here",
    "make -f ../common.mk clean",
    "just",
    "just -f sub/up.just here",
    "just clean",
    "just program",
    "just --list",
    "just delete dist",
    "task",
    "task clean",
    "task --dry wipe"
  ])("is left to its author in all else: %s", async (command) => {
    expect(await judge(command)).toBeNull()
  })

  it("is read behind the heads of many rules that are made from the same files, and around lines that take in files that are not there", async () => {
    const heads = [
      `HEADERS = ${Array.from({ length: 120 }, (_, nth) => `src/include/header_${nth}.h`).join(" ")}`,
      ...Array.from({ length: 150 }, (_, nth) => `o${nth}.o: o${nth}.c $(HEADERS)`),
      ...Array.from({ length: 40 }, (_, nth) => `-include gone_${nth}.mk`)
    ]
    const rules = [
      "W = wipe",
      "all: $(W)",
      "wipe:",
      "\trm -rf ~",
      "clean:",
      "\trm -rf build dist",
      "test:",
      "\tgo test ./..."
    ]
    mkdirSync(join(project, "many"))
    write("many/Makefile", [...heads, ...rules])
    expect(await judge("make -C many all")).toBe("delete-outside block")
    for (const name of ["clean", "test"]) expect(await judge(`make -C many ${name}`)).toBeNull()
  })

  it("is not asked of another machine", async () => {
    expect(await judge("ssh web npm run wipe")).toBeNull()
    expect(await judge("docker run node npm run wipe")).toBeNull()
  })
})

describe("a file of recipes that was made to be slow to read", () => {
  const ofMany = (line: string) => `a:\n${line.repeat(Math.ceil(60_000 / line.length))}\n`
  const numbered = (count: number) => Array.from({ length: count }, (_, at) => `b${at}`).join(" ")
  const recipe = (kind: "make" | "just" | "task") => ({ kind, names: ["a"] })
  it.each([
    ["spaces", " ".repeat(60_000)],
    ["names", "a ".repeat(30_000)],
    ["open places", ofMany("    {{ x\n")],
    ["open places in a row", `a:\n    ${"{{".repeat(30_000)}`],
    ["assignments", ofMany("A = $(A)$(A)$(A)$(A)\n\techo $(A)\n")],
    ["recipes that need each other", ofMany("a: a b\n\techo\nb: a b\n")],
    ["colons", "a:".repeat(30_000)],
    ["targets of as many prerequisites", `${"a ".repeat(16_000)}: ${"b ".repeat(16_000)}\n\techo $^`],
    ["targets of as many commands", `${"a ".repeat(16_000)}:\n${"\techo\n".repeat(5000)}`],
    ["all prerequisites, often", `a: ${numbered(5000)}\n\techo ${"$^".repeat(8000)}\nb:\n`],
    ["a long name, often", `a: ${"b".repeat(20_000)}\n${"b".repeat(20_000)}:\n\techo ${"$@$<".repeat(5000)}`],
    ["values as prerequisites", `X = ${"b ".repeat(250)}\na: ${"$(X)".repeat(15_000)}\n\techo $^`],
    ["values in a command", `x := '${"b".repeat(500)}'\na:\n    echo ${"{{x}}".repeat(12_000)}`],
    ["parameters with values", `a${" b='c'".repeat(160)}\n`],
    ["a wide first line", `${" ".repeat(20_000)}a:\n${"b\n".repeat(20_000)}`]
    // The runner's time-out ends what grows with the square of its file, or worse.
  ])("comes to no more than its file holds: %s", (_, text) => {
    const read = [
      readMakefile(text, recipe("make"), []),
      readJustfile(text, recipe("just"), []),
      readTaskfile(`tasks:\n  a:\n    cmds:\n${text}`, recipe("task"), []),
      readTaskfile(`tasks:\n  ${text}`, recipe("task"), [])
    ]
    for (const one of read) expect(JSON.stringify(one ?? null).length).toBeLessThan(4 * 64 * 1024)
  })

  it("says of many targets what it says of one", () => {
    const rule = `${"a ".repeat(300)}: ${"b ".repeat(300)}\n\techo $< $^`
    expect(readMakefile(rule, recipe("make"), [])?.text).toBe("(echo b b\n)\n")
    const many = `X = ${"b ".repeat(250)}\na: ${"$(X)".repeat(400)}\n\techo $<`
    expect(readMakefile(many, recipe("make"), [])?.text).toBe("(echo b\n)\n")
  })

  it("fills a line until it is too long to be read, and no further", () => {
    const value = "b".repeat(500)
    expect(fillIn("$^ $^", /\$\^/g, () => value)).toBe(`${value} ${value}`)
    const filled = fillIn("$^".repeat(8000), /\$\^/g, () => value)
    expect(filled.length).toBe(longestText + 1)
  })
})

describe("a package", () => {
  const judged = async (command: string, cwd: string) =>
    (await classifyLooking(command, { ...place, cwd }, async () => undefined))?.rule
  const at = (...names: readonly string[]): string => {
    const folder = join(home, ...names)
    mkdirSync(folder, { recursive: true })
    return folder
  }
  const put = (folder: string, text: string) => writeFileSync(join(folder, "package.json"), text)
  const wipes = JSON.stringify({ scripts: { test: "rm -rf ~", wipe: "rm -rf ~" } })

  it("is read as those read it who run its scripts: behind a mark of byte order, however deep they are, where a link leads", async () => {
    const marked = at("marked")
    put(marked, `\uFEFF${wipes}`)
    expect(await judged("npm test", marked)).toBe("delete-outside")
    const top = at("top")
    put(top, wipes)
    const deep = at("top", "a", "b", "c", "d", "e", "f", "g", ".git", "..")
    expect(await judged("npm run wipe", deep)).toBe("delete-outside")
    const plain = at("plain")
    put(plain, JSON.stringify({ scripts: { test: "vitest" } }))
    const link = join(plain, "link")
    symlinkSync(at("top", "a"), link)
    expect(await judged("npm test", link)).toBe("delete-outside")
    expect(await judged("npm test", plain)).toBeUndefined()
  })

  it("is installed and tested in one", async () => {
    const folder = at("tested")
    put(folder, wipes)
    for (const command of ["npm it", "npm cit", "npm install-test"])
      expect(await judged(command, folder), command).toBe("delete-outside")
  })
})
