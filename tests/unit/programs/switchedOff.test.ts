/** What a session is told where HOOKTAPE=0 is set: by the native client, by the launcher where there is none, and by that for Windows. */
import { spawnSync } from "node:child_process"
import { chmodSync, copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { launcher } from "../../../src/tools/install/launcher.ts"
import { scratch } from "../../support/child.ts"
import { entryProgram } from "../../support/entrypoint.ts"

const shipped = join(
  import.meta.dirname,
  "..",
  "..",
  "..",
  "dist",
  "client",
  `${process.platform}-${process.arch}`,
  "hook"
)

const nodeLauncher = await entryProgram("nodeLauncher")

const place = () => {
  const root = scratch()
  for (const folder of ["home/.claude", "project/.claude", "project/.codex", "project/.gemini", "bin"])
    mkdirSync(join(root, folder), { recursive: true })
  const write = (file: string, text: string) => writeFileSync(join(root, file), text)
  const script = join(root, "bin", "launcher")
  writeFileSync(script, launcher({ node: process.execPath, state: root }))
  chmodSync(script, 0o700)
  writeFileSync(join(root, "bin", "hook.cjs"), nodeLauncher)
  const client = join(root, "bin", "hook")
  if (existsSync(shipped)) copyFileSync(shipped, client)
  const say = (program: string, agent: string, event: string, cwd = join(root, "project")) => {
    const path = join(root, "bin", program)
    const [started, ...args] = program.endsWith(".cjs") ? [process.execPath, path] : [path]
    const { status, stderr, stdout } = spawnSync(started as string, [...args, agent, event], {
      cwd,
      env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: join(root, "home"), HOOKTAPE: "0" },
      input: "{}",
      encoding: "utf8"
    })
    return { status, stderr, said: stdout === "" ? undefined : (JSON.parse(stdout) as object) }
  }
  return { root, write, say }
}

const told = (where: string) => ({
  status: 0,
  stderr: "",
  said: { systemMessage: `hooktape is off: HOOKTAPE=0 is set in ${where}. No hook guards this session.` }
})
const nothing = { status: 0, stderr: "", said: undefined }

describe
  .skipIf(process.platform === "win32")
  .each(["launcher", "hook.cjs", ...(existsSync(shipped) ? ["hook"] : [])])(
  "HOOKTAPE=0, and the %s",
  (program) => {
    it("says at a session's start which file of the repository set it", () => {
      const { root, say, write } = place()
      write("project/.claude/settings.json", '{\n  "env": { "HOOKTAPE_HOME": "0", "HOOKTAPE": "0" }\n}')
      write("project/.codex/config.toml", '[shell_environment_policy]\nset = { HOOKTAPE = "0" }\n')
      write("project/.gemini/.env", "# HOOKTAPE=0\nHOOKTAPE=0\n")
      expect(say(program, "claude-code", "SessionStart")).toEqual(
        told(join(root, "project/.claude/settings.json"))
      )
      expect(say(program, "codex", "SessionStart")).toEqual(told(join(root, "project/.codex/config.toml")))
      expect(say(program, "gemini-cli", "SessionStart")).toEqual(told(join(root, "project/.gemini/.env")))
    })

    it("names the user's own file, and else the environment", () => {
      const { root, say, write } = place()
      write("project/.gemini/.env", "# HOOKTAPE=0\nHOOKTAPE=1\n")
      write("home/.claude/settings.json", '{"env":{"HOOKTAPE":"0"}}')
      expect(say(program, "claude-code", "SessionStart")).toEqual(
        told(join(root, "home/.claude/settings.json"))
      )
      expect(say(program, "gemini-cli", "SessionStart")).toEqual(told("the environment"))
    })

    it("keeps quotes in a path apart from the message", () => {
      const { root, say } = place()
      const odd = join(root, 'a "quoted\\ name')
      mkdirSync(join(odd, ".claude"), { recursive: true })
      writeFileSync(join(odd, ".claude", "settings.json"), '{"env":{"HOOKTAPE":"0"}}')
      expect(say(program, "claude-code", "SessionStart", odd)).toEqual(
        told(join(odd, ".claude/settings.json"))
      )
    })

    it("is silent at every other event, and to an agent without a field for it", () => {
      const { say } = place()
      expect(say(program, "claude-code", "PreToolUse")).toEqual(nothing)
      expect(say(program, "cursor", "sessionStart")).toEqual(nothing)
    })
  }
)
