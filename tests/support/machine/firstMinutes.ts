/** A user's first minutes on a machine: from nothing to a call that is blocked, recorded and found in order. */
import { expect } from "vitest"
import { bash } from "../entrypoint.ts"
import type { Machine } from "./machine.ts"

const hidden = ["cc", "gcc", "g++", "clang", "make", "python3", "python", "node-gyp", "git", "curl"]

/** Its own path would find what the system has where there is no root of its own. */
const expectHidden = (machine: Machine): void => {
  for (const name of hidden)
    expect(machine.run("app", ["sh", "-c", `command -v ${name}`]).status, name).not.toBe(0)
}

export const npmInstall = (machine: Machine, names: readonly string[]) =>
  machine.run("app", [
    "npm",
    "install",
    "--offline",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    ...names.map((name) => machine.inside(`packages/${name}.tgz`))
  ])

export const hooktape = (machine: Machine, ...args: readonly string[]) =>
  machine.run("app", ["npx", "--offline", "hooktape", ...args])

/** As the agent does it that finds its settings. */
export const blocked = (machine: Machine) => {
  const { hooks } = JSON.parse(machine.read("home/ada/.claude/settings.json"))
  return machine.run("app", ["sh", "-c", hooks.PreToolUse[0].hooks[0].command], {
    input: bash("rm -rf ~", { cwd: machine.inside("home/ada/app") }),
    env: { HOOKTAPE_HOST: "off" }
  })
}

export const report = (
  what: string,
  machine: Machine,
  times: Readonly<Record<string, { took: number }>>
): void =>
  console.info(
    `${what}, in ${machine.kind}: ${Object.entries(times)
      .map(([name, { took }]) => `${name} ${took} ms`)
      .join(", ")}`
  )

/** With these in a folder of it, and an agent that was used there before. */
export const furnish = (machine: Machine, files: Readonly<Record<string, string>>): Machine => {
  for (const [name, file] of Object.entries(files)) machine.copy(file, `packages/${name}.tgz`)
  machine.put("home/ada/app/package.json", '{ "private": true }\n')
  machine.put("home/ada/.claude/settings.json", "{}\n")
  return machine
}

export const expectFirstMinutes = (what: string, machine: Machine, names: readonly string[]): void => {
  expectHidden(machine)
  const installed = npmInstall(machine, names)
  expect(installed).toMatchObject({ status: 0, stderr: "" })
  const registered = hooktape(machine, "install", "--agent", "claude-code")
  expect(registered).toMatchObject({ status: 0, stderr: "" })
  const first = blocked(machine)
  expect(first).toMatchObject({ status: 0, stdout: expect.stringContaining('"deny"'), stderr: "" })
  const log = hooktape(machine, "log")
  expect(log).toMatchObject({ status: 0, stdout: expect.stringMatching(/PreToolUse +Bash "rm -rf ~" +⛔/) })
  const doctor = hooktape(machine, "doctor")
  expect(doctor.stdout).toContain("all is well")
  expect(doctor.status).toBe(0)
  report(what, machine, {
    "npm install": installed,
    "hooktape install": registered,
    "first blocked command": first,
    log,
    doctor
  })
}
