/** Variables that Node, its libraries, the linker and shells read as they start: a repository's agent settings can set them, and no guard is off for it. */
import { spawn } from "node:child_process"
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import { afterEach, describe, expect, it } from "vitest"
import { currentUnreachable } from "../../../src/log/spool/unreachable.ts"
import { entryOf, hookOf, launcherText, shippedClient } from "../../../src/programs/cli/prepare.ts"
import { trustProject } from "../../../src/tools/build/trust.ts"
import { startVariables } from "../../../src/trust/startVariables.ts"
import { bash, outcomeOf, payloadOf, type Station } from "../../support/entrypoint.ts"
import { endHosts, endPlaces, furnished, until } from "../../support/fire/place.ts"
import { answering } from "../../support/host.ts"

afterEach(endPlaces)

const guard = `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({ name: "guard", on: ["tool.before"], run: () => blockingFeedback("REASON") })
`

const noProvider = `openssl_conf = all
[all]
providers = some
[some]
null = it
[it]
activate = 1
`

/** Each ended what it met, or had it do something else, when nothing was taken away. */
const hostile: readonly Readonly<Record<string, string>>[] = [
  { OPENSSL_CONF: "no-provider.cnf" },
  { NODE_CHANNEL_FD: "x" },
  { NODE_UNIQUE_ID: "1" },
  { NODE_OPTIONS: "--require ./gone.cjs" },
  { NODE_OPTIONS: "--no-such-option" },
  { LD_TRACE_LOADED_OBJECTS: "1" },
  { LD_PRELOAD: "./gone.so" },
  { LD_BIND_NOT: "1", LD_DEBUG: "all" },
  { "BASH_FUNC_true%%": "() { exit 0; }", "BASH_FUNC_printf%%": "() { exit 0; }" },
  { SHELLOPTS: "noexec" },
  { SHELLOPTS: "xtrace", PS4: "$(kill -9 $$)" }
]

/** Where `/bin/sh` is bash, that is asked: a name that begins with "sh" makes it one. */
const asBash = (place: Station, file: string, options: string): void => {
  const sh = join(place.project, "sh")
  if (!existsSync(sh)) symlinkSync("/bin/bash", sh)
  const [, ...rest] = readFileSync(file, "utf8").split("\n")
  writeFileSync(file, [`#!${sh}${options}`, ...rest].join("\n"), { mode: 0o700 })
}

const named = (one: object): string => Object.keys(one).join(" ")

const blocks = async (place: Station, env: NodeJS.ProcessEnv): Promise<void> => {
  writeFileSync(join(place.project, "no-provider.cnf"), noProvider)
  // Not by a shell: the linker's variables would be that one's first, which an agent starts and nobody here.
  const child = spawn(hookOf(place.state), ["claude-code", "PreToolUse"], {
    cwd: place.project,
    env: { ...place.env, ...env }
  })
  child.stdin.end(bash("rm -rf /srv"))
  const { code, stderr, stdout } = await outcomeOf(child)
  expect({ code, stderr, reply: JSON.parse(stdout === "" ? "{}" : stdout) }, named(env)).toMatchObject({
    code: 0,
    stderr: "",
    reply: { hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "REASON" } }
  })
}

