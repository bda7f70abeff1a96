/** Repositories whose configuration has git run programs: asked by us, git runs none of them. */
import { execFileSync, spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, expect, it, vi } from "vitest"
import { readRepository } from "../../../src/features/checkpoints/repository.ts"
import { carriedBy } from "../../../src/programs/cli/repository.ts"
import { type Clone, makeClone, plant } from "../../support/clone.ts"

interface Case {
  readonly attributes?: string
  /** Returns the folder to ask about, where it is not the project. */
  readonly plant: (clone: Clone, evil: string) => unknown
  readonly env?: (clone: Clone, evil: string) => Readonly<Record<string, string>>
  /** Plain git must be seen to run it, where it does at all: else the case shows nothing. */
  readonly seen?: readonly (readonly string[])[]
}

const status = ["status", "--porcelain"]
const diff = ["diff", "--numstat", "HEAD"]

const config =
  (...settings: readonly (readonly [string, string])[]) =>
  ({ git }: Clone, evil: string): void => {
    for (const [key, value] of settings) git("config", key, value.replaceAll("$evil", evil))
  }

const cases: Readonly<Record<string, Case>> = {
  "a filter's clean": {
    attributes: "*.txt filter=x\n",
    plant: config(["filter.x.clean", "$evil"]),
    seen: [status, diff]
  },
  "a filter that is required": {
    attributes: "*.txt filter=x\n",
    plant: config(["filter.x.clean", "$evil"], ["filter.x.required", "true"]),
    seen: [status]
  },
  "a filter's process": {
    attributes: "*.txt filter=x\n",
    plant: config(["filter.x.process", "$evil"]),
    seen: [status]
  },
  "a filter with a name that looks like a setting": {
    attributes: "*.txt filter=core.x\n",
    plant: config(["filter.core.x.clean", "$evil"]),
    seen: [status]
  },
  "a filter whose name ends a setting on git's command line": {
    attributes: "*.txt filter=a=b\n",
    plant: ({ project }, evil) =>
      writeFileSync(join(project, ".git/config"), `[filter "a=b"]\n\tclean = ${evil}\n`, { flag: "a" }),
    seen: [status]
  },
  "a filter in a file that is included": {
    attributes: "*.txt filter=x\n",
    plant: ({ git, project }, evil) => {
      writeFileSync(join(project, "more"), `[filter "x"]\n\tclean = ${evil}\n`)
      git("config", "include.path", "../more")
    },
    seen: [status]
  },
  "a filter by attributes of .git/info": {
    plant: (clone, evil) => {
      mkdirSync(join(clone.project, ".git/info"), { recursive: true })
      writeFileSync(join(clone.project, ".git/info/attributes"), "*.txt filter=x\n")
      config(["filter.x.clean", "$evil"])(clone, evil)
    },
    seen: [status]
  },
  "a filter by a file of attributes": {
    plant: (clone, evil) => {
      writeFileSync(join(clone.project, "attributes"), "*.txt filter=x\n")
      config(["filter.x.clean", evil], ["core.attributesFile", join(clone.project, "attributes")])(
        clone,
        evil
      )
    },
    seen: [status]
  },
  "a filter of the environment": {
    attributes: "*.txt filter=x\n",
    plant: () => {},
    env: (_, evil) => ({
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "filter.x.clean",
      GIT_CONFIG_VALUE_0: evil
    }),
    seen: [status]
  },
  "a configuration that a variable of the session names": {
    attributes: "*.txt filter=x\n",
    plant: ({ project }, evil) => writeFileSync(join(project, "global"), `[filter "x"]\n\tclean = ${evil}\n`),
    env: ({ project }) => ({ GIT_CONFIG_GLOBAL: join(project, "global") }),
    seen: [status]
  },
  "a home within the repository": {
    attributes: "*.txt filter=x\n",
    plant: ({ project }, evil) => plant(project, { "home/.gitconfig": `[filter "x"]\n\tclean = ${evil}\n` }),
    env: ({ project }) => ({ HOME: join(project, "home") }),
    seen: [status]
  },
  "the monitor of the file system": { plant: config(["core.fsmonitor", "$evil"]), seen: [status] },
  "a hook": {
    plant: ({ project }, evil) =>
      plant(project, { ".git/hooks/post-index-change": `#!/bin/sh\nexec ${evil}\n` }),
    seen: [status]
  },
  "a folder of hooks": {
    plant: (clone, evil) => {
      plant(clone.project, { "hooks/post-index-change": `#!/bin/sh\nexec ${evil}\n` })
      config(["core.hooksPath", join(clone.project, "hooks")])(clone, evil)
    },
    seen: [status]
  },
  "an external diff": { plant: config(["diff.external", "$evil"]), seen: [["diff", "HEAD"]] },
  "an external diff of the environment": {
    plant: () => {},
    env: (_, evil) => ({ GIT_EXTERNAL_DIFF: evil }),
    seen: [["diff", "HEAD"]]
  },
  "a diff driver": {
    attributes: "*.txt diff=x\n",
    plant: config(["diff.x.command", "$evil"], ["diff.x.textconv", "$evil"]),
    seen: [["diff", "HEAD"]]
  },
  "a text conversion": {
    attributes: "*.txt diff=x\n",
    plant: config(["diff.x.textconv", "$evil"]),
    seen: [["diff", "HEAD"]]
  },
  "an alias, a pager, an editor, a helper": {
    plant: config(
      ["alias.status", "!$evil"],
      ["alias.diff", "!$evil"],
      ["alias.x", "!$evil"],
      ["core.pager", "$evil"],
      ["pager.status", "$evil"],
      ["core.editor", "$evil"],
      ["credential.helper", "!$evil"]
    ),
    seen: [["x"]]
  },
  "a transport, in a repository that was cloned in part": {
    plant: (clone, evil) => {
      config(
        ["core.repositoryFormatVersion", "1"],
        ["extensions.partialClone", "origin"],
        ["remote.origin.promisor", "true"],
        ["remote.origin.uploadpack", "$evil"]
      )(clone, evil)
      loseTree(clone)
    },
    seen: [diff]
  },
  "a transport over a shell of the repository's": {
    plant: (clone, evil) => {
      config(
        ["core.repositoryFormatVersion", "1"],
        ["extensions.partialClone", "origin"],
        ["remote.origin.promisor", "true"],
        ["remote.origin.url", "ssh://example.invalid/x"],
        ["protocol.ssh.allow", "always"],
        ["core.sshCommand", "$evil"]
      )(clone, evil)
      loseTree(clone)
    },
    seen: [diff]
  },
  "a filter of a submodule": {
    plant: ({ git, project }, evil) => {
      const sub = join(project, "sub")
      plant(sub, { "b.txt": "one\n", ".gitattributes": "*.txt filter=x\n" })
      const within = ["-C", sub]
      git(...within, "init", "-q")
      git(...within, "add", ".")
      git(...within, "commit", "-q", "-m", "x")
      git("-c", "advice.addEmbeddedRepo=false", "add", "sub")
      git(...within, "config", "filter.x.clean", evil)
      writeFileSync(join(sub, "b.txt"), "two\n")
    },
    seen: [status]
  },
  "a folder that looks like a repository": {
    plant: ({ project }, evil) => {
      const bare = join(project, "bare")
      plant(bare, {
        HEAD: "ref: refs/heads/main\n",
        "refs/heads/x": "",
        "objects/x": "",
        "a.txt": "",
        config: `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = ${evil}\n`
      })
      rmSync(join(bare, "refs/heads/x"))
      return bare
    },
    seen: [status]
  },
  "a program called git": {
    plant: ({ project }, evil) => plant(project, { "bin/git": `#!/bin/sh\nexec ${evil}\n` }),
    env: ({ project }) => ({ PATH: [".", "bin", join(project, "bin"), process.env["PATH"]].join(delimiter) })
  },
  "a folder of git's own programs": {
    plant: (_, evil) => void evil,
    env: ({ project }, evil) => {
      plant(project, {
        "exec/git-config": `#!/bin/sh\nexec ${evil}\n`,
        "exec/git-x": `#!/bin/sh\nexec ${evil}\n`
      })
      return { GIT_EXEC_PATH: join(project, "exec") }
    },
    seen: [["x"]]
  }
}

