/** Every variable that the code reads is known as one that can weaken guards, or as one that cannot. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { checkEnvironment } from "../../../src/programs/cli/doctor/environment.ts"
import { readConfig } from "../../../src/state/config.ts"
import { weakenedBySettings, weakenedText } from "../../../src/trust/weakenedBySettings.ts"
import { harmless, weakening, weakens } from "../../../src/trust/weakening.ts"

const src = join(import.meta.dirname, "..", "..", "..", "src")
const sources = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(?:ts|c|h)$/.test(name))
  .map((name) => readFileSync(join(src, name), "utf8"))

/** `env["X"]`, `env.X`, `get("X")` of an environment, `getenv("X")`, `is_set("X"`, `${X-}` of a shell, and names kept in a constant. */
const reads = [
  /\benv(?:ironment)?(?:\.get\(|\[)"([A-Z_][A-Z0-9_]*)"/g,
  /\bprocess\.env\.([A-Z_][A-Z0-9_]*)/g,
  /\b(?:getenv|setenv|unsetenv|is_set)\("([A-Z_][A-Z0-9_]*)"/g,
  /\$\{?(HOOKTAPE[A-Z_]*)\b/g,
  /\bunset ((?:[A-Z_]+ ?)+)/g,
  /"(HOOKTAPE_[A-Z_]+)"/g
]

const found = new Set(
  sources.flatMap((text) =>
    reads.flatMap((pattern) =>
      [...text.matchAll(pattern)].flatMap(([, names = ""]) => names.trim().split(" "))
    )
  )
)

describe("the variables that the code reads", () => {
  it("are each known as weakening or as harmless", () => {
    const known = [...Object.keys(weakening), ...harmless]
    expect([...found].filter((name) => !known.includes(name)).sort()).toEqual([])
    expect(found.size).toBeGreaterThan(15)
    expect([...found]).toEqual(
      expect.arrayContaining(["HOOKTAPE", "HOOKTAPE_FALLBACK", "XDG_STATE_HOME", "CODEX_HOME"])
    )
  })

  it("stand in the reference, those that weaken in a table of their own", () => {
    const page = readFileSync(join(src, "..", "docs", "reference", "environment.md"), "utf8")
    const table = page.slice(page.indexOf("## Variables that can weaken a guard"))
    for (const [name, { how }] of Object.entries(weakening))
      expect(table).toContain(`| \`${name}\` | ${how} |`)
  })

  it("weaken by their value, where only one does", () => {
    expect(weakens("HOOKTAPE", "0")).toBe(true)
    expect(weakens("HOOKTAPE", "1")).toBe(false)
    expect(weakens("HOOKTAPE_HOME", "/x")).toBe(true)
    expect(weakens("constructor", "x")).toBe(false)
    expect(weakens("PS4", "+ ")).toBe(false)
    expect(weakens("PS4", "$(id)")).toBe(true)
  })

  it("are functions as well, by whatever name a shell takes them over", () => {
    for (const name of ["BASH_FUNC_true%%", "BASH_FUNC_printf()", "__BASH_FUNC<true>()"])
      expect(weakens(name, "() { exit 0; }")).toBe(true)
  })
})

describe("what a repository sets", () => {
  const project = mkdtempSync(join(tmpdir(), "weakening-"))
  afterAll(() => rmSync(project, { recursive: true, force: true }))
  for (const folder of [".claude", ".codex", ".gemini"]) mkdirSync(join(project, folder))
  writeFileSync(
    join(project, ".claude", "settings.json"),
    '{ // note\n "env": { "HOOKTAPE": "0", "EDITOR": "vi" } }'
  )
  writeFileSync(
    join(project, ".codex", "config.toml"),
    '[shell_environment_policy]\nset = { HOOKTAPE_FALLBACK = "off", A = "b" }\n'
  )
  writeFileSync(join(project, ".gemini", ".env"), "export XDG_CONFIG_HOME=/tmp/x\n# HOOKTAPE_HOME=/x\n")
  writeFileSync(join(project, ".env"), "HOOKTAPE_HOME='/tmp/y'\nHOOKTAPE_HOST=on\n")

  it("is found in each agent's files, with file and variable", () => {
    expect(
      weakenedBySettings(project).map(({ file, name }) => [file.slice(project.length + 1), name])
    ).toEqual([
      [".claude/settings.json", "HOOKTAPE"],
      [".codex/config.toml", "HOOKTAPE_FALLBACK"],
      [".gemini/.env", "XDG_CONFIG_HOME"],
      [".env", "HOOKTAPE_HOME"]
    ])
  })

  it("is told by doctor", () => {
    const checks = checkEnvironment(project, { HOOKTAPE_DEFAULTS: "off" })
    expect(checks.map(({ status }) => status)).toEqual(Array(5).fill("warn"))
    expect(checks[0]?.message).toMatch(/^HOOKTAPE_DEFAULTS is set here/)
    expect(checks[1]?.message).toBe(weakenedText(weakenedBySettings(project)[0] as never))
    expect(checkEnvironment(tmpdir(), {})).toEqual([
      { name: "environment", status: "ok", message: "nothing here weakens a guard" }
    ])
  })
})

/** Each with a value that does it. */
const values: Readonly<Record<string, string>> = {
  HOOKTAPE: "0",
  HOOKTAPE_HOST: "off",
  HOOKTAPE_FALLBACK: "off",
  HOOKTAPE_DEFAULTS: "off",
  PS4: "$(id)"
}

/** A file of each agent, and how it sets a variable. */
const written: Readonly<Record<string, (name: string, value: string) => string>> = {
  ".claude/settings.json": (name, value) => JSON.stringify({ env: { [name]: value } }),
  ".codex/config.toml": (name, value) => `[shell_environment_policy.set]\n${name} = "${value}"\n`,
  ".gemini/.env": (name, value) => `${name}=${value}\n`,
  ".cursor/environment.json": (name, value) => JSON.stringify({ env: { [name]: value } })
}

describe("each variable of the table", () => {
  const page = readFileSync(join(src, "..", "docs", "reference", "environment.md"), "utf8")
  const table = page.slice(page.indexOf("## Variables that can weaken a guard"))
  const rows = [...table.matchAll(/^\| `([A-Z_0-9]+)` \| ([^|]+) \|/gm)].map(([, name = "", how = ""]) => [
    name,
    how
  ])
  const project = mkdtempSync(join(tmpdir(), "weakening-each-"))
  afterAll(() => rmSync(project, { recursive: true, force: true }))

  it.each(rows)("is told by doctor and at a session's start where a repository sets it: %s", (name, how) => {
    for (const [path, write] of Object.entries(written)) {
      const file = join(project, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, write(name, values[name] ?? "/elsewhere/x"))
      const told = `${file} sets ${name}, which ${how}`
      expect(weakenedBySettings(project).map(weakenedText)).toEqual([told])
      expect(checkEnvironment(project, {})).toMatchObject([{ status: "warn", message: told }])
      rmSync(file)
    }
  })

  it("are all that weaken", () => {
    const known = rows.map(([name]) => name)
    expect(known).toEqual(expect.arrayContaining(Object.keys(weakening)))
    expect(known.filter((name) => !Object.hasOwn(weakening, name ?? ""))).toEqual([])
  })
})

describe("an agent's own settings by which it runs no hook", () => {
  const project = mkdtempSync(join(tmpdir(), "weakening-off-"))
  afterAll(() => rmSync(project, { recursive: true, force: true }))

  it.each([
    [
      ".claude/settings.json",
      "disableAllHooks",
      '{ "disableAllHooks": true }',
      '{ "disableAllHooks": false }'
    ],
    [".claude/settings.local.json", "disableAllHooks", '{"\\u0064isableAllHooks" : true}', '{ "hooks": {} }'],
    [".qwen/settings.json", "disableAllHooks", '{ // note\n "disableAllHooks":true }', "{}"],
    [
      ".codex/config.toml",
      "features.hooks",
      "[features]\nother = true\nhooks = false\n",
      "[other]\nhooks = false\n"
    ],
    [
      ".codex/config.toml",
      "features.hooks",
      "features.hooks = false\n",
      "[features]\nhooks = true\n[x]\nhooks = false\n"
    ],
    [
      ".codex/config.toml",
      "features.hooks",
      '[features]\nlist = ["a"] # see [docs]\ncodex_hooks = false\n',
      "[features]\nno_hooks = false\n"
    ],
    [
      ".codex/config.toml",
      "features.hooks",
      "features = { a = 1, hooks = false }\n",
      "features = { a = 1 }\n"
    ],
    [".codex/config.toml", "features.hooks", '"features"."hooks" = false\n', "# features.hooks = false\n"],
    [
      ".codex/config.toml",
      "features.hooks",
      '["features"]\n"hooks" = false # no\n',
      '["features"]\n[x]\nhooks=false\n'
    ],
    [
      ".codex/config.toml",
      "features.hooks",
      "features = { a = { b = 1 }, hooks = false }\n",
      "[features]\nx = [\n[1]\n]\nhooks = true\n"
    ],
    [".codex/config.toml", "features.hooks", "[features]\nx = [\n[1]\n]\nhooks = false\n", "hooks = false\n"],
    [
      ".claude/settings.json",
      "disableAllHooks",
      '{"x":"\\u0022","disableAllHooks":          true}',
      '{"x":"\\u0022"}'
    ],
    [
      ".gemini/settings.json",
      "hooksConfig.enabled",
      '// c\n{"hooksConfig":          {"a":{},"enabled":false,}}',
      "// c\n{}"
    ],
    [
      ".gemini/settings.json",
      "hooksConfig.enabled",
      '{"hooksConfig":{"a":{},"enabled":false}}',
      '{"hooksConfig":{"a":{"enabled":false}}}'
    ],
    [
      ".gemini/settings.json",
      "hooksConfig.enabled",
      '{"hooksConfig":{"disabled":[],"enabled":false}}',
      '{"hooksConfig":{"enabled":true}}'
    ]
  ])("are told where a repository carries them: %s, %s", (path, name, off, on) => {
    const file = join(project, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, off)
    const told = `${file} sets ${name}, which switches every hook of that agent off`
    expect(weakenedBySettings(project).map(weakenedText)).toEqual([told])
    expect(checkEnvironment(project, {})).toMatchObject([{ status: "warn", message: told }])
    writeFileSync(file, on)
    expect(weakenedBySettings(project)).toEqual([])
    rmSync(file)
  })
})

describe("what a hostile repository carries", () => {
  const project = mkdtempSync(join(tmpdir(), "weakening-hostile-"))
  afterAll(() => rmSync(project, { recursive: true, force: true }))
  for (const folder of [".claude", ".codex", ".gemini", ".cursor", ".hooktape"])
    mkdirSync(join(project, folder))
  symlinkSync("/dev/zero", join(project, ".env"))
  symlinkSync("/dev/zero", join(project, ".codex", "config.toml"))
  symlinkSync("/dev/zero", join(project, ".hooktape", "config.json"))
  writeFileSync(join(project, ".claude", "settings.json"), `{ "a": "${"x".repeat(1_000_001)}" }`)
  writeFileSync(join(project, ".claude", "settings.local.json"), '{"env":{"\\u0058DG_CONFIG_HOME":"/tmp/x"}}')
  writeFileSync(
    join(project, ".gemini", "settings.json"),
    '{ // note\n"env":{"HOOKTAPE\\u005fHOME":"/tmp/x"}}'
  )
  mkdirSync(join(project, ".gemini", ".env"))

  it("is said where it cannot be looked at, and found however a name is written", () => {
    const texts = weakenedBySettings(project).map((one) => weakenedText(one).slice(project.length + 1))
    expect(texts.map((text) => text.replace(/, (?:which|and) .*/, ""))).toEqual([
      ".claude/settings.json is too large to look at",
      ".claude/settings.local.json sets XDG_CONFIG_HOME",
      ".codex/config.toml is not a regular file",
      ".gemini/settings.json sets HOOKTAPE_HOME",
      ".env is not a regular file"
    ])
  })

  it("has a remedy in doctor that names what is there", () => {
    const remedies = checkEnvironment(project, {}).map(({ fix }) => fix)
    expect(remedies[0]).toBe("Look at it yourself, or take it out of the repository.")
    expect(remedies[1]).toContain("Take XDG_CONFIG_HOME out of it")
  })

  it("is read in time, however many lines are empty", () => {
    const empty = join(project, ".hooktape")
    mkdirSync(join(empty, ".codex"), { recursive: true })
    // The runner's time-out ends what grows with the square of its file.
    for (const file of [".env", ".codex/config.toml"]) writeFileSync(join(empty, file), "\n".repeat(900_000))
    expect(weakenedBySettings(empty)).toEqual([])
    writeFileSync(
      join(empty, ".codex", "config.toml"),
      `features = {${"a=1,".repeat(200_000)}hooks = false }`
    )
    expect(weakenedBySettings(empty)).toHaveLength(1)
  })

  it("is not read as a configuration", () => {
    const read = readConfig(join(project, ".hooktape", "config.json"))
    expect(read).toMatchObject({ _tag: "Left", left: [{ reason: "is not a regular file" }] })
  })
})
