/** Programs in packs: what several of them have is there once, runs when it is asked for, and is never mixed with that of another build. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"

interface Asked {
  readonly eager: Readonly<Record<string, readonly string[]>>
  readonly firsts: Readonly<Record<string, string>>
  readonly head: { readonly name: string; readonly text: string }
  readonly options: object
  readonly packOf: (of: { readonly early: readonly string[]; readonly reached: readonly string[] }) => string
  readonly programs: Readonly<Record<string, string>>
  readonly root: string
}

/** A script of the build, which has no declarations. */
const script: string = new URL("../../../.ci/packs.mjs", import.meta.url).href
const { packed } = (await import(script)) as {
  readonly packed: (asked: Asked) => Promise<{ readonly files: ReadonlyMap<string, string> }>
}

const home = realpathSync(mkdtempSync(join(tmpdir(), "hooktape-packs-")))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const sources = {
  "shared.js":
    'import { EOL } from "node:os"\nexport const say = (text) => process.stdout.write(text + EOL)\n',
  "late.js":
    'import { say } from "./shared.js"\nexport const late = () => say("late, in both")\nsay("late runs")\n',
  "one.js":
    'import { say } from "./shared.js"\nsay("one")\nvoid import("./late.js").then(({ late }) => late())\n',
  "two.js":
    'import path, { join as put } from "node:path"\nimport { say } from "./shared.js"\nexport const two = () => import("./late.js")\nsay(put("two", path.sep))\n'
}

const build = async (name: string, changed: Readonly<Record<string, string>> = {}) => {
  const root = join(home, name)
  mkdirSync(root)
  for (const [file, text] of Object.entries({ ...sources, ...changed })) writeFileSync(join(root, file), text)
  const { files } = await packed({
    root,
    programs: { one: join(root, "one.js"), two: join(root, "two.js") },
    firsts: {},
    packOf: ({ reached }) => (reached.length === 1 ? (reached[0] ?? "") : "common"),
    eager: { one: [], two: ["common"] },
    head: { name: "__moduleUrl", text: "const __moduleUrl=0" },
    options: {}
  })
  for (const [file, text] of files) writeFileSync(join(root, file), text)
  return {
    files,
    run: (file: string) =>
      execFileSync(process.execPath, [join(root, file)], { encoding: "utf8", stdio: "pipe" }),
    put: (file: string, text: string) => writeFileSync(join(root, file), text),
    text: (file: string) => readFileSync(join(root, file), "utf8")
  }
}

describe("packs", () => {
  it("hold once what two programs have, and run of it what is asked for", async () => {
    const { files, run } = await build("plain")
    expect([...files.keys()].sort()).toEqual(["common.cjs", "one.cjs", "two.cjs"])
    expect([...files.values()].join("").split("late, in both")).toHaveLength(2)
    expect(run("one.cjs")).toBe("one\nlate runs\nlate, in both\n")
    expect(run("two.cjs")).toBe("two/\n")
  })

  it("of another build are refused", async () => {
    const before = await build("before")
    const after = await build("after", { "late.js": "export const late = () => undefined\n" })
    before.put("common.cjs", after.text("common.cjs"))
    expect(() => before.run("two.cjs")).toThrow(/hooktape was replaced while this started or ran/)
  })

  it("are not made of a module that changes what it exports, which others would not see", async () => {
    const counting = "export let count = 0\nexport const say = () => { count += 1 }\n"
    const reading =
      'import { count, say } from "./shared.js"\nsay()\nconsole.log(count)\nvoid import("./late.js")\n'
    await expect(build("changing", { "shared.js": counting, "one.js": reading })).rejects.toThrow(
      /which it exports/
    )
  })
})