/** The tree of the commit: git has to fetch it, or to do without. */
const loseTree = ({ git, project }: Clone): void => {
  const tree = git("rev-parse", "HEAD^{tree}").trim()
  const objects = join(project, ".git/objects")
  if (readdirSync(join(objects, "pack")).length > 0) throw new Error("the objects are packed")
  rmSync(join(objects, tree.slice(0, 2), tree.slice(2)), { force: true })
  // What the index remembers of trees would do as well.
  rmSync(join(project, ".git/index"))
}

let clone: Clone | undefined
afterEach(() => {
  vi.unstubAllEnvs()
  clone?.remove()
})

const open = ({ attributes, env, plant: act }: Case) => {
  const made = makeClone({ "a.txt": "one\n", ".gitattributes": attributes ?? "" })
  clone = made
  const evil = join(made.root, "evil")
  writeFileSync(evil, `#!/bin/sh\necho ran >>'${made.canary}'\n`)
  chmodSync(evil, 0o755)
  // Of the same size, and of another time: git has to read it to know.
  writeFileSync(join(made.project, "a.txt"), "two\n")
  utimesSync(join(made.project, "a.txt"), 1_000_000_000, 1_000_000_000)
  const given = act(made, evil)
  const folder = typeof given === "string" ? given : made.project
  for (const [name, value] of Object.entries(env?.(made, evil) ?? {})) vi.stubEnv(name, value)
  return { ...made, folder }
}

it.each(Object.entries(cases))("git runs nothing that a repository names: %s", async (_, one) => {
  const { folder, hasRun, project } = open(one)
  await readRepository(folder, 60_000)
  await Effect.runPromise(carriedBy(join(project, "a.txt")))
  expect(hasRun()).toBe(false)
})

it.each(Object.entries(cases).filter(([, { seen }]) => seen !== undefined))(
  "plain git runs it: %s",
  (_, one) => {
    const { folder, hasRun } = open(one)
    for (const args of one.seen ?? [])
      spawnSync("git", args, { cwd: folder, stdio: "ignore", timeout: 20_000 })
    expect(hasRun()).toBe(true)
  }
)

it("what is asked for is answered all the same", async () => {
  const { git, project } = open({ plant: () => {} })
  const commit = git("rev-parse", "--short", "HEAD").trim()
  expect(await readRepository(project)).toMatchObject({ commit, changes: { files: 1, lines: 2 } })
  writeFileSync(join(project, ".gitignore"), "kept\n")
  expect(await Effect.runPromise(carriedBy(join(project, "kept")))).toBeUndefined()
  expect(await Effect.runPromise(carriedBy(join(project, "other")))).toBe(project)
  // A link to the repository is the repository.
  execFileSync("ln", ["-s", project, join(project, "..", "link")])
  expect(await Effect.runPromise(carriedBy(join(project, "..", "link", "other")))).toBe(project)
})
