/** format-on-edit: the right command for a language, in the project only, a skip where there is none, a hint where it fails. */
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { Intent, JsonObject } from "../../../events/intents.ts"
import { languageOf } from "../../../src/agents/language.ts"
import { formatOnEdit } from "../../../src/features/format/formatOnEdit.ts"
import { chosenBy, configured, editionIn } from "../../../src/features/format/formatters.ts"
import { makeHandlerServices } from "../../../src/runtime/services/handlerServices.ts"

let root: string
let project: string
let bin: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "format-")))
  project = join(root, "project")
  bin = join(root, "bin")
  for (const folder of [project, bin]) mkdirSync(folder)
  // Without a repository nobody can tell what was installed from what came with it.
  execFileSync("git", ["init", "-q"], { cwd: project })
  // Nothing of this machine formats here.
  const git = dirname(execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim())
  vi.stubEnv("PATH", [bin, git, "/bin"].join(delimiter))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true, force: true })
})

const put = (path: string, text = ""): string => {
  const file = join(project, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}
/** A program that notes how it was called, then does this with its last argument as `$f`. */
const program = (path: string, act: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `#!/bin/sh\necho "$(basename "$0") $*" >> '${root}/calls'\nfor f; do :; done\n${act}\n`)
  chmodSync(path, 0o755)
}
const formatter = (name: string, act = 'echo formatted >> "$f"') => program(join(bin, name), act)
const tool = (path: string, act = 'echo formatted >> "$f"') => program(join(project, path), act)
const calls = (): readonly string[] => {
  try {
    return readFileSync(join(root, "calls"), "utf8").trim().replaceAll(project, "").split("\n")
  } catch {
    return []
  }
}

interface Edited {
  readonly change?: string
  readonly settings?: JsonObject
}

/** What the hook answers, or how it fails; a replay of it, with all formatters gone, must say the same. */
const edit = async (
  path: string,
  { change = "update", settings = {} }: Edited = {}
): Promise<Intent | string | undefined> => {
  const asking = { handler: "format-on-edit", event: "file.edited", index: 0, attempt: 1 }
  const run = async (handlerServices: ReturnType<typeof makeHandlerServices>) => {
    const context = {
      path,
      change,
      language: languageOf(path),
      cwd: project,
      project,
      settings: { ...formatOnEdit.settings, ...settings },
      services: handlerServices.services(project, {})
    }
    try {
      const said = (await formatOnEdit.run(context as never)) as Intent | readonly Intent[] | undefined
      return said === undefined ? undefined : [said].flat()[0]
    } catch (error) {
      return (error as Error).message
    }
  }
  const elapsed = () => 0
  const live = makeHandlerServices({ project, elapsed }, asking)
  const said = await run(live)
  const recorded = JSON.parse(JSON.stringify(live.end()))
  const made = calls()
  expect(await run(makeHandlerServices({ project, elapsed, recorded }, asking))).toEqual(said)
  expect(calls()).toEqual(made)
  return said
}

const told = (path: string) => ({
  type: "MODEL_CONTEXT",
  text: `${path} was formatted after your edit: read it again before you change it.`
})
const skipped = (why: RegExp) => ({ type: "DIAGNOSTIC", level: "debug", message: expect.stringMatching(why) })

