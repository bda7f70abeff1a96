/** `hooktape check`: what continuous integration says of a project's hooks, the same for everybody. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import type { Checked } from "../../../src/tools/check/Finding.ts"
import { command } from "../../support/command.ts"
import { type Station, station } from "../../support/entrypoint.ts"

const hook = (name: string, on: string, said: string) => `import { defineHook, userHint } from "hooktape"
export default defineHook({ name: "${name}", on: "${on}", run: () => userHint(${said}) })
`

const put = (place: Station, file: string, text: string): void => {
  const path = join(place.project, ...file.split("/"))
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const checked = async (place: Station, ...words: readonly string[]) => {
  const { code, stderr, stdout } = await command(place, "check", "--json", ...words)
  expect(stderr).toBe("")
  const { checks, ok } = JSON.parse(stdout) as { ok: boolean; checks: readonly Checked[] }
  expect(code).toBe(ok ? 0 : 1)
  return Object.fromEntries(checks.map((one) => [one.check, one]))
}

const call = (command: string): string =>
  JSON.stringify({
    agent: "claude-code",
    event: "PreToolUse",
    payload: { session_id: "s", hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command } }
  })

it("looks at hooks, fixtures and what is registered for everyone, and fails where a reply is another", async () => {
  const place = await station()
  put(place, ".hooktape/hooks/hints.ts", hook("hints", "tool.before", '"hello"'))
  put(place, ".hooktape/fixtures/ls.json", call("ls"))
  const missing = await checked(place)
  expect(missing["build"]).toMatchObject({ looked: [".hooktape/hooks/hints.ts"], findings: [] })
  expect(missing["fixtures"]?.findings).toMatchObject([{ rule: "fixture-without-reply", level: "error" }])
  const [, words = ""] = /hooktape (install [^,]+)/.exec(missing["registration"]?.skipped ?? "") ?? []
  expect(words).toContain("--scope project")
  expect(await command(place, ...words.split(" "), "--dry-run")).toMatchObject({ code: 0, stderr: "" })

  expect((await command(place, "test", "--update")).code).toBe(0)
  expect((await checked(place))["fixtures"]?.findings).toEqual([])

  put(place, ".hooktape/hooks/hints.ts", hook("hints", "tool.before", '"goodbye"'))
  put(place, ".hooktape/fixtures/broken.json", "{")
  mkdirSync(join(dirname(place.project), ".git"))
  const different = await checked(place, "--junit", "out/hooks.xml", "--sarif", "out/hooks.sarif")
  expect(different["fixtures"]?.looked).toEqual([
    ".hooktape/fixtures/broken.json",
    ".hooktape/fixtures/ls.json"
  ])
  expect(different["fixtures"]?.findings).toMatchObject([
    { rule: "fixture-broken", file: ".hooktape/fixtures/broken.json" },
    { rule: "fixture-different", file: ".hooktape/fixtures/ls.json" }
  ])
  const written = (name: string) => readFileSync(join(place.project, "out", name), "utf8")
  const xml = written("hooks.xml")
  expect(xml).toContain('<failure type="fixture-different"')
  expect(xml.slice(xml.indexOf('<failure type="fixture-different"'))).toMatch(
    /&#10;-[^\n]*hello.*&#10;\+[^\n]*goodbye/
  )
  const [run] = JSON.parse(written("hooks.sarif")).runs
  expect(
    run.results.map(
      ({ locations: [one] }: { locations: readonly { physicalLocation: object }[] }) => one?.physicalLocation
    )
  ).toMatchObject([
    { artifactLocation: { uri: "project/.hooktape/fixtures/broken.json" } },
    { artifactLocation: { uri: "project/.hooktape/fixtures/ls.json" } }
  ])
})

it("tests all others beside a fixture that is nested too deep to be read", async () => {
  const place = await station()
  put(place, ".hooktape/hooks/hints.ts", hook("hints", "tool.before", '"hello"'))
  put(place, ".hooktape/fixtures/ls.json", call("ls"))
  const deep = `${"[".repeat(400_000)}${"]".repeat(400_000)}`
  put(place, ".hooktape/fixtures/deep.json", `{"agent":"claude-code","event":"PreToolUse","payload":${deep}}`)
  const { stdout } = await command(place, "test", "--update", "--json")
  expect(JSON.parse(stdout).fixtures.map((one: { status: string }) => one.status)).toEqual([
    "broken",
    "written"
  ])
})

it("keeps a reply in its own place, whatever a repository has put there", async () => {
  const place = await station()
  put(place, ".hooktape/hooks/hints.ts", hook("hints", "tool.before", '"hello"'))
  put(place, ".hooktape/fixtures/ls.json", call("ls"))
  const other = join(dirname(place.project), "of-somebody")
  writeFileSync(other, "as it was")
  const reply = join(place.project, ".hooktape", "fixtures", "ls.reply.json")
  symlinkSync(other, reply)
  expect((await command(place, "test", "--update")).code).toBe(0)
  expect(readFileSync(other, "utf8")).toBe("as it was")
  expect(readFileSync(reply, "utf8")).toContain("hello")
})

it("asks each fixture as the first of its session, whatever others have the same", async () => {
  const place = await station()
  put(
    place,
    ".hooktape/hooks/once.ts",
    hook("once", "tool.before", '"once"').replace("run:", 'once: "session", run:')
  )
  const names = ["a", "b", "c"]
  for (const name of names) put(place, `.hooktape/fixtures/${name}.json`, call(name))
  expect((await command(place, "test", "--update")).code).toBe(0)
  for (const name of names)
    expect(
      readFileSync(join(place.project, ".hooktape", "fixtures", `${name}.reply.json`), "utf8")
    ).toContain("once")
  expect((await checked(place))["fixtures"]?.findings).toEqual([])
  expect((await command(place, "test", ".hooktape/fixtures/b.json")).code).toBe(0)
})

it("warns where a guard is in the way of what agents do all day, and asks nobody where there is none", async () => {
  const place = await station()
  const guard = (
    name: string,
    when: string,
    run: string
  ) => `import { blockingFeedback, defineHook, modelContext } from "hooktape"
export default defineHook({ name: "${name}", on: "tool.before", when: ${when}, run: ${run} })
`
  put(place, ".hooktape/hooks/broad.ts", guard("broad", '{ command: "git" }', '() => blockingFeedback("no")'))
  put(
    place,
    ".hooktape/hooks/asks.ts",
    guard(
      "asks",
      '{ tool: "edit", path: "**/package.json" }',
      '() => modelContext({ permission: "ask", reason: "sure?" })'
    )
  )
  put(
    place,
    ".hooktape/hooks/fails.ts",
    guard("fails", '{ tool: "web" }', '() => { throw new Error("no address") }')
  )
  put(
    place,
    ".hooktape/hooks/fine.ts",
    guard("fine", '{ command: "git push --force" }', '() => blockingFeedback("no")')
  )
  const { everyday } = await checked(place)
  const calls = everyday?.looked.length ?? 0
  const git = everyday?.looked.filter((subject) => subject.startsWith("git ")).length
  expect(git).toBeGreaterThan(5)
  expect(everyday?.findings).toEqual([
    {
      rule: "everyday-blocked",
      level: "warning",
      file: ".hooktape/hooks/broad.ts",
      message: expect.stringMatching(
        `^its hook "broad" blocks ${git} of ${calls} everyday calls: git status --short, .* and \\d+ more$`
      ),
      remedy: expect.any(String)
    },
    {
      rule: "everyday-asked",
      level: "warning",
      file: ".hooktape/hooks/asks.ts",
      message: `its hook "asks" asks about 1 of ${calls} everyday calls: Edit package.json`,
      remedy: expect.any(String)
    },
    {
      rule: "everyday-failed",
      level: "warning",
      file: ".hooktape/hooks/fails.ts",
      message: expect.stringContaining("WebFetch https://example.org/docs (")
    }
  ])
  const other = await station()
  put(other, ".hooktape/hooks/hints.ts", hook("hints", "session.start", '"hello"'))
  expect((await checked(other))["everyday"]?.skipped).toBe("no hook of the project is asked before a tool")
})

