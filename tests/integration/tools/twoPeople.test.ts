/** A repository with committed hooks, cloned by people with accounts of their own: by two with `npm install`, by one without. */
import { spawnSync } from "node:child_process"
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bash } from "../../support/entrypoint.ts"
import { selfContainedPackage } from "../../support/selfContained.ts"

const isRoot = process.getuid?.() === 0
if (!isRoot)
  console.warn("NOT RUN: tests/integration/tools/twoPeople.test.ts has to be root to act as two people")

const hook = `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({ name: "no-deploy", on: "tool.before", when: { tool: "shell", command: /^make deploy/ }, run: () => blockingFeedback("Deploys are for the pipeline.") })
`

interface Person {
  readonly home: string
  readonly clone: string
  readonly run: (...line: readonly [string, ...string[]]) => Ran
  /** What the agent's own settings answer to an event. */
  readonly fire: (event: string, payload: string) => Ran
}

interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Programs are waited for as a person does; whoever runs the tests hears of them in between. */
const turn = async (): Promise<void> => {
  for (let nth = 0; nth < 3; nth++) await new Promise<void>((go) => setImmediate(go))
}

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))

describe.skipIf(!isRoot)("a repository with committed hooks", () => {
  // The path of a socket has room for about a hundred characters.
  const folder = isRoot ? realpathSync(mkdtempSync(join(tmpdir(), "hkt-"))) : ""
  const bundle = join(folder, "team.bundle")
  const people: Person[] = []

  const personWith = (name: string, uid: number): Person => {
    const home = join(folder, name)
    const clone = join(home, "team")
    mkdirSync(join(home, "tmp"), { recursive: true, mode: 0o700 })
    for (const path of [home, join(home, "tmp")]) chownSync(path, uid, uid)
    chmodSync(home, 0o700)
    const env = {
      PATH: [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
      HOME: home,
      TMPDIR: join(home, "tmp"),
      LANG: "C.UTF-8",
      NPM_CONFIG_UPDATE_NOTIFIER: "false"
    }
    const start = (input: string, cwd: string, line: readonly [string, ...string[]], more = {}): Ran => {
      const [program, ...args] = line
      const { error, status, stderr, stdout } = spawnSync(program, args, {
        cwd,
        env: { ...env, ...more } as NodeJS.ProcessEnv,
        uid,
        gid: uid,
        input,
        encoding: "utf8"
      })
      if (status === null) throw error
      return { status, stdout, stderr }
    }
    const person: Person = {
      home,
      clone,
      run: (...line) => start("", existsSync(clone) ? clone : home, line),
      fire: (event, payload) => {
        const settings = JSON.parse(readFileSync(join(clone, ".claude", "settings.json"), "utf8"))
        return start(payload, clone, ["/bin/sh", "-c", settings.hooks[event][0].hooks[0].command], {
          CLAUDE_PROJECT_DIR: clone
        })
      }
    }
    people.push(person)
    return person
  }

  const done = ({ status, stderr, stdout }: Ran): string => {
    if (status !== 0) throw new Error(`ended with ${status}: ${stderr}${stdout}`)
    return `${stdout}${stderr}`
  }
  const install = (person: Person, ...more: readonly string[]): string =>
    done(
      person.run("npm", "install", "--offline", "--no-audit", "--no-fund", "--foreground-scripts", ...more)
    )
  const clone = (name: string, uid: number): Person => {
    const person = personWith(name, uid)
    done(person.run("git", "clone", "--quiet", "--branch", "main", bundle, person.clone))
    return person
  }
  const shell = (person: Person, command: string): string => {
    const { status, stderr, stdout } = person.fire("PreToolUse", bash(command, { cwd: person.clone }))
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
    return stdout
  }

  beforeAll(async () => {
    chmodSync(folder, 0o755)
    const tarball = join(folder, "hooktape.tgz")
    const parts = join(folder, "parts")
    cpSync(selfContainedPackage(parts), tarball)
    rmSync(parts, { recursive: true })
    await turn()
    const founder = personWith("founder", 61_000)
    mkdirSync(join(founder.clone, ".hooktape", "hooks"), { recursive: true })
    writeFileSync(join(founder.clone, "package.json"), '{ "name": "team", "private": true }\n')
    writeFileSync(join(founder.clone, ".gitignore"), "node_modules\n")
    writeFileSync(join(founder.clone, ".hooktape", "hooks", "no-deploy.ts"), hook)
    for (const path of [founder.clone, ...readdirSync(founder.clone, { recursive: true, encoding: "utf8" })])
      chownSync(path === founder.clone ? path : join(founder.clone, path), 61_000, 61_000)
    done(founder.run("git", "init", "--quiet", "--initial-branch", "main"))
    install(founder, "--save-dev", `file:${tarball}`)
    await turn()
    done(founder.run("npx", "hooktape", "install", "--agent", "claude-code", "--scope", "project"))
    done(founder.run("npm", "pkg", "set", "scripts.prepare=hooktape setup"))
    await turn()
    done(founder.run("git", "add", "--all"))
    const author = ["-c", "user.name=Founder", "-c", "user.email=founder@localhost"]
    done(founder.run("git", ...author, "commit", "--quiet", "-m", "Guard our agents"))
    done(founder.run("git", "bundle", "create", "--quiet", join(founder.home, "team.bundle"), "main"))
    cpSync(join(founder.home, "team.bundle"), bundle)
    chmodSync(bundle, 0o644)
  })

  afterAll(async () => {
    // Where there is none, npx would look for it in the registry.
    const own = people.map((person) => ({
      ...person,
      command: join(person.clone, "node_modules", ".bin", "hooktape")
    }))
    for (const { command, run } of own.filter(({ command }) => existsSync(command))) {
      run(command, "host", "stop")
      await turn()
    }
    if (isRoot) rmSync(folder, { recursive: true, force: true })
  })

  it("guards both after npm install, and with its own hooks after one trust each", async () => {
    const [ann, bob] = [clone("ann", 61_001), clone("bob", 61_002)]
    for (const person of [ann, bob]) {
      expect(install(person)).toContain(
        "hooktape: 1 hook of this project waits for you to read it: npx hooktape trust"
      )
      await turn()
      expect(shell(person, "git push --force origin main")).toContain("guard-destructive")
      expect(shell(person, "make deploy")).not.toContain("for the pipeline")
      await turn()
    }
    done(ann.run("npx", "hooktape", "trust", "--yes"))
    await turn()
    expect(shell(ann, "make deploy")).toContain("Deploys are for the pipeline.")
    expect(shell(bob, "make deploy")).not.toContain("for the pipeline")
    done(bob.run("npx", "hooktape", "trust", "--yes"))
    await turn()
    expect(shell(bob, "make deploy")).toContain("Deploys are for the pipeline.")

    for (const person of [ann, bob]) {
      // The same bytes as were committed: nothing to commit, and nothing of anybody's home.
      expect(done(person.run("git", "status", "--porcelain"))).toBe("")
      const uid = lstatSync(person.home).uid
      const others = people.filter((other) => other !== person).map(({ home }) => home)
      const own = filesBelow(person.home).filter((file) => !file.includes("/.npm/"))
      expect(own.some((file) => file.endsWith("/bin/hook"))).toBe(true)
      const strange = own.filter((file) => {
        const text = readFileSync(file, "latin1")
        return lstatSync(file).uid !== uid || others.some((home) => text.includes(`${home}/`))
      })
      expect(strange).toEqual([])
    }
  })

  it("is undisturbed for whoever has none, and says so once, at the start of a session", async () => {
    const carl = clone("carl", 61_003)
    await turn()
    const settings = JSON.parse(readFileSync(join(carl.clone, ".claude", "settings.json"), "utf8"))
    const events = Object.keys(settings.hooks)
    expect(events).toContain("PreToolUse")
    const answers = events.map((event) => ({
      event,
      ...carl.fire(event, JSON.stringify({ session_id: "s", cwd: carl.clone, hook_event_name: event }))
    }))
    const spoken = answers.filter(({ stderr, stdout }) => `${stderr}${stdout}` !== "")
    expect(answers.map(({ status }) => status)).toEqual(events.map(() => 0))
    expect(spoken.map(({ event }) => event)).toEqual(["SessionStart"])
    expect(JSON.parse(spoken[0]?.stdout ?? "")).toEqual({
      systemMessage: expect.stringContaining("npm install")
    })
    expect(readdirSync(carl.home).sort()).toEqual(["team", "tmp"])
  })
})
