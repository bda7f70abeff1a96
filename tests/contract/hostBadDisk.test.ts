/** A state directory that takes nothing, or is not what it was: hooks answer, the operator hears of it, and what was kept stays. */
import { spawnSync } from "node:child_process"
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { shippedClient } from "../../src/cli/prepare.ts"
import { bash, dataOf, type Station } from "../support/entrypoint.ts"
import { answers, answerTo } from "../support/fire/calls.ts"
import { fill, readOnly, smallDisk, unmountAll, whyNoMounts } from "../support/fire/mounts.ts"
import { endPlaces, furnish, furnished, nothing, remains, until } from "../support/fire/place.ts"
import { dist, startHost } from "../support/host.ts"

afterEach(() => {
  endPlaces()
  unmountAll()
})

/** Whatever a handler's own child prints must not reach the agent, wherever its noise cannot be kept. */
const prints = `import { spawnSync } from "node:child_process"
import { defineHook } from "hooktape"
export default defineHook({ name: "prints", on: "tool.before", when: { command: /print/ }, run: () => {
  console.log("NOISE")
  spawnSync("echo", ["NOISE"], { stdio: "inherit" })
} })
`
const hooks = { answers, prints }

/** Larger than what is left in a file that has its place already. */
const filler = "x".repeat(300_000)

/** Fires, expects the answer, and returns what else was said. */
const said = async (place: Station, id: string, env: NodeJS.ProcessEnv, command = "ls"): Promise<string> => {
  const fired = await place.fire({ env, input: bash(command, { tool_use_id: id, filler }) })
  const { code, stdout, stderr } = fired
  expect({ id, code, stdout }).toEqual({ id, code: 0, stdout: answerTo(id) })
  return stderr
}

const room = (place: Station) => {
  const { stdout } = spawnSync(process.execPath, [join(dist, "cli.js"), "doctor", "--json"], {
    env: place.env,
    cwd: place.project,
    encoding: "utf8"
  })
  const { checks } = JSON.parse(stdout) as {
    checks: readonly { name: string; status: string; message: string }[]
  }
  return checks.find(({ name }) => name === "room")
}

/** The calls on the log that came to their end. */
const recorded = async (place: Station): Promise<readonly string[]> =>
  (await place.runs())
    .filter(({ types }) => types.at(-1) === "EXITED")
    .map((run) => dataOf(run, "PAYLOAD_BUFFERED")[0]?.toolUseId ?? "")
    .sort()

const onSmallDisk = async (): Promise<Station> => {
  const place = await furnished({ hooks: {} })
  smallDisk(place.state, 24)
  await furnish(place, { hooks })
  return place
}

const ways = [
  { way: "with a host", hosted: true },
  { way: "in process", hosted: false }
]

describe.skipIf(whyNoMounts !== "" || !existsSync(shippedClient()))(`a disk of its own${whyNoMounts}`, () => {
  it.each(ways)(
    "that is full, $way: told once or by each process, recorded again once there is room",
    async ({ hosted }) => {
      const place = await onSmallDisk()
      const env = hosted ? {} : { HOOKTAPE_HOST: "off" }
      const host = hosted ? await startHost(place) : undefined
      expect(await said(place, "before", env)).toBe("")
      const before = await place.facts()
      for (const again of [1, 2]) {
        const free = fill(place.state)
        const told = []
        for (const nth of [1, 2, 3]) told.push(await said(place, `full-${again}-${nth}`, env))
        told.push(await said(place, `prints-${again}`, env, "print"))
        const line = hosted
          ? /^hooktape error: hook calls are not recorded: [^\n]*ENOSPC[^\n]*\n$/
          : /^hooktape error: this hook call is not recorded[^\n]*ENOSPC[^\n]*\n$/
        // One host knows what it has said; processes know nothing of each other on a disk that takes no mark.
        for (const [nth, one] of told.entries()) expect(one).toMatch(hosted && nth > 0 ? /^$/ : line)
        expect(room(place)).toMatchObject({ status: "fail", message: expect.stringContaining("ENOSPC") })
        free()
        expect(await said(place, `after-${again}`, env)).toBe("")
        expect(room(place)).toMatchObject({ status: "ok" })
      }
      expect(await recorded(place)).toEqual(["after-1", "after-2", "before"])
      expect((await place.facts()).slice(0, before.length)).toEqual(before)
      const left = readdirSync(join(place.state, "spool")).filter((name) => name !== "errors")
      expect(left, "no file that took nothing").toEqual([])
      expect(await host?.stop()).toEqual(hosted ? { code: 0, signal: null } : undefined)
    }
  )

  it("that is read-only, with a host: what it has open it goes on writing, and calls stay answered", async () => {
    const place = await onSmallDisk()
    const host = await startHost(place)
    expect(await said(place, "before", {})).toBe("")
    const undo = readOnly(place.state)
    for (const id of ["one", "two"]) expect(await said(place, id, {})).toBe("")
    expect(await said(place, "prints", {}, "print")).toBe("")
    expect(room(place)).toMatchObject({ status: "fail", message: expect.stringContaining("EROFS") })
    undo()
    expect(await said(place, "after", {})).toBe("")
    expect(await recorded(place)).toEqual(["after", "before", "one", "prints", "two"])
    expect((await host.status()).pid).toBe(host.child.pid)
    await host.stop()
    expect(await remains(place)).toEqual(nothing)
  })

  it("that is read-only, in process: each call says so, and a host that does not come up leaves nothing behind", async () => {
    const place = await onSmallDisk()
    await (await startHost(place)).stop()
    expect(await said(place, "before", { HOOKTAPE_HOST: "off" })).toBe("")
    const undo = readOnly(place.state)
    for (const id of ["one", "two"])
      expect(await said(place, id, {})).toMatch(
        /^hooktape error: this hook call is not recorded: [^\n]*EROFS[^\n]*\n$/
      )
    expect(await said(place, "prints", {}, "print")).toMatch(/EROFS/)
    const refused = spawnSync(join(place.state, "bin", "host"), [], { env: place.env, encoding: "utf8" })
    expect(refused).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^hooktape host: .*EROFS.*\n$/)
    })
    expect(room(place)).toMatchObject({ status: "fail" })
    undo()
    expect(await said(place, "after", { HOOKTAPE_HOST: "off" })).toBe("")
    expect(await recorded(place)).toEqual(["after", "before"])
    await until(async () => (await remains(place)).processes.length === 0)
  })
})

