/** A route's life, with the shipped client and a host: what is left, what is asked, and that no guard misses a call at any edge. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, describe, expect, it } from "vitest"
import { shippedClient } from "../../../src/programs/cli/prepare.ts"
import { routesAt } from "../../../src/programs/host/routes.ts"
import { buildHooks } from "../../../src/tools/build/build.ts"
import { trustProject } from "../../../src/tools/build/trust.ts"
import { dataOf, type Fired, payloadOf, type Run, type Station } from "../../support/entrypoint.ts"
import { endPlaces, furnished, until } from "../../support/fire/place.ts"
import { startHost } from "../../support/host.ts"

afterEach(endPlaces)

/** As an agent calls: a station's own switch is one that the client asks about. */
const plainly = { HOOKTAPE_DEFAULTS: undefined }

const before = (tool: string, session = "s-1") => ({
  event: "PreToolUse",
  input: payloadOf("PreToolUse", {
    session_id: session,
    tool_name: tool,
    tool_input: { file_path: "/x", command: "ls" }
  }),
  env: plainly
})

/** What the log has of a call once it is over. */
const runOf = async (place: Station, fired: Fired): Promise<Run> => {
  let found: Run | undefined
  await until(async () => {
    found = (await place.runsByPid()).get(fired.pid)
    return found?.types.includes("EXITED") === true
  })
  return found as Run
}

const routeOf = async (place: Station, fired: Fired) =>
  dataOf(await runOf(place, fired), "INVOCATION_OPENED")[0]?.route

/** Until a Read is left: what the route is made from has to be older than a tick of the clock. */
const untilLeft = (place: Station, session?: string): Promise<unknown> =>
  until(async () => (await routeOf(place, await place.fire(before("Read", session)))) === "client")

/** Until a guard stops a Read, which none does that was left. */
const untilStopped = (place: Station): Promise<unknown> =>
  until(async () => {
    const fired = await place.fire(before("Read"))
    expect(await routeOf(place, fired)).toBeUndefined()
    return fired.stdout.includes("Not now.")
  })

const guard = (tool: string, more = ""): string =>
  `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({
  name: "guard", on: "tool.before", when: { toolName: ${JSON.stringify(tool)} }, ${more}
  run: () => blockingFeedback("Not now.")
})
`

const other = (name: string, text: string): string =>
  text.replace('name: "guard"', `name: ${JSON.stringify(name)}`)

/** A host, and a guard that looks at shell commands only. */
const watched = async (
  hooks: Readonly<Record<string, string>> = { guard: guard("Bash") }
): Promise<Station> => {
  const place = await furnished({ hooks })
  await startHost(place)
  return place
}

const userFile = (place: Station, name: string): string => join(place.userFolder, name)

