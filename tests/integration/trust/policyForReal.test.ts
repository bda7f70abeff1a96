/** A policy from its key to a blocked call, by the commands that people type. */
import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { cli, person } from "../../support/cli.ts"

const world = () => {
  const home = mkdtempSync(join(homedir(), "policy-"))
  const at = (name: string): string => join(home, name)
  for (const folder of ["team/.hooktape/hooks/words", "project/.git", ".config/hooktape"])
    mkdirSync(at(folder), { recursive: true })
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    HOOKTAPE_HOME: at("state"),
    HOOKTAPE_HOST: "off"
  }
  const run = (args: readonly string[], input = "", program = person, more: NodeJS.ProcessEnv = {}) =>
    spawnSync(process.execPath, [program, ...args], {
      cwd: at("project"),
      encoding: "utf8",
      env: { ...env, ...more },
      input
    })
  return { at, run }
}

const team = (at: (name: string) => string): void => {
  writeFileSync(
    at("team/.hooktape/hooks/topics.ts"),
    `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({ name: "topics", on: "tool.before", when: { tool: "shell", command: /push origin main/ }, run: () => blockingFeedback("push to a topic") })
`
  )
  // Its words lie beside it, where the machine that runs it has nothing.
  writeFileSync(
    at("team/.hooktape/hooks/registry.sh"),
    `#!/bin/sh
# hooktape: {"name": "registry", "on": "tool.before", "when": {"tool": "shell", "command": "/npm publish/"}}
cat "$(dirname "$0")/words/why.txt" >&2
exit 2
`
  )
  chmodSync(at("team/.hooktape/hooks/registry.sh"), 0o755)
  writeFileSync(at("team/.hooktape/hooks/words/why.txt"), "publish from CI\n")
}

const asked = (command: string): string =>
  JSON.stringify({
    session_id: "s",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_use_id: "t",
    tool_input: { command }
  })

describe.skipIf(!existsSync(cli))("a policy", () => {
  it("is signed, named and in force; each run says which version decided", () => {
    const { at, run } = world()
    team(at)
    const key = run(["policy", "key", at("keys/team.pem")])
    expect(key).toMatchObject({ status: 0, stdout: expect.stringMatching(/^ed25519:[\w-]{43}\n$/) })
    expect(statSync(at("keys/team.pem")).mode & 0o777).toBe(0o600)
    expect(run(["policy", "key", at("keys/team.pem")]).stdout).toBe(key.stdout)
    const signing = [
      "policy",
      "sign",
      at("team"),
      "--key",
      at("keys/team.pem"),
      "--name",
      "team",
      "--to",
      at("p.json"),
      "--everywhere"
    ]
    const signed = run([...signing, "--release", "1.0.0"])
    expect(signed).toMatchObject({ status: 0, stdout: expect.stringContaining("2 hooks signed") })
    // What it says to add is what counts.
    const line = /^ {2}("policies": .*)$/m.exec(signed.stdout)?.[1]
    writeFileSync(at(".config/hooktape/config.json"), `{ ${line} }`)
    // The team's folder is on no other machine.
    spawnSync("rm", ["-r", at("team")])

    const call = (command: string) => run(["run", "claude-code", "PreToolUse"], asked(command))
    expect(call("git push origin main").stdout).toContain("push to a topic")
    expect(call("npm publish").stdout).toContain("publish from CI")
    expect(call("ls").stdout).toBe("")
    expect(run(["show", "last"]).stdout).toMatch(/registry .* BLOCKING_FEEDBACK · policy team 1\.0\.0/)
    const facts = run(["log", "--facts", "--json", "--type", "HANDLERS_PLANNED"]).stdout
    expect(facts).toContain('"from":"policy team 1.0.0"')
    const outcomes = run(["log", "--facts", "--json", "--type", "HANDLER_SUCCEEDED"]).stdout
    expect(outcomes).toContain('"from":"policy team 1.0.0"')
    expect(run(["policy", "show"]).stdout).toMatch(/team 1\.0\.0, signed .*, runs in every project/)

    writeFileSync(
      at("p.json"),
      readFileSync(at("p.json"), "utf8").replace("push to a topic", "push as you like")
    )
    expect(call("git push origin main").stdout).toContain("push to a topic")
    expect(run(["doctor"]).stdout).toContain(
      "the policy is not signed by the key that your configuration names; 1.0.0 counts"
    )
    const { policies } = JSON.parse(run(["policy", "show", "--json"]).stdout)
    expect(policies).toMatchObject([
      { name: "team", version: "1.0.0", everywhere: true, problem: expect.stringContaining("is not signed") }
    ])
  })

  it("is not signed with what is no key, under no name, or beneath an agent", () => {
    const { at, run } = world()
    team(at)
    const sign = (more: readonly string[], program = person, env = {}) =>
      run(
        ["policy", "sign", at("team"), "--key", at("k.pem"), "--to", at("p.json"), ...more],
        "",
        program,
        env
      )
    expect(sign(["--name", "team", "--release", "1"])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("holds no key")
    })
    run(["policy", "key", at("k.pem")])
    expect(sign(["--name", "The Team", "--release", "1"]).stderr).toContain('"The Team" is no name')
    expect(sign(["--name", "team", "--release", "1 or so"]).stderr).toContain('"1 or so" is no version')
    const beneath = sign(["--name", "team", "--release", "1"], cli, { CLAUDECODE: "1" })
    expect(beneath).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("an agent does not decide about its own guards")
    })
    expect(existsSync(at("p.json"))).toBe(false)
    expect(run(["policy", "show", at("k.pem")]).stderr).toContain("--key names none")
  })
})
