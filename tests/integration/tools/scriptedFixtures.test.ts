/** A fixture says what programs answer: hooks that ask git are tried the same on every branch. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import type { Launched } from "../../../src/programs/cli/launch.ts"
import { command } from "../../support/command.ts"
import { type Station, station } from "../../support/entrypoint.ts"

const inTypeScript = `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({
  name: "typed",
  on: "tool.before",
  run: async ({ services }) => {
    const { exitCode, stderr, stdout } = await services.run("git", ["branch", "--show-current"])
    return blockingFeedback(\`typed: \${exitCode} \${stdout.trim()} \${stderr.trim()}\`)
  }
})
`
const inShell = `#!/bin/sh
# hooktape: {"on": "tool.before", "priority": 600}
echo "shell: $(git branch --show-current 2>&1)" >&2
exit 2
`

const tried = async (place: Station, fixtures: Readonly<Record<string, unknown>>) => {
  const folder = join(place.project, ".hooktape", "fixtures")
  mkdirSync(folder, { recursive: true })
  for (const [name, run] of Object.entries(fixtures)) {
    const payload = { session_id: "s", tool_name: "Bash", tool_input: { command: "ls" } }
    const fixture = { agent: "claude-code", event: "PreToolUse", payload, run }
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(fixture))
  }
  const { stderr, stdout } = await command(place, "test", "--update", "--json")
  expect(stderr).toBe("")
  const told = JSON.parse(stdout) as {
    readonly fixtures: readonly {
      readonly fixture: string
      readonly status: string
      readonly reason?: string
      readonly reply?: Launched
    }[]
  }
  return (name: string) => told.fixtures.find(({ fixture }) => fixture.endsWith(`/${name}.json`))
}

it("answers for programs, in whatever language the hook is", async () => {
  const place = await station()
  const hooks = join(place.project, ".hooktape", "hooks")
  mkdirSync(hooks, { recursive: true })
  writeFileSync(join(hooks, "typed.ts"), inTypeScript)
  writeFileSync(join(hooks, "shell.sh"), inShell)
  chmodSync(join(hooks, "shell.sh"), 0o755)
  const branch = "git branch --show-current"
  const answer = await tried(place, {
    main: { [branch]: { stdout: "main\n" } },
    topic: { [branch]: { stdout: "it's a 'topic' $HOME\n" } },
    failing: { [branch]: { exitCode: 128, stderr: "fatal: not a repository\n" } },
    other: { "git status": {} },
    loose: { git: "main" },
    outside: { "./git status": {} }
  })
  const said = (name: string) => {
    const { hookSpecificOutput } = JSON.parse(answer(name)?.reply?.stdout ?? "{}")
    return hookSpecificOutput.permissionDecisionReason as string
  }
  expect(said("main")).toBe("typed: 0 main \n\nshell: main")
  expect(said("topic")).toBe("typed: 0 it's a 'topic' $HOME \n\nshell: it's a 'topic' $HOME")
  expect(said("failing")).toBe("typed: 128  fatal: not a repository\n\nshell: fatal: not a repository")
  const unsaid = "the fixture does not say what this answers: git branch --show-current"
  expect(said("other")).toBe(`typed: 127  ${unsaid}\n\nshell: ${unsaid}`)
  for (const name of ["loose", "outside"])
    expect(answer(name)).toMatchObject({
      status: "broken",
      reason: expect.stringContaining('its "run"')
    })
})

const looksBack = `import { defineHook, userHint } from "hooktape"
export default defineHook({
  name: "looks-back",
  on: "turn.stop",
  run: async ({ services, session }) => {
    const { facts } = await services.log.facts({ types: ["PAYLOAD_BUFFERED"], session: session ?? "", pick: ["tool.command"] })
    const { stdout } = await services.run("make", ["check", session ?? ""])
    return userHint(facts.map(({ data, event }) => \`\${event} \${data["tool.command"] ?? ""}\`).join(", ") + stdout)
  }
})
`

it("makes the calls that came before its own, and programs answer whatever follows a line's beginning", async () => {
  const place = await station()
  const hooks = join(place.project, ".hooktape", "hooks")
  mkdirSync(hooks, { recursive: true })
  writeFileSync(join(hooks, "looks-back.ts"), looksBack)
  const folder = join(place.project, ".hooktape", "fixtures")
  mkdirSync(folder, { recursive: true })
  const ran = (command: string) => ({ session_id: "s", tool_name: "Bash", tool_input: { command } })
  const keep = (name: string, before: unknown) =>
    writeFileSync(
      join(folder, `${name}.json`),
      JSON.stringify({
        agent: "claude-code",
        event: "Stop",
        payload: { session_id: "s" },
        run: { "make check *": { stdout: "!" }, "make check other": { stdout: "?" } },
        before
      })
    )
  keep("after", [
    { event: "UserPromptSubmit", payload: { session_id: "s", prompt: "go" } },
    { event: "PreToolUse", payload: ran("ls"), times: 2 },
    { event: "PreToolUse", payload: { ...ran("elsewhere"), session_id: "another" } }
  ])
  const wrong: Readonly<Record<string, unknown>> = {
    object: {},
    text: ["PreToolUse"],
    unnamed: [{ payload: {} }],
    more: [{ event: "Stop", payload: {}, agent: "codex" }],
    many: [{ event: "Stop", payload: {}, times: 201 }],
    together: [
      { event: "Stop", payload: {}, times: 150 },
      { event: "Stop", payload: {}, times: 51 }
    ]
  }
  for (const [name, before] of Object.entries(wrong)) keep(name, before)
  // Deeper than anything can be written out.
  const deep = `[{"event":"Stop","payload":${"[".repeat(200_000)}${"]".repeat(200_000)}}]`
  const text = readFileSync(join(folder, "after.json"), "utf8")
  writeFileSync(join(folder, "deep.json"), text.replace(/"before":.*$/s, `"before":${deep}}`))
  const { stdout } = await command(place, "test", "--update", "--json")
  const { fixtures } = JSON.parse(stdout) as {
    fixtures: readonly { fixture: string; status: string; reason?: string; reply?: Launched }[]
  }
  const of = (name: string) => fixtures.find(({ fixture }) => fixture.endsWith(`/${name}.json`))
  expect(JSON.parse(of("after")?.reply?.stdout ?? "{}")).toEqual({
    systemMessage: "turn.stop , tool.before ls, tool.before ls, prompt.submit !"
  })
  for (const name of [...Object.keys(wrong), "deep"])
    expect(of(name)).toMatchObject({ status: "broken", reason: expect.stringContaining('its "before"') })
})
