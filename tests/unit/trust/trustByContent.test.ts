/** Trust by content, kept for ever, per hook: whichever checkout has it; and what happens to a hook that is no longer as it was trusted. */
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { changeTrust } from "../../../src/tools/build/addTrusted.ts"
import { buildHooks } from "../../../src/tools/build/build.ts"
import { reviewProject, trustProject } from "../../../src/tools/build/trust.ts"
import { compiledFile } from "../../../src/trust/kept.ts"
import { readTrust, withRevoked } from "../../../src/trust/store.ts"
import { hookFile, workshop } from "../../support/build/workshop.ts"

type Shop = ReturnType<typeof workshop>

const git = (cwd: string, ...args: readonly string[]): void => {
  execFileSync(
    "git",
    ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main", ...args],
    {
      cwd,
      stdio: "ignore"
    }
  )
}

/** A repository with a trusted guard. */
const guarded = async (): Promise<Shop> => {
  const shop = workshop()
  git(shop.project, "init", "-q")
  shop.put(".hooktape/hooks/guard.ts", hookFile("guard", '"tool.before"', 'onFailure: "block",\n  '))
  shop.put(".hooktape/hooks/other.ts", hookFile("other"))
  git(shop.project, "add", "-A")
  git(shop.project, "commit", "-qm", "x")
  await shop.trust()
  return shop
}

const builtAt = (shop: Shop, project: string) => Effect.runPromise(buildHooks({ ...shop.options, project }))

const namesOf = ({ hooks }: { readonly hooks: readonly { readonly hook: string }[] }) =>
  hooks.map(({ hook }) => hook)

describe("trusted content", () => {
  it("is trusted in a worktree, a fresh clone and a copy in another place", async () => {
    const shop = await guarded()
    const [worktree, clone, copy] = ["wt", "clone", "copy"].map((name) => join(shop.home, name)) as [
      string,
      string,
      string
    ]
    git(shop.project, "worktree", "add", "-q", worktree, "-b", "wt")
    git(shop.home, "clone", "-q", shop.project, clone)
    cpSync(join(shop.project, ".hooktape"), join(copy, ".hooktape"), { recursive: true })
    for (const place of [worktree, clone, copy]) {
      const result = await builtAt(shop, place)
      expect(namesOf(result)).toEqual(["guard", "other"])
      expect(result.withheld).toEqual([])
    }
  })

  it("is trusted again after a change and back, and each version of it stays so", async () => {
    const shop = await guarded()
    const second = hookFile("guard", '"tool.before"', 'onFailure: "block",\n  priority: 1,\n  ')
    shop.put(".hooktape/hooks/guard.ts", second)
    await shop.trust()
    git(shop.project, "checkout", "-q", "--", ".")
    expect((await shop.built()).held).toEqual([])
    shop.put(".hooktape/hooks/guard.ts", second)
    expect((await shop.built()).held).toEqual([])
  })

  it("is another where a package has other code under the same version", async () => {
    const shop = await guarded()
    shop.put("node_modules/p/package.json", '{ "name": "p", "version": "1.0.0", "main": "p.js" }')
    shop.put("node_modules/p/p.js", "exports.p = 1")
    shop.put(".hooktape/hooks/uses.ts", `import "p"\n${hookFile("uses")}`)
    await shop.trust()
    const copy = join(shop.home, "copy")
    cpSync(shop.project, copy, { recursive: true })
    expect((await builtAt(shop, copy)).withheld).toEqual([])
    rmSync(join(copy, ".git"), { recursive: true })
    writeFileSync(join(copy, "node_modules/p/p.js"), "exports.p = 2")
    const result = await builtAt(shop, copy)
    expect(result.withheld.map(({ file }) => file)).not.toContain(".hooktape/hooks/guard.ts")
    expect(namesOf(await builtAt({ ...shop, state: shop.state }, copy))).toContain("guard")
  })

  it("shows what changed since it was trusted last", async () => {
    const shop = await guarded()
    shop.put(".hooktape/hooks/guard.ts", `${hookFile("guard")}// more\n`)
    const { items } = await Effect.runPromise(reviewProject({ ...shop.options, project: shop.project }))
    expect(items.map(({ change, file }) => `${change} ${file}`)).toEqual([
      "changed .hooktape/hooks/guard.ts",
      "same .hooktape/hooks/other.ts"
    ])
    expect(items[0]?.diff).toContain("--- .hooktape/hooks/guard.ts")
    expect(items[0]?.diff).toContain("+// more")
    expect(items[0]?.diff).toContain('-  onFailure: "block",')
  })

  it("that was revoked runs nowhere, and no trust of everything brings it back", async () => {
    const shop = await guarded()
    await shop.built()
    const { trusted } = readTrust(shop.state)
    const { digest = "" } = Object.values(trusted).find(({ names }) => names.includes("guard")) ?? {}
    changeTrust(shop.state, (store) => withRevoked(store, digest, 1))
    const without = async () => {
      const result = await shop.built()
      expect(namesOf(result)).toEqual(["other"])
      expect(result.withheld).toEqual([
        { file: ".hooktape/hooks/guard.ts", reason: "revoked", kind: "revoked" }
      ])
    }
    await without()
    expect((await shop.trust()).revoked).toEqual([".hooktape/hooks/guard.ts"])
    await without()
    await Effect.runPromise(trustProject({ ...shop.options, project: shop.project, again: [digest] }))
    expect(namesOf(await shop.built())).toEqual(["guard", "other"])
  })
})