const asRoot = process.getuid?.() === 0

describe.skipIf(!existsSync(shippedClient()))("a state directory that others were at", () => {
  const run = (place: Station, name: string) => join(place.state, "run", name)

  const spoiled: readonly (readonly [string, (place: Station) => void, RegExp, boolean])[] = [
    [
      "a link in place of run/",
      (place) => {
        renameSync(join(place.state, "run"), join(place.home, "elsewhere"))
        symlinkSync(join(place.home, "elsewhere"), join(place.state, "run"))
      },
      /run is a symbolic link: remove it/,
      true
    ],
    [
      "a token behind a link",
      (place) => {
        renameSync(run(place, "token"), join(place.home, "token"))
        symlinkSync(join(place.home, "token"), run(place, "token"))
      },
      /token is a symbolic link: remove it/,
      true
    ],
    [
      "a directory in place of the token",
      (place) => {
        rmSync(run(place, "token"))
        mkdirSync(run(place, "token"))
      },
      /token is not a file: move it away/,
      true
    ],
    [
      "a token of somebody else",
      (place) => chownSync(run(place, "token"), 65534, 65534),
      /token belongs to another user: remove it/,
      asRoot
    ],
    [
      "a damaged token",
      (place) => writeFileSync(run(place, "token"), "?"),
      /token is damaged: remove it/,
      true
    ]
  ]

  it.each(spoiled.filter(([, , , possible]) => possible))(
    "has %s: no host comes up and says why, and hooks answer",
    async (_, spoil, why) => {
      const place = await furnished({ hooks })
      const host = await startHost(place)
      expect(await said(place, "before", {})).toBe("")
      await host.stop()
      spoil(place)
      const refused = spawnSync(join(place.state, "bin", "host"), [], { env: place.env, encoding: "utf8" })
      expect(refused.status).toBe(1)
      expect(refused.stderr).toMatch(/^hooktape host: [^\n]*\n$/)
      expect(refused.stderr).toMatch(why)
      expect(await said(place, "without", {})).toBe("")
      expect(await recorded(place)).toEqual(["before", "without"])
    }
  )

  it("has a link in place of the spool: what lies behind it is not read, and calls are recorded by the host", async () => {
    const place = await furnished({ hooks })
    const elsewhere = join(place.home, "elsewhere")
    renameSync(join(place.state, "spool"), elsewhere)
    symlinkSync(elsewhere, join(place.state, "spool"))
    const name = "01890000-0000-7000-8000-000000000001.frame"
    writeFileSync(join(elsewhere, name), "not ours")
    const host = await startHost(place)
    expect(await said(place, "with", {})).toBe("")
    await host.stop()
    expect(await said(place, "without", { HOOKTAPE_HOST: "off" })).toMatch(
      /^hooktape error: this hook call is not recorded: [^\n]*spool is a symbolic link[^\n]*\n$/
    )
    expect(await recorded(place)).toEqual(["with"])
    expect(readdirSync(elsewhere)).toEqual([name])
    expect(readFileSync(join(elsewhere, name), "utf8")).toBe("not ours")
  })

  it("has a frame behind a link: it is set aside, and what it points to is not touched", async () => {
    const place = await furnished({ hooks })
    const name = "01890000-0000-7000-8000-000000000001.frame"
    writeFileSync(join(place.home, "secret"), "HKT1 secret")
    symlinkSync(join(place.home, "secret"), join(place.state, "spool", name))
    await startHost(place)
    await until(() => existsSync(join(place.state, "spool", "errors", name)))
    expect(readFileSync(join(place.state, "logs", "host.log"), "utf8")).toMatch(
      /is a symbolic link: remove it/
    )
    expect(readFileSync(join(place.home, "secret"), "utf8")).toBe("HKT1 secret")
    expect(await said(place, "with", {})).toBe("")
  })

  it.skipIf(!asRoot)("has a socket of somebody else: the next host makes its own", async () => {
    const place = await furnished({ hooks })
    const first = await startHost(place)
    await first.stop("SIGKILL")
    chownSync(run(place, "host.sock"), 65534, 65534)
    expect(await said(place, "without", { HOOKTAPE_HOST: "off" })).toBe("")
    await startHost(place)
    expect(statSync(run(place, "host.sock"))).toMatchObject({ uid: 0 })
    expect(await said(place, "with", {})).toBe("")
    const transports = (await place.runs()).map((one) => dataOf(one, "INVOCATION_OPENED")[0]?.transport)
    expect(transports).toEqual(["entry", "socket"])
  })
})
