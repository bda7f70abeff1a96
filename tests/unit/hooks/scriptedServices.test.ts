/** What authors test their handlers with, and the pages that say so. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import {
  defineHook,
  modelContext,
  type Scripted,
  scriptedServices,
  UnrecordedCall
} from "../../../src/index.ts"
import { rows } from "../../support/markdown.ts"

const page = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../../docs/${path}`, import.meta.url)), "utf8")

/** The example of both pages. */
const branch = defineHook({
  name: "branch",
  on: "prompt.submit",
  run: async ({ services }) => {
    const { exitCode, stdout } = await services.run("git", ["branch", "--show-current"])
    return exitCode === 0 ? modelContext(`The branch is ${stdout.trim()}.`) : undefined
  }
})

describe("scripted services", () => {
  it("answer a handler from a script", async () => {
    const services = scriptedServices({ run: { "git branch --show-current": { stdout: "main\n" } } })
    expect(await branch.run({ services } as never)).toMatchObject({ text: "The branch is main." })
    expect(services.asked).toMatchObject([{ service: "run" }])
    const failing = scriptedServices({ run: { "git branch --show-current": { exitCode: 128 } } })
    expect(await branch.run({ services: failing } as never)).toBeUndefined()
  })

  it("answer all lines that begin as one that ends in a star, but for those that stand there themselves", async () => {
    const { run } = scriptedServices({
      run: { "npx eslint *": { exitCode: 1 }, "npx eslint --version": { stdout: "9" } }
    })
    expect(await run("npx", ["eslint", "/p/a.ts"])).toMatchObject({ exitCode: 1 })
    expect(await run("npx", ["eslint", "--version"])).toMatchObject({ exitCode: 0, stdout: "9" })
    await expect(run("npx", ["eslint"])).rejects.toThrow(UnrecordedCall)
  })

  it("have an answer of each kind", async () => {
    const services = scriptedServices({
      now: [1, 2],
      random: 0.5,
      files: { "a.txt": "é", "sub/b.txt": "" },
      log: [{ type: "EXITED" }],
      notes: [{ text: "remember" }],
      transcript: [{ role: "user", text: "hi" }],
      call: { own: [1] }
    })
    const { call, clock, files, log, notes, random, transcript } = services
    expect([clock.now(), clock.now(), random.next(), random.next()]).toEqual([1, 2, 0.5, 0.5])
    expect(await files.read("a.txt")).toEqual({ text: "é", bytes: 2, truncated: false })
    expect(await files.read("b.txt")).toBeUndefined()
    expect([await files.exists("a.txt"), await files.exists("sub"), await files.exists("c")]).toEqual([
      "file",
      "directory",
      undefined
    ])
    expect(await files.list(".")).toEqual([
      { name: "a.txt", kind: "file" },
      { name: "sub", kind: "directory" }
    ])
    expect(await files.list("sub")).toEqual([{ name: "b.txt", kind: "file" }])
    expect(await log.facts({})).toMatchObject({ facts: [{ type: "EXITED", data: {} }] })
    expect(await notes.search("x")).toMatchObject([{ text: "remember", kind: "note" }])
    expect(await notes.list()).toHaveLength(1)
    await notes.add({ text: "new" })
    expect(await transcript.read({ last: 1 })).toMatchObject({ entries: [{ text: "hi" }] })
    expect(await call("own", null, () => 0)).toEqual([1])
    expect(random.uuid()).not.toBe(random.uuid())
    expect(services.asked.find(({ service }) => service === "notes.add")).toEqual({
      service: "notes.add",
      input: { text: "new" }
    })
  })

  it("fail what is not in the script", async () => {
    const { call, clock, files, run } = scriptedServices()
    expect(() => clock.now()).toThrow(UnrecordedCall)
    await expect(files.read("a")).rejects.toThrow('files.read({"path":"a"}) is not in the script')
    await expect(run("ls")).rejects.toThrow(UnrecordedCall)
    await expect(call("own", 1, () => 0)).rejects.toThrow(UnrecordedCall)
  })
})

describe("docs/reference/services.md", () => {
  const groups = (services: Scripted) =>
    Object.entries(services).flatMap(([name, value]) =>
      name === "asked"
        ? []
        : typeof value === "function"
          ? [name]
          : Object.keys(value as object).map((key) => `${name}.${key}`)
    )

  it("has every service and no other", () => {
    const told = rows(page("reference/services.md")).flatMap(([cell = ""]) =>
      [...cell.matchAll(/`([\w.]+)\(/g)].map(([, name = ""]) => name)
    )
    expect(told.toSorted()).toEqual(groups(scriptedServices()).toSorted())
  })

  it("and the page about tests show the example that is run here", () => {
    for (const path of ["reference/services.md", "how-to/test-a-handler.md"])
      expect(page(path)).toContain("The branch is")
    expect(page("reference/services.md")).toContain('await services.run("git", ["branch", "--show-current"])')
    expect(page("how-to/test-a-handler.md")).toContain(
      'scriptedServices({ run: { "git branch --show-current": { stdout: "main\\n" } } })'
    )
  })
})