describe("format-on-edit", () => {
  it("fixes Python by ruff, then formats it", async () => {
    formatter("ruff")
    put("src/a b.py", "x=1\n")
    expect(await edit("src/a b.py")).toEqual(told("src/a b.py"))
    expect(calls()).toEqual([
      "ruff check --fix --exit-zero --quiet --no-cache /src/a b.py",
      "ruff format --quiet --no-cache /src/a b.py"
    ])
  })

  it("takes Go and Rust by their own, Rust with its edition", async () => {
    for (const name of ["gofmt", "rustfmt"]) formatter(name)
    put("main.go")
    put("crate/src/lib.rs")
    expect(await edit("main.go")).toEqual(told("main.go"))
    await edit(join(project, "crate/src/lib.rs"))
    put("crate/Cargo.toml", '[package]\nname = "x"\nedition = "2021"\n')
    await edit("crate/src/lib.rs")
    expect(calls()).toEqual([
      "gofmt -w /main.go",
      "rustfmt /crate/src/lib.rs",
      "rustfmt --edition 2021 /crate/src/lib.rs"
    ])
  })

  it("takes JavaScript and TypeScript by what the project says, nearest first", async () => {
    tool("node_modules/.bin/prettier")
    tool("node_modules/.bin/biome")
    put("a.ts")
    put("packages/web/b.jsx")
    expect(await edit("a.ts")).toEqual(skipped(/neither prettier nor biome/))
    put("package.json", '{ "devDependencies": { "prettier": "3" } }')
    expect(await edit("a.ts")).toEqual(told("a.ts"))
    put("packages/web/biome.json", "{}")
    expect(await edit("packages/web/b.jsx")).toEqual(told("packages/web/b.jsx"))
    tool("packages/web/node_modules/.bin/biome")
    await edit("packages/web/b.jsx")
    expect(calls()).toEqual([
      "prettier --write --ignore-unknown --log-level warn /a.ts",
      "biome format --write --no-errors-on-unmatched /packages/web/b.jsx",
      "biome format --write --no-errors-on-unmatched /packages/web/b.jsx"
    ])
  })

  it("does not run what is committed to the repository, unless told to", async () => {
    tool("node_modules/.bin/prettier")
    put(".prettierrc")
    put("a.js")
    const git = (...args: string[]) => execFileSync("git", args, { cwd: project, stdio: "ignore" })
    expect(await edit("a.js")).toEqual(told("a.js"))
    git("add", "-f", "node_modules")
    expect(await edit("a.js")).toEqual(skipped(/is committed to the repository/))
    expect(await edit("a.js", { settings: { projectTools: true } })).toEqual(told("a.js"))
    expect(calls()).toHaveLength(2)
  })

  it("formats for real where biome does", async () => {
    put("biome.json", "{}")
    const file = put("a.ts", "const a   = 1;const  b=2\n")
    mkdirSync(join(project, "node_modules", ".bin"), { recursive: true })
    symlinkSync(
      fileURLToPath(new URL("../../../node_modules/.bin/biome", import.meta.url)),
      join(project, "node_modules", ".bin", "biome")
    )
    vi.stubEnv("PATH", `${dirname(process.execPath)}${delimiter}${process.env["PATH"]}`)
    expect(await edit("a.ts")).toEqual(told("a.ts"))
    expect(readFileSync(file, "utf8")).toBe("const a = 1;\nconst b = 2;\n")
    // Nothing changes a second time, and nothing is said.
    expect(await edit("a.ts")).toBeUndefined()
  })

  it("leaves other languages and deleted files alone, and succeeds", async () => {
    formatter("ruff")
    put("a.md")
    expect(await edit("a.md")).toBeUndefined()
    expect(await edit("gone.py", { change: "delete" })).toBeUndefined()
    expect(calls()).toEqual([])
  })

  it("skips where the formatter is not there", async () => {
    put("a.py")
    expect(await edit("a.py")).toEqual(skipped(/there is no ruff/))
  })

  it("fails with what the formatter said, and hints", async () => {
    formatter("ruff", 'echo "error: cannot parse" >&2; exit 2')
    put("a.py")
    const message = "ruff ended with 2, a.py may not be formatted: error: cannot parse"
    expect(await edit("a.py")).toBe(message)
    expect(formatOnEdit.onError?.(new Error(message), {} as never)).toEqual({
      type: "USER_HINT",
      text: `format-on-edit: ${message}`
    })
    formatter("ruff", "sleep 600")
    expect(await edit("a.py", { settings: { timeout: 200 } })).toMatch(/^ruff was not done within 200 ms/)
  })

  it("touches nothing outside of the project, also not through a link", async () => {
    formatter("ruff")
    writeFileSync(join(root, "outside.py"), "")
    symlinkSync(join(root, "outside.py"), join(project, "link.py"))
    for (const path of ["../outside.py", "link.py", "nothing.py", "."]) {
      if (path !== ".") expect(await edit(path), path).toEqual(skipped(/is no file of this project/))
    }
    expect(calls()).toEqual([])
  })

  it("does as it is set", async () => {
    formatter("black")
    put("a.py")
    put("a.css")
    const commands = { python: [["black", "-q", "{file}"]], css: [["no-such-thing", "{file}"]], go: false }
    expect(await edit("a.py", { settings: { commands, tell: false } })).toBeUndefined()
    expect(calls()).toEqual(["black -q /a.py"])
    expect(await edit("a.css", { settings: { commands } })).toEqual(skipped(/there is no no-such-thing/))
    put("a.go")
    expect(await edit("a.go", { settings: { commands } })).toBeUndefined()
    expect(await edit("a.py", { settings: { commands: { python: "black" } } })).toMatch(
      /is no list of commands/
    )
  })

  it("is where the requirements want it", () => {
    expect(formatOnEdit).toMatchObject({
      on: "file.edited",
      priority: 100,
      deadline: "30 seconds",
      settings: { timeout: 30_000 }
    })
  })
})

describe("which formatter", () => {
  it("is told by files and by package.json", () => {
    expect(chosenBy([".prettierrc.json"], undefined)).toEqual({ biome: false, prettier: true })
    expect(chosenBy(["prettier.config.mjs", "biome.jsonc"], undefined)).toEqual({
      biome: true,
      prettier: true
    })
    expect(chosenBy([], '{ "prettier": {} }')).toEqual({ biome: false, prettier: true })
    expect(chosenBy([], '{ "dependencies": { "@biomejs/biome": "2" } }')).toEqual({
      biome: true,
      prettier: false
    })
    for (const manifest of ["", "null", "[]", "{", '{ "dependencies": 7 }'])
      expect(chosenBy(["readme.md"], manifest)).toEqual({ biome: false, prettier: false })
  })

  it("can be set by language", () => {
    expect(configured({}, "go")).toBeUndefined()
    expect(configured({ commands: { go: false } }, "go")).toBe(false)
    expect(configured({ commands: { go: [["a", "b"]] } }, "go")).toEqual([["a", "b"]])
    for (const wrong of [true, [], [[]], [["", "x"]], [["a", 1]], "gofmt"])
      expect(() => configured({ commands: { go: wrong } } as never, "go")).toThrow(/no list of commands/)
  })

  it("Rust's edition stands in Cargo.toml", () => {
    expect(editionIn('[package]\nedition = "2024" # new\n')).toBe("2024")
    expect(editionIn("[package]\nedition.workspace = true\n")).toBeUndefined()
  })
})