describe.skipIf(!existsSync(shippedClient()))("a call on which nobody has a word", () => {
  it("is answered at once, and is on the log as any other", async () => {
    const place = await watched()
    const asked = await place.fire(before("Read"))
    await untilLeft(place)
    const left = await place.fire(before("Read"))
    expect(left).toMatchObject({ code: 0, stdout: "", stderr: "" })
    expect(asked).toMatchObject({ code: 0, stdout: "", stderr: "" })
    const told = (run: Run) =>
      run.facts.map(({ type, data }) => [
        type,
        JSON.parse(
          JSON.stringify(data, (key, value: unknown) =>
            [
              "invocation",
              "call",
              "client",
              "fromUs",
              "process",
              "ms",
              "digest",
              "route",
              "TERM_PROGRAM"
            ].includes(key)
              ? undefined
              : value
          )
        )
      ])
    expect(told(await runOf(place, left))).toEqual(told(await runOf(place, asked)))
    expect(await routeOf(place, asked)).toBeUndefined()
    expect((await place.fire(before("Bash"))).stdout).toContain("Not now.")
  }, 60_000)

  it("is left also where no host runs, and one is started, at most once in a while", async () => {
    const place = await furnished({ hooks: { guard: guard("Bash") } })
    const host = await startHost(place)
    await untilLeft(place)
    await host.stop()
    const started = join(place.state, "bin", "host")
    rmSync(started)
    writeFileSync(started, `#!/bin/sh\necho >>'${place.home}/started'\n`, { mode: 0o700 })
    const calls = [await place.fire(before("Read")), await place.fire(before("Read"))]
    for (const call of calls) expect(call).toMatchObject({ code: 0, stdout: "", stderr: "" })
    await until(() => existsSync(join(place.home, "started")))
    expect(readFileSync(join(place.home, "started"), "utf8")).toBe("\n")
    await startHost(place)
    for (const call of calls) expect(await routeOf(place, call)).toBe("client")
  }, 60_000)

  it("whose guards are ours is left where its command only looks, and asked where they read it", async () => {
    const place = await furnished({ hooks: {} })
    const { state, userFolder } = place
    await Effect.runPromise(buildHooks({ state, userFolder, defaults: true }))
    await startHost(place)
    const bash = (command: string) => ({
      event: "PreToolUse",
      input: payloadOf("PreToolUse", {
        session_id: "s-1",
        cwd: place.project,
        tool_name: "Bash",
        tool_input: { command }
      }),
      env: plainly
    })
    await until(async () => (await routeOf(place, await place.fire(bash("git status")))) === "client")
    const stopped = await place.fire(bash("git status && rm -rf /"))
    expect(stopped.stdout).toContain("guard-destructive")
    expect(await routeOf(place, stopped)).toBeUndefined()
    // Read by the shell's grammar as it is planned: who has no word on it is not even started.
    const read = await place.fire(bash("mkdir -p out && python3 x.py > out/a.txt"))
    expect(read).toMatchObject({ code: 0, stdout: "", stderr: "" })
    expect(await routeOf(place, read)).toBeUndefined()
    const reason = "when: matches said no"
    expect(dataOf(await runOf(place, read), "HANDLERS_PLANNED")).toMatchObject([
      {
        handlers: [],
        left: [
          { handler: "own-guards", reason },
          { handler: "guard-destructive", reason }
        ]
      }
    ])
    const left = await place.fire(bash("npm test -- --run parser"))
    expect(left).toMatchObject({ code: 0, stdout: "", stderr: "" })
    expect(await routeOf(place, left)).toBe("client")
    const [planned] = dataOf(await runOf(place, left), "HANDLERS_PLANNED")
    expect(planned?.handlers).toEqual([])

    // With a package, what its scripts do is read as the call is planned; what they do harm with is stopped.
    const scripts = (test: string) => place.put("package.json", JSON.stringify({ scripts: { test } }))
    scripts("vitest run")
    const cleared = await place.fire(bash("npm test -- --run parser"))
    expect(cleared).toMatchObject({ code: 0, stdout: "", stderr: "" })
    expect(await routeOf(place, cleared)).toBeUndefined()
    expect(dataOf(await runOf(place, cleared), "HANDLERS_PLANNED")[0]?.handlers).toEqual([])
    scripts("rm -rf ~/")
    for (const command of [
      "npm test",
      "npm test -- --run parser",
      "pnpm run test",
      "git status && yarn test"
    ])
      expect((await place.fire(bash(command))).stdout, command).toContain("guard-destructive")
    // So is one in another form.
    rmSync(join(place.project, "package.json"))
    for (const [name, text] of [
      ["package.yaml", "scripts:\n  test: rm -rf ~/\n"],
      ["package.json5", "{scripts: {test: 'rm -rf ~/'}}"]
    ] as const) {
      place.put(name, text)
      expect((await place.fire(bash("pnpm test"))).stdout, name).toContain("guard-destructive")
      rmSync(join(place.project, name))
    }
  }, 120_000)

  it("says so on the log where a hook had a word all the same", async () => {
    const place = await watched()
    await untilLeft(place)
    // What no host writes: the guard looks at Bash.
    const file = routesAt(place.state, place.project)
    writeFileSync(file, readFileSync(file, "utf8").replace("\tRead", "\tRead\tBash"))
    const left = await place.fire(before("Bash"))
    expect(left).toMatchObject({ code: 0, stdout: "" })
    const [failed] = dataOf(await runOf(place, left), "DELIVERY_FAILED")
    expect(failed?.stdout).toContain("Not now.")
    expect(failed?.error.message).toBe("its client took it for one that no hook has a word on")
  }, 60_000)

  it("has its jobs", async () => {
    const place = await watched({
      later: `import { defineHook } from "hooktape"
        export default defineHook({ name: "later", on: "tool.before", background: true, run: () => undefined })\n`
    })
    await untilLeft(place)
    const left = await place.fire(before("Bash"))
    const [planned] = dataOf(await runOf(place, left), "HANDLERS_PLANNED")
    expect(planned?.background?.map(({ handler }) => handler)).toEqual(["later"])
    const [job = ""] = planned?.background?.map(({ job }) => job) ?? []
    await until(async () =>
      (await place.facts()).some(({ stream, type }) => stream === `job/${job}` && type === "JOB_SUCCEEDED")
    )
    expect(await routeOf(place, left)).toBe("client")
  }, 60_000)
})

/** What makes a guard look at reads from one call to the next. */
const edges: Readonly<
  Record<
    string,
    { readonly hooks?: Readonly<Record<string, string>>; readonly act: (place: Station) => unknown }
  >