describe("the last trusted version", () => {
  it("runs on, with its settings, after an edit of file or settings", async () => {
    const shop = await guarded()
    const before = await shop.built()
    shop.put(".hooktape/hooks/guard.ts", `${hookFile("guard", '"tool.before"')}// note\n`)
    shop.put(
      ".hooktape/config.json",
      '{ "hooks": { "guard": { "enabled": false }, "other": { "enabled": false } } }'
    )
    const after = await shop.built()
    expect(after.manifest.guarded).toEqual(before.manifest.guarded)
    expect(namesOf(after)).toEqual(["guard", "other"])
    expect(after.held.map(({ file, reason }) => `${file}: ${reason}`)).toEqual([
      ".hooktape/hooks/guard.ts: changed since you trusted it",
      ".hooktape/hooks/other.ts: the configuration changed since you trusted it"
    ])
    expect(shop.tell(after, "session.start")["notices"]).toContainEqual({
      type: "USER_HINT",
      text: expect.stringContaining("last trusted versions run on")
    })
  })

  it("of a broken file runs on, and a new broken one holds no other back", async () => {
    const shop = await guarded()
    await shop.built()
    shop.put(".hooktape/hooks/guard.ts", "export default {")
    shop.put(".hooktape/hooks/broken.ts", "export default {")
    const result = await shop.built()
    expect(namesOf(result)).toEqual(["guard", "other"])
    expect(result.problems.map(({ file }) => file.slice(-8))).toEqual(["guard.ts"])
    expect(result.withheld).toEqual([
      {
        file: ".hooktape/hooks/broken.ts",
        reason: expect.stringMatching(/^does not build: .+\(broken\.ts:1\)$/),
        kind: "broken"
      }
    ])
  })

  it("is not that of another repository: a clone that never had it runs nothing", async () => {
    const shop = await guarded()
    const clone = join(shop.home, "clone")
    git(shop.home, "clone", "-q", shop.project, clone)
    writeFileSync(join(clone, ".hooktape/hooks/guard.ts"), `${hookFile("guard")}// evil\n`)
    const result = await builtAt(shop, clone)
    expect(namesOf(result)).toEqual(["other"])
    expect(result.withheld).toEqual([{ file: ".hooktape/hooks/guard.ts", reason: "not trusted" }])
  })

  it("is not run when what was kept of it is another", async () => {
    const shop = await guarded()
    await shop.built()
    const { trusted } = readTrust(shop.state)
    for (const digest of Object.keys(trusted)) writeFileSync(compiledFile(shop.state, digest), "evil()")
    shop.put(".hooktape/hooks/guard.ts", `${hookFile("guard")}// note\n`)
    expect(namesOf(await shop.built())).toEqual(["other"])
  })
})

describe("nested projects", () => {
  const nested = (shop: Shop, name: string): string => {
    const folder = join(shop.project, name)
    mkdirSync(join(folder, ".hooktape", "hooks"), { recursive: true })
    return folder
  }

  it("have the hooks of all directories above them up to the repository's root", async () => {
    const shop = await guarded()
    expect(namesOf(await builtAt(shop, nested(shop, "vendor/dep")))).toEqual(["guard", "other"])
    writeFileSync(join(shop.home, "x"), "")
    mkdirSync(join(shop.home, ".hooktape/hooks"), { recursive: true })
    writeFileSync(join(shop.home, ".hooktape/hooks/outside.ts"), hookFile("outside"))
    expect((await shop.built()).withheld).toEqual([])
  })

  it("replace what is not final by name, each with its own level's settings", async () => {
    const shop = await guarded()
    const inner = nested(shop, "packages/a")
    shop.put(".hooktape/hooks/final.ts", hookFile("final", '"tool.before"', "final: true,\n  "))
    shop.put(
      ".hooktape/config.json",
      '{ "hooks": { "guard": { "priority": 7 }, "other": { "priority": 8 } } }'
    )
    for (const name of ["guard", "final"])
      writeFileSync(join(inner, `.hooktape/hooks/${name}.ts`), `${hookFile(name)}// inner\n`)
    await Effect.runPromise(trustProject({ ...shop.options, project: inner }))
    const result = await builtAt(shop, inner)
    expect(
      result.hooks.map(({ hook, origin = "", file, settings }) => [
        hook,
        (origin || file).startsWith(inner),
        settings?.priority
      ])
    ).toEqual([
      ["final", false, undefined],
      ["other", false, 8],
      ["guard", true, undefined]
    ])
    expect(result.withheld).toMatchObject([
      { file: ".hooktape/hooks/final.ts", reason: expect.stringContaining("final one of an outer project") }
    ])
    expect(namesOf(await shop.built())).toEqual(["final", "guard", "other"])
  })
})
