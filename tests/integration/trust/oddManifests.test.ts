/** Clones with a pipe or a device where the compiler looks for a manifest: nothing reads it, and no guard is lost for it. */
import { execFileSync } from "node:child_process"
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, describe, expect, it } from "vitest"
import { buildHooks } from "../../../src/tools/build/build.ts"
import { trustProject } from "../../../src/tools/build/trust.ts"
import { bash, station } from "../../support/entrypoint.ts"

const hook = (more = "") => `${more}import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({ name: "guard", on: "tool.before", onFailure: "block", run: () => blockingFeedback("GUARDED") })
`

/** What may lie there. The device is one that ends: a build that does read it must not fill the memory of who finds that out. */
const kinds: Readonly<Record<string, (file: string) => void>> = {
  "a pipe": (file) => execFileSync("mkfifo", [file]),
  "a link to a device": (file) => symlinkSync("/dev/null", file),
  "a file without measure": (file) => {
    writeFileSync(file, "{}")
    truncateSync(file, 2_000_000)
  }
}

/** Manifests on the compiler's way, each with what the hook imports for it. */
const manifests: Readonly<
  Record<string, { readonly at: string; readonly files?: Readonly<Record<string, string>> }>
> = {
  "the project's": { at: "package.json" },
  "that of the settings": { at: ".hooktape/package.json" },
  "that of the hooks": { at: ".hooktape/hooks/package.json" },
  "that of a folder it imports from": {
    at: "lib/package.json",
    files: { "lib/a.ts": "export {}\n", ".hooktape/hooks/a.ts": hook('import "../../lib/a.ts"\n') }
  },
  "that of a folder that a linked file lies in": {
    at: "deep/package.json",
    files: {
      "deep/b.ts": "export {}\n",
      "lib/a.ts": "-> ../deep/b.ts",
      ".hooktape/hooks/a.ts": hook('import "../../lib/a"\n')
    }
  },
  "that of a package": {
    at: "node_modules/x/package.json",
    files: { "node_modules/x/index.js": "", ".hooktape/hooks/a.ts": hook('import "x"\n') }
  },
  "that of a folder a package leads to": {
    at: "node_modules/x/lib/package.json",
    files: {
      "node_modules/x/lib/index.js": "",
      "node_modules/x/package.json": '{"name":"x","exports":{"./*":{"default":"./lib/*.js"}}}',
      ".hooktape/hooks/a.ts": hook('import "x/index"\n')
    }
  },
  "that of a folder the project's own names lead to": {
    at: "lib/package.json",
    files: {
      "lib/a.js": "",
      "package.json": '{"imports":{"#a":"./lib/a.js"}}',
      ".hooktape/hooks/a.ts": hook('import "#a"\n')
    }
  },
  "Yarn's list of packages": { at: ".pnp.cjs" }
}

const homes: string[] = []
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true })
})

const plant = (project: string, files: Readonly<Record<string, string>>): string => {
  mkdirSync(join(project, ".git"), { recursive: true })
  writeFileSync(join(project, ".git", "HEAD"), "ref: refs/heads/main\n")
  for (const [name, text] of Object.entries({ ".hooktape/hooks/a.ts": hook(), ...files })) {
    const file = join(project, name)
    mkdirSync(dirname(file), { recursive: true })
    if (text.startsWith("-> ")) symlinkSync(text.slice(3), file)
    else writeFileSync(file, text)
  }
  return project
}

const makePlaces = () => {
  const home = realpathSync(mkdtempSync(join(homedir(), "odd-")))
  homes.push(home)
  const state = join(home, "state")
  return {
    home,
    state,
    build: (project: string) =>
      Effect.runPromise(buildHooks({ state, userFolder: join(home, "user"), project, defaults: false })),
    trust: (project: string) => Effect.runPromise(trustProject({ state, project }))
  }
}

const refused = expect.stringMatching(/ (is not a regular file|is larger than 1 MB)/)

describe.runIf(process.platform !== "win32").each(Object.entries(kinds))("with %s for it", (_, lay) => {
  it.each(Object.entries(manifests))(
    "%s is not read, and the hook is told not to build",
    async (_, { at, files = {} }) => {
      const { build, home, trust } = makePlaces()
      const project = plant(join(home, "clone"), files)
      lay(join(project, at))
      // A list of packages may be large.
      if (at === ".pnp.cjs" && statSync(join(project, at)).isFile()) return
      const { problems, withheld } = await build(project)
      expect(withheld).toEqual([{ file: ".hooktape/hooks/a.ts", kind: "broken", reason: refused }])
      expect(problems).toEqual([])
      const trusted = await trust(project)
      expect(trusted.problems).toEqual([expect.objectContaining({ reason: refused })])
      // As soon as it is another, it is looked at anew.
      rmSync(join(project, at))
      expect((await build(project)).withheld).toEqual([expect.objectContaining({ reason: "not trusted" })])
    }
  )
})

describe.runIf(process.platform !== "win32").each(Object.entries(kinds))(
  "with %s in another checkout",
  (_, lay) => {
    it("what is trusted guards on as it was kept, and it is said", async () => {
      const place = await station()
      homes.push(place.home)
      const files = {
        "lib/a.ts": "export {}\n",
        ".hooktape/hooks/a.ts": hook('import "../../lib/a.ts"\n'),
        ".hooktape/config.json": '{ "deadlineMs": 60000 }'
      }
      plant(place.project, files)
      await Effect.runPromise(trustProject({ state: place.state, project: place.project }))
      await place.build()
      const clone = plant(join(place.home, "clone"), files)
      lay(join(clone, "package.json"))
      const built = await Effect.runPromise(
        buildHooks({ state: place.state, userFolder: place.userFolder, project: clone, defaults: false })
      )
      expect(built).toMatchObject({ withheld: [], held: [{ kind: "broken", reason: refused }] })
      const fired = await place.fire({ input: bash("true", { cwd: clone }), cwd: clone })
      expect(fired.stdout + fired.stderr).toContain("GUARDED")
      // What differs in any of its files is another content.
      const other = plant(join(place.home, "other"), { ...files, "lib/a.ts": "export const a = 1\n" })
      lay(join(other, "package.json"))
      const differs = await Effect.runPromise(
        buildHooks({ state: place.state, userFolder: place.userFolder, project: other, defaults: false })
      )
      expect(differs).toMatchObject({ withheld: [{ kind: "broken" }], held: [] })
    })
  }
)

it.runIf(process.platform !== "win32")("settings of another compiler are not even looked at", async () => {
  const { build, home } = makePlaces()
  const project = plant(join(home, "clone"), {})
  for (const name of ["tsconfig.json", "jsconfig.json", ".hooktape/tsconfig.json"])
    execFileSync("mkfifo", [join(project, name)])
  expect((await build(project)).withheld).toEqual([expect.objectContaining({ reason: "not trusted" })])
})
