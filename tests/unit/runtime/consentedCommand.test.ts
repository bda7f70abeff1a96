import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { type ConsentedFile, consentedCommand } from "../../../src/runtime/consentedCommand.ts"
import { hashOf } from "../../../src/trust/digest.ts"

const place = mkdtempSync(join(homedir(), "consented-"))

const put = (base: string, file: string, text: string): ConsentedFile => {
  const path = join(base, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return { file, sha256: hashOf(text), content: Buffer.from(text).toString("base64") }
}

const repository = (name: string) => {
  const base = join(place, name)
  const files = [
    put(base, "tools/guard.py", "import rules.names\nprint(rules.names.word)\n"),
    put(base, "tools/rules/__init__.py", ""),
    put(base, "tools/rules/names.py", 'word = "consented"\n')
  ]
  const line = (owned = false) =>
    consentedCommand({
      base,
      files,
      owned,
      parts: ["python3 ", { file: "tools/guard.py", bare: true }]
    })
  return { base, line }
}

const python = spawnSync("python3", ["-c", "0"]).status === 0

const compiles = `
import importlib.util, py_compile, sys
source, evil = sys.argv[1:]
py_compile.compile(evil, importlib.util.cache_from_source(source), doraise=True,
  invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
`

describe("the command line of an external hook", () => {
  it("runs where the files lie, and Python is told no place for what it compiles", () => {
    const { base, line } = repository("plain")
    const { command, end, env } = line()
    expect(command).toBe(`python3 ${join(base, "tools/guard.py")}`)
    expect(env).toEqual({ PYTHONDONTWRITEBYTECODE: "1", PYTHONPYCACHEPREFIX: "" })
    end()
    expect(existsSync(join(base, "tools/guard.py"))).toBe(true)
  })

  it("has Python look into an empty folder where something compiled lies beside any of the files", () => {
    const { base, line } = repository("compiled")
    mkdirSync(join(base, "tools/rules/__pycache__"))
    const { command, end, env } = line()
    expect(command).toBe(`python3 ${join(base, "tools/guard.py")}`)
    const folder = env["PYTHONPYCACHEPREFIX"] ?? ""
    expect(readdirSync(folder)).toEqual([])
    end()
    expect(existsSync(folder)).toBe(false)
  })

  it("takes nothing from the environment of the user's own", () => {
    const { base, line } = repository("owned")
    mkdirSync(join(base, "tools/__pycache__"))
    expect(line(true).env).toEqual({})
  })

  it("runs from a copy where a file changed, which is gone afterwards", () => {
    const { base, line } = repository("changed")
    writeFileSync(join(base, "tools/rules/names.py"), 'word = "changed"\n')
    const { command, end, env } = line()
    const copy = command.replace("python3 ", "")
    expect(copy).not.toBe(join(base, "tools/guard.py"))
    expect(readFileSync(join(dirname(copy), "rules/names.py"), "utf8")).toContain("consented")
    expect(env["PYTHONPYCACHEPREFIX"]).toBe("")
    end()
    expect(existsSync(copy)).toBe(false)
  })

  it.runIf(python)("runs no Python that was compiled of something else", () => {
    const { base, line } = repository("planted")
    const evil = join(base, "evil.py")
    writeFileSync(evil, 'word = "planted"\n')
    execFileSync("python3", ["-c", compiles, join(base, "tools/rules/names.py"), evil])
    const { command, end, env } = line()
    const run = (more: object) =>
      execFileSync("/bin/sh", ["-c", command], { encoding: "utf8", env: { ...process.env, ...more } }).trim()
    expect(run({ PYTHONPYCACHEPREFIX: "" })).toBe("planted")
    expect(run(env)).toBe("consented")
    end()
  })

  it.runIf(python)("lets a hook compile a file, as its agent would", () => {
    const { base, line } = repository("compiling")
    const { env } = line()
    const edited = join(base, "edited.py")
    writeFileSync(edited, "x = 1\n")
    const { status, stderr } = spawnSync("python3", ["-m", "py_compile", edited], {
      encoding: "utf8",
      env: { ...process.env, ...env }
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  })
})