describe.skipIf(!existsSync(shippedClient()))("with the native client", () => {
  it("a guard answers in process, whatever the repository set", async () => {
    const place = await furnished({ hooks: { guard } })
    for (const env of hostile) await blocks(place, { ...env, HOOKTAPE_HOST: "off" })
  })

  it.skipIf(!existsSync("/bin/bash"))("nor does it where bash is the shell", async () => {
    const place = await furnished({ hooks: { guard } })
    asBash(place, entryOf(place.state), "")
    for (const env of hostile) await blocks(place, { ...env, HOOKTAPE_HOST: "off" })
  })

  it("a guard that is a script of a shell answers as well, alone and through a host", async () => {
    const place = await furnished({ hooks: {} })
    const guard = { name: "guard", on: "tool.before", onFailure: "block", run: "bash guard.sh" }
    place.put(".git/HEAD", "ref: refs/heads/main\n")
    place.put(".hooktape/config.json", JSON.stringify({ external: [guard], deadlineMs: 60_000 }))
    place.put("guard.sh", "echo REASON >&2\nexit 2\n")
    const leaves = place.put("leaves.sh", "exit 0\n")
    await Effect.runPromise(trustProject({ state: place.state, project: place.project }))
    await place.build(true)
    const of = [
      { SHELLOPTS: "noexec" },
      { "BASH_FUNC_exit%%": "() { :; }", "BASH_FUNC_echo%%": "() { :; }" },
      { BASH_ENV: leaves }
    ]
    for (const env of of) await blocks(place, { ...env, HOOKTAPE_HOST: "off" })
    await blocks(place, {})
    await answering(place.state)
    for (const env of of) await blocks(place, env)
    await until(() => endHosts(place) === 0)
  })

  it("a host that a call started comes up, and answers", async () => {
    const place = await furnished({ hooks: { guard } })
    await blocks(place, Object.assign({}, ...hostile))
    await answering(place.state)
    await blocks(place, Object.assign({}, ...hostile))
    await until(() => endHosts(place) === 0)
  })

  it("what a host is started by takes them away as well", async () => {
    const place = await furnished({ hooks: { guard } })
    const env = { ...place.env, NODE_CHANNEL_FD: "x", NODE_UNIQUE_ID: "1" }
    const { pid } = spawn(join(place.state, "bin", "host"), [], { env, stdio: "ignore" })
    expect((await answering(place.state)).pid).toBe(pid)
    await until(() => endHosts(place) === 0)
  })

  it("an entrypoint that is lost before any hook had a say is told at once, counted, and said aloud in the end", async () => {
    const place = await furnished({ hooks: { guard } })
    writeFileSync(entryOf(place.state), "#!/bin/sh\nkill -9 $$\n")
    const env = { HOOKTAPE_HOST: "off" }
    const lost = {
      code: 1,
      stdout: "",
      stderr: 'hooktape: what runs hooks was lost before any had a say. Run "hooktape doctor".\n'
    }
    expect(await place.fire({ input: bash("ls"), env })).toMatchObject(lost)
    expect(await place.fire({ input: bash("ls"), env })).toMatchObject(lost)
    expect(currentUnreachable(place.state)).toMatchObject([
      { why: "lost-entrypoint" },
      { why: "lost-entrypoint" }
    ])
    const aloud = await place.fire({ event: "PostToolUse", input: payloadOf("PostToolUse"), env })
    expect(aloud).toMatchObject({ code: 2, stderr: expect.stringContaining("unreachable for 3") })
  })
})

describe("without it", () => {
  it("the launcher takes away what Node reads", async () => {
    const place = await furnished({ hooks: { guard } })
    writeFileSync(hookOf(place.state), launcherText(place.state), { mode: 0o700 })
    for (const env of hostile.filter((one) => /^(?:NODE|OPENSSL)/.test(named(one))))
      await blocks(place, { ...env, HOOKTAPE_HOST: "off" })
  })

  it.skipIf(!existsSync("/bin/bash"))("bash takes over no function and no option", async () => {
    const place = await furnished({ hooks: { guard } })
    writeFileSync(hookOf(place.state), launcherText(place.state), { mode: 0o700 })
    asBash(place, hookOf(place.state), " -p")
    for (const env of hostile.filter((one) => /^(?:NODE|OPENSSL|BASH|SHELL)/.test(named(one))))
      await blocks(place, { ...env, HOOKTAPE_HOST: "off" })
  })
})

it("the client knows the same variables", () => {
  const header = fileURLToPath(new URL("../../../src/programs/client/starting.h", import.meta.url))
  const listed = [...readFileSync(header, "utf8").matchAll(/^ {2}"(\w+)",$/gm)].map(([, name]) => name)
  expect(listed).toEqual(startVariables)
})