> = {
  "its file is edited": { act: (place) => place.putUser("hooks/guard.ts", guard("Read")) },
  "its file holds something else of the same size and the same time": {
    act: async (place) => {
      const file = userFile(place, "hooks/guard.ts")
      utimesSync(file, 1_700_000_000, 1_700_000_000)
      await untilLeft(place)
      const { mtimeMs, size } = statSync(file)
      writeFileSync(file, guard("Read"))
      utimesSync(file, 1_700_000_000, 1_700_000_000)
      expect(statSync(file)).toMatchObject({ mtimeMs, size })
    }
  },
  "it is added": { act: (place) => place.putUser("hooks/more.ts", other("more", guard("Read"))) },
  "a file is removed that took its place": {
    hooks: { a: guard("Read"), b: guard("Bash") },
    act: (place) => rmSync(userFile(place, "hooks/b.ts"))
  },
  "a module that it imports says another tool": {
    hooks: {
      _tool: `export const tool = "Bash"\n`,
      guard: guard("X").replace('"X"', "tool").replace("\n", `\nimport { tool } from "./_tool.ts"\n`)
    },
    act: (place) => place.putUser("hooks/_tool.ts", `export const tool = "Read"\n`)
  },
  "the configuration has it no more in the background": {
    hooks: { guard: guard("Read", "background: true,") },
    act: (place) => place.putUser("config.json", '{"hooks":{"guard":{"background":false}}}')
  },
  "the configuration came": {
    hooks: { guard: guard("Read", "background: true,") },
    act: (place) => {
      rmSync(userFile(place, "config.json"))
      return place
        .build()
        .then(() => place.putUser("config.json", '{"hooks":{"guard":{"background":false}}}'))
    }
  },
  "the project has it, trusted": {
    act: async (place) => {
      place.put(".hooktape/hooks/more.ts", other("more", guard("Read")))
      await Effect.runPromise(trustProject({ state: place.state, project: place.project }))
    }
  },
  "a folder above the project has it, trusted": {
    act: async (place) => {
      const folder = join(place.home, ".hooktape", "hooks")
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, "more.ts"), other("more", guard("Read")))
      await Effect.runPromise(trustProject({ state: place.state, project: place.home }))
    }
  }
}

describe.skipIf(!existsSync(shippedClient()))("a guard sees the very next call", () => {
  it.each(Object.entries(edges))(
    "where %s",
    async (_, { act, hooks }) => {
      const place = await watched(hooks)
      await untilLeft(place)
      await act(place)
      // A build may take longer than a call waits for it: but nobody goes on without having asked.
      const calls = await Promise.all([1, 2, 3].map(() => place.fire(before("Read"))))
      for (const call of calls) expect(await routeOf(place, call)).toBeUndefined()
      await untilStopped(place)
    },
    120_000
  )

  it("while files change again and again", async () => {
    const place = await watched()
    for (let turn = 0; turn < 4; turn++) {
      await untilLeft(place)
      place.putUser("hooks/guard.ts", guard("Read"))
      expect(await routeOf(place, await place.fire(before("Read")))).toBeUndefined()
      await untilStopped(place)
      place.putUser("hooks/guard.ts", guard("Bash"))
    }
  }, 120_000)

  it("of a session that began with it, whatever becomes of its file", async () => {
    const place = await watched({
      guard: guard("Glob", 'onFailure: "block",'),
      reads: other("reads", guard("NotebookRead"))
    })
    const glob = () => place.fire(before("Glob"))
    expect((await glob()).stdout).toContain("Not now.")
    await untilLeft(place)
    rmSync(userFile(place, "hooks/guard.ts"))
    for (let turn = 0; turn < 5; turn++) {
      expect((await glob()).stdout).toContain("Not now.")
      await place.fire(before("Read"))
    }
  }, 120_000)

  it("enters a session with its guards before any call of it is left", async () => {
    const place = await watched({ guard: guard("Glob", 'onFailure: "block",') })
    await untilLeft(place)
    const first = await place.fire(before("Read", "s-2"))
    expect(await routeOf(place, first)).toBeUndefined()
    rmSync(userFile(place, "hooks/guard.ts"))
    expect((await place.fire(before("Glob", "s-2"))).stdout).toContain("Not now.")
  }, 120_000)

  it("writes no route from what changed within a tick of its clock", async () => {
    const place = await watched()
    const file = userFile(place, "hooks/guard.ts")
    // A file system that counts seconds: nobody can tell whether it changed again within this one.
    const soon = Math.floor(Date.now() / 1000) + 3600
    utimesSync(file, soon, soon)
    for (let turn = 0; turn < 3; turn++)
      expect(await routeOf(place, await place.fire(before("Read")))).toBeUndefined()
    expect(existsSync(routesAt(place.state, place.project))).toBe(false)
    const past = soon - 7200
    utimesSync(file, past, past)
    await untilLeft(place)
  }, 120_000)
})
