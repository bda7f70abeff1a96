/** What a newer version keeps, met by this one: it is not written over, and a guard that cannot be read is not taken for none. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import type { Decoded } from "../../../src/agents/Adapter.ts"
import { enterSession } from "../../../src/runtime/sessionRegistry.ts"
import { addTrusted } from "../../../src/tools/build/addTrusted.ts"
import { buildHooks } from "../../../src/tools/build/build.ts"
import { type Guarded, guardsFile, projectGuards, readGuards } from "../../../src/trust/keptGuards.ts"
import { readSession, writeSession } from "../../../src/trust/sessionGuards.ts"
import { trustFile } from "../../../src/trust/store.ts"

const fresh = (): string => mkdtempSync(join(homedir(), "newer-"))
const put = (file: string, value: unknown): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(value))
}

const guard = {
  name: "g",
  owner: "project",
  digest: "d",
  source: "/p/g.ts",
  events: ["tool.before"],
  trustedAt: 1
} as const

/** Of a project without hooks of its own. */
const guardsOf = (state: string, before?: Guarded["before"]) =>
  readGuards({ state, project: "/p", own: false, before })

it("trust of a newer version stays as it is: nothing is added to it, and nothing is built without it", async () => {
  const state = fresh()
  put(trustFile(state), { version: 3, trusted: ["another shape"] })
  const was = readFileSync(trustFile(state), "utf8")
  expect(() => addTrusted(state, [])).toThrow("written by a newer hooktape")
  const error = await Effect.runPromise(Effect.flip(buildHooks({ state, userFolder: join(state, "user") })))
  expect(String(error.message)).toContain("written by a newer hooktape")
  expect(readFileSync(trustFile(state), "utf8")).toBe(was)
})

it("guards of a newer version count as far as they can be read, and one that blocks stands for the rest", () => {
  const state = fresh()
  put(guardsFile(state), { version: 2, guards: [{ ...guard, more: true }] })
  expect(guardsOf(state)).toMatchObject([{ name: "g" }])
  for (const guards of [[guard, { id: 7 }], { g: guard }, "all", undefined]) {
    put(guardsFile(state), { version: 2, guards })
    expect(guardsOf(state).at(-1)).toMatchObject({
      name: "guards of a newer hooktape",
      digest: "",
      events: ["tool.before"]
    })
  }
})

const unreadable = {
  name: "unreadable guards",
  events: ["tool.before"],
  unknown: expect.stringContaining(".json cannot be read")
}

it("guards that cannot be read are not taken for none, whatever is wrong with their file", () => {
  const state = fresh()
  expect(guardsOf(state)).toEqual([])
  put(guardsFile(state), { version: 1, guards: [guard, { id: 7 }] })
  expect(guardsOf(state)).toMatchObject([guard, unreadable])
  for (const text of ["", "{ rubbish", "null", "7", "{}", '{"version":1}', '{"version":"1","guards":[]}']) {
    writeFileSync(guardsFile(state), text)
    expect(guardsOf(state)).toMatchObject([unreadable])
    // Of the project's own as well: the user's are no substitute.
    put(guardsFile(state), { version: 1, guards: [] })
    writeFileSync(guardsFile(state, "/p"), text)
    expect(guardsOf(state)).toMatchObject([unreadable])
    rmSync(guardsFile(state, "/p"))
  }
  rmSync(guardsFile(state))
  mkdirSync(guardsFile(state))
  expect(guardsOf(state)).toMatchObject([unreadable])
  rmSync(dirname(guardsFile(state)), { recursive: true })
  writeFileSync(dirname(guardsFile(state)), "")
  expect(guardsOf(state)).toMatchObject([unreadable])
})

it("where none are found, what the build before had counts, and beside newer trust something blocks", () => {
  const state = fresh()
  const project = { project: "/p", guards: [guard] }
  expect(guardsOf(state, project)).toEqual([guard])
  put(guardsFile(state), { version: 1, guards: [] })
  expect(guardsOf(state, project)).toEqual([guard])
  expect(guardsOf(state, { ...project, project: null })).toEqual([])
  put(trustFile(state), { version: 3, trusted: [] })
  expect(guardsOf(state)).toEqual([])
  rmSync(guardsFile(state))
  expect(guardsOf(state)).toMatchObject([{ digest: "", unknown: expect.stringContaining("update this one") }])
  expect(guardsOf(state, { project: null, guards: [guard] })).toMatchObject([guard, { digest: "" }])
})

it("beside newer trust the user's guards are no substitute for those of a project that may have its own", () => {
  const state = fresh()
  put(guardsFile(state), { version: 1, guards: [{ ...guard, owner: "user" }] })
  put(trustFile(state), { version: 3, trusted: [] })
  const own = { state, project: "/p", own: true }
  const unknown = { digest: "", unknown: expect.stringContaining("update this one") }
  expect(readGuards(own)).toMatchObject([{ owner: "user" }, unknown])
  expect(projectGuards(state, "/p")).toMatchObject([unknown])
  put(guardsFile(state, "/p"), { version: 1, guards: [{ ...guard, owner: "user" }, guard] })
  expect(readGuards(own)).toMatchObject([{ owner: "user" }, guard])
  expect(projectGuards(state, "/p")).toEqual([guard])
  writeFileSync(trustFile(state), "{}")
  rmSync(guardsFile(state, "/p"))
  expect(projectGuards(state, "/p")).toEqual([])
})

it("a session does not keep what stands for guards that cannot be read", () => {
  const state = fresh()
  put(guardsFile(state), { version: 1, guards: [guard, { id: 7 }] })
  const retaining = { state, guards: guardsOf(state), now: () => 7 }
  enterSession(retaining, { session: "s", events: [] } as unknown as Decoded)
  expect(readSession(state, "s")?.guards).toEqual([guard])
  writeFileSync(guardsFile(state), "")
  enterSession({ ...retaining, guards: guardsOf(state) }, {
    session: "t",
    events: []
  } as unknown as Decoded)
  expect(readSession(state, "t")).toBeUndefined()
})

it("a session that began under a newer version keeps its guards", () => {
  const state = fresh()
  writeSession(state, { version: 1, session: "s", began: 1, guards: [guard] })
  expect(readSession(state, "s")?.guards).toEqual([guard])
  writeSession(state, { version: 2 as 1, session: "s", began: 1, guards: [guard] })
  expect(readSession(state, "s")?.guards).toEqual([guard])
})
