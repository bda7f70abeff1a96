/** What a newer version keeps, met by this one: it is not written over, and a guard that cannot be read is not taken for none. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { addTrusted } from "../../../src/tools/build/addTrusted.ts"
import { buildHooks } from "../../../src/tools/build/build.ts"
import { guardsFile, readGuards } from "../../../src/trust/keptGuards.ts"
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
  expect(readGuards(state, "/p")).toMatchObject([{ name: "g" }])
  for (const guards of [[guard, { id: 7 }], { g: guard }, "all", undefined]) {
    put(guardsFile(state), { version: 2, guards })
    expect(readGuards(state, "/p").at(-1)).toMatchObject({
      name: "guards of a newer hooktape",
      digest: "",
      events: ["tool.before"]
    })
  }
  put(guardsFile(state), { version: 1, guards: [guard, { id: 7 }] })
  expect(readGuards(state, "/p")).toEqual([guard])
})

it("a session that began under a newer version keeps its guards", () => {
  const state = fresh()
  writeSession(state, { version: 1, session: "s", began: 1, guards: [guard] })
  expect(readSession(state, "s")?.guards).toEqual([guard])
  writeSession(state, { version: 2 as 1, session: "s", began: 1, guards: [guard] })
  expect(readSession(state, "s")?.guards).toEqual([guard])
})