it("says at which line a hook is not built, and runs no fixture then", async () => {
  const place = await station()
  put(place, ".hooktape/hooks/good.ts", hook("good", "tool.before", '"hello"'))
  put(place, ".hooktape/hooks/bad.ts", hook("bad", "tool.befor", '"hello"'))
  put(place, ".hooktape/fixtures/ls.json", call("ls"))
  const { build, fixtures } = await checked(place)
  expect(build?.findings).toMatchObject([
    { rule: "hook-broken", level: "error", file: ".hooktape/hooks/bad.ts", line: 2 }
  ])
  expect(build?.looked).toEqual([".hooktape/hooks/bad.ts", ".hooktape/hooks/good.ts"])
  expect(fixtures?.skipped).toBe("not all hooks are built")
})

it("fails where a script is a hook by its head, and is not executable", async () => {
  const place = await station()
  put(place, ".hooktape/hooks/no-publish.sh", '#!/bin/sh\n# hooktape: {"on": "tool.before"}\nexit 2\n')
  const { build } = await checked(place)
  expect(build).toMatchObject({
    looked: [".hooktape/hooks/no-publish.sh"],
    findings: [{ rule: "hook-unstarted", level: "error", file: ".hooktape/hooks/no-publish.sh" }]
  })
})

it("fails where one hook takes the place of another, and where there is no project", async () => {
  const place = await station()
  put(place, ".hooktape/hooks/guard.ts", hook("guard", "tool.before", '"hello"'))
  put(place, ".hooktape/hooks/zz.ts", hook("guard", "tool.before", '"nothing"'))
  const { build } = await checked(place)
  expect(build?.findings).toMatchObject([
    { rule: "hook-replaced", level: "error", file: ".hooktape/hooks/guard.ts" }
  ])
  const { code, stderr } = await command(place, "check", "--project", join(place.project, "typo"))
  expect(code).not.toBe(0)
  expect(stderr).toContain("there is no such directory")
})

