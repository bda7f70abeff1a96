/** What a command answered is told by the digest of its files: the same files have it in a build aside as in their project's. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { bundleOf } from "../../../src/state/manifest.ts"
import type { BuildResult } from "../../../src/tools/build/build.ts"
import { hooksIn, layOut } from "../../../src/tools/replay/layOut.ts"
import { workshop } from "../../support/build/workshop.ts"

const script = (file: string): string => {
  chmodSync(file, 0o755)
  return file
}

const head = (name: string): string => `# hooktape: {"name": "${name}", "on": "tool.before"}\n`

/** By the hook's name, the digest that its calls are recorded with. */
const codes = ({ manifest }: BuildResult): ReadonlyMap<string, string> => {
  const text = readFileSync(bundleOf(manifest, "tool.before"), "utf8")
  const found = text.matchAll(
    /"?name"?: ?"([\w-]+)"(?:(?!"?definition"?:)[\s\S])*?"?code"?: ?"([\da-f]{16})"/g
  )
  return new Map([...found].map(([, name = "", code = ""]) => [name, code]))
}

const made = async () => {
  const shop = workshop()
  script(shop.putUser("hooks/mine.sh", `#!/bin/sh\n${head("mine")}exit 0\n`))
  script(shop.put(".hooktape/hooks/hint.py", `#!/usr/bin/env python3\n${head("hint")}import words\n`))
  shop.put(".hooktape/hooks/words.py", "one = 1\n")
  shop.put("tools/guard.py", "import rules\n")
  shop.put("tools/rules.py", "no = 1\n")
  shop.put(
    ".hooktape/config.json",
    JSON.stringify({ external: [{ name: "guard", on: "tool.before", run: "python3 tools/guard.py" }] })
  )
  await shop.trust()
  const aside = (named: string): Promise<BuildResult> =>
    shop.builtUser({
      ...layOut(mkdtempSync(join(shop.home, "aside-")), hooksIn(named), shop.userFolder),
      state: join(shop.home, "aside")
    })
  return { shop, aside, hooks: join(shop.project, ".hooktape", "hooks") }
}

describe("commands in a build aside", () => {
  it("have the digest of their project's build, whichever way the directory is named", async () => {
    const { aside, hooks, shop } = await made()
    const inProject = codes(await shop.built())
    expect([...inProject.keys()].sort()).toEqual(["guard", "hint", "mine"])
    const link = join(shop.home, "linked")
    symlinkSync(hooks, link)
    for (const named of [hooks, join(hooks, ".."), shop.project, link])
      expect(codes(await aside(named)), named).toEqual(inProject)
  })

  it("have another one where the script or what lies beside it changed, and no other", async () => {
    const { aside, hooks, shop } = await made()
    const inProject = codes(await shop.built())
    shop.put(".hooktape/hooks/words.py", "one = 2\n")
    const beside = codes(await aside(hooks))
    expect(beside.get("hint")).not.toBe(inProject.get("hint"))
    expect(beside.get("guard")).toBe(inProject.get("guard"))
    shop.put("tools/rules.py", "no = 2\n")
    expect(codes(await aside(hooks)).get("guard")).not.toBe(inProject.get("guard"))
  })

  it("of the user are the user's, named or beside those of a directory", async () => {
    const { aside, shop } = await made()
    rmSync(join(shop.project, ".hooktape"), { recursive: true })
    const own = codes(await shop.built())
    expect([...own.keys()]).toEqual(["mine"])
    expect(codes(await aside(join(shop.userFolder, "hooks")))).toEqual(own)
    expect(codes(await aside(shop.userFolder))).toEqual(own)
  })
})