it("reads nothing that has no end, writes through no link, and says no line of a repository's making", async () => {
  const place = await station()
  put(place, ".hooktape/hooks/hints.ts", hook("hints", "tool.before", '"hello"'))
  put(place, "victim", "mine")
  const fixtures = join(place.project, ".hooktape", "fixtures")
  mkdirSync(fixtures)
  symlinkSync("/dev/zero", join(fixtures, "zero.json"))
  symlinkSync("nowhere", join(fixtures, "x\n::error::pwn.json"))
  symlinkSync(join(place.project, "victim"), join(place.project, "report.xml"))
  const { code, stdout } = await command(place, "check", "--junit", "report.xml")
  expect(code).toBe(1)
  expect(stdout).toContain("zero.json")
  expect(stdout).not.toMatch(/^\s*::/m)
  expect(readFileSync(join(place.project, "victim"), "utf8")).toBe("mine")
  expect(readFileSync(join(place.project, "report.xml"), "utf8")).toContain("<testsuites")
})

it("asks the project's own TypeScript", async () => {
  const place = await station()
  put(place, ".hooktape/hooks/.keep", "")
  expect((await command(place, "init")).code).toBe(0)
  put(place, ".hooktape/hooks/hints.ts", hook("hints", "tool.before", "3"))
  expect((await checked(place))["types"]?.skipped).toContain("npm install --save-dev typescript")
  mkdirSync(join(place.project, "node_modules"))
  const typescript = dirname(createRequire(import.meta.url).resolve("typescript/package.json"))
  symlinkSync(typescript, join(place.project, "node_modules", "typescript"))
  const settings = readFileSync(join(place.project, ".hooktape", "tsconfig.json"), "utf8")
  const victim = join(place.project, "victim")
  const written = `"compilerOptions": { "incremental": true, "tsBuildInfoFile": ${JSON.stringify(victim)},`
  put(place, ".hooktape/tsconfig.json", settings.replace('"compilerOptions": {', written))
  expect((await checked(place))["types"]?.findings.length).toBeGreaterThan(0)
  expect(existsSync(victim)).toBe(false)
  put(place, ".hooktape/tsconfig.json", settings)
  const { types } = await checked(place)
  expect(types?.findings).toMatchObject([
    { rule: "type-error", level: "error", file: ".hooktape/hooks/hints.ts", line: 2 }
  ])
})

it("knows which events the shared settings lack, and a script that somebody changed", async () => {
  const place = await station()
  put(place, ".hooktape/hooks/hints.ts", hook("hints", "compact.after", '"hello"'))
  expect((await command(place, "install", "--agent", "claude-code", "--scope", "project")).code).toBe(0)
  const said = "hooks are on PostCompact, which Claude Code is not told to call"
  expect((await command(place, "trust", "--yes")).stderr).toContain(said)
  const { checks } = JSON.parse((await command(place, "doctor", "--json")).stdout)
  expect(checks).toContainEqual(
    expect.objectContaining({ status: "warn", message: expect.stringContaining(said) })
  )
  const lacking = await checked(place)
  expect(lacking["registration"]?.findings).toMatchObject([
    {
      rule: "event-not-registered",
      level: "warning",
      file: ".claude/settings.json",
      remedy: "hooktape install --agent claude-code --scope project --events +PostCompact"
    }
  ])
  put(place, ".hooktape/agent-hook", "#!/bin/sh\n")
  const changed = await checked(place)
  expect(changed["registration"]?.findings).toMatchObject([
    { rule: "script-changed", level: "error", file: ".hooktape/agent-hook" },
    { rule: "event-not-registered" }
  ])
})

it("has nothing against a project without hooks, and says what cannot be written", async () => {
  const place = await station()
  const { build } = await checked(place)
  expect(build?.skipped).toContain("no hook yet")
  put(place, "taken", "")
  const { code, stderr } = await command(place, "check", "--junit", "taken/hooks.xml")
  expect(code).not.toBe(0)
  expect(stderr).toContain("taken/hooks.xml")
})
