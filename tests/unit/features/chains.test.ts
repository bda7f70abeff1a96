/** What calls of tools mean for chains: told in small stories, each step a payload as it stands on the log. */
import { describe, expect, it } from "vitest"
import type { Dispatched, Tool } from "../../../events/agentEvents.ts"
import type { Fact } from "../../../events/facts.ts"
import { isAttempt } from "../../../src/features/chains/attempts.ts"
import { type Chain, isOpen } from "../../../src/features/chains/Chain.ts"
import { fixText } from "../../../src/features/chains/fix.ts"
import { fixFor } from "../../../src/features/chains/fixFor.ts"
import { type ChainStore, follow } from "../../../src/features/chains/follow.ts"
import { ranked, scoreOf, soughtBy } from "../../../src/features/chains/similar.ts"
import { noLog } from "../../../src/log/openForReading.ts"
import type { Reader } from "../../../src/log/reader.ts"

const day = 86_400_000

interface Step {
  readonly events: readonly Dispatched[]
  readonly tool?: Partial<Tool>
  readonly session?: string | null
  readonly project?: string
  readonly cwd?: string
  readonly at?: number
}

const error = (message: string, tool = "Bash"): Dispatched => ({
  event: "error.observed",
  data: { signature: soughtBy(message).signature, message, tool }
})

const ran = (command: string, exitCode: number | undefined, output = ""): Step => ({
  events: [
    { event: "tool.after", data: {} },
    { event: "command.ran", data: { command, output, ...(exitCode === undefined ? {} : { exitCode }) } },
    ...(exitCode === undefined || exitCode === 0 ? [] : [error(output)])
  ],
  tool: {
    kind: "shell",
    name: "Bash",
    command,
    ...(exitCode === undefined ? {} : { exitCode, ok: exitCode === 0 })
  }
})

const edited = (path: string): Step => ({
  events: [
    { event: "tool.after", data: {} },
    { event: "file.edited", data: { path } }
  ],
  tool: { kind: "edit", name: "Edit", path, ok: true }
})

const notEdited = (path: string, message: string): Step => ({
  events: [{ event: "tool.failure", data: {} }, error(message, "Edit")],
  tool: { kind: "edit", name: "Edit", path, ok: false }
})

const ended: Step = { events: [{ event: "session.end", data: {} }] }

const factOf = ({ cwd = "/p/sub", events, session = "s", tool }: Step): Fact => {
  const payload = JSON.stringify({ cwd })
  const fact = { type: "PAYLOAD_BUFFERED", bytes: 2, payload, session, toolUseId: null, events }
  return { ...fact, ...(tool === undefined ? {} : { tool: { input: null, ...tool } }) } as Fact
}

const story = (...steps: readonly Step[]): readonly Chain[] => {
  const kept = new Map<string, Chain>()
  const open = (is: (chain: Chain) => boolean) => [...kept.values()].filter((one) => isOpen(one) && is(one))
  const store: ChainStore = {
    ofSession: (session, project) => open((one) => one.session === session && one.project === project),
    everywhere: (session) => open((one) => one.session === session),
    stale: (project, before) => open((one) => one.project === project && one.moved < before),
    put: (chain) => void kept.set(chain.id, chain)
  }
  for (const [nth, step] of steps.entries()) {
    const { project = "/p", at = nth + 1, session = "s" } = step
    follow(store, factOf(step), {
      stream: `invocation/i${nth}`,
      position: nth,
      at,
      agent: "claude-code",
      project,
      session
    })
  }
  return [...kept.values()]
}

const tried = ([chain]: readonly Chain[]) => chain?.attempts.map(({ helped, what }) => [what, helped])

const refused = "Error: connect ECONNREFUSED 127.0.0.1:6379"

describe("an error", () => {
  it("opens a chain with its message, where it was, its session and project", () => {
    expect(story(ran("node a.js", 1, refused))).toEqual([
      expect.objectContaining({
        id: "i0",
        state: "open",
        project: "/p",
        session: "s",
        agent: "claude-code",
        message: refused,
        signature: "error: connect econnrefused ‹n›.‹n›.‹n›.‹n›:‹n›",
        context: { tool: "Bash", command: "node a.js", path: null, cwd: "/p/sub" },
        opened: 1,
        seen: 1
      })
    ])
  })

  it("without a message is an `Unknown error`, and without any detail none", () => {
    const bare = { event: "error.observed", data: { signature: "", message: "" } } as const
    const [chain] = story({ events: [{ ...bare, data: { ...bare.data, tool: "Bash" } }] })
    expect(chain).toMatchObject({ message: "Unknown error", signature: "unknown error" })
    expect(story({ events: [bare] }, { events: [{ event: "error.observed", data: {} }] })).toEqual([])
  })

  it("that comes again is the same chain; of another command, session or project it is another", () => {
    const one = ran("node a.js", 1, refused)
    expect(story(one, one)).toHaveLength(1)
    expect(story(one, ran("node b.js", 1, refused))).toHaveLength(2)
    expect(story(one, { ...one, session: "t" }, { ...one, project: "/q" })).toHaveLength(3)
  })

  it("is followed from its edits to what helped", () => {
    const chains = story(
      ran("npm test", 1, refused),
      edited("/p/a.ts"),
      ran("npm test", 1, refused),
      ran("redis-server --daemonize yes", 0),
      ran("npm test", 0, "ok")
    )
    expect(chains).toHaveLength(1)
    expect(chains[0]).toMatchObject({
      state: "resolved",
      seen: 2,
      resolved: { by: "npm test", at: 5, ms: 4 }
    })
    expect(tried(chains)).toEqual([
      ["/p/a.ts", false],
      ["redis-server --daemonize yes", true]
    ])
  })

  it.each([
    ["npm test -- a", "npm test", "resolved"],
    ["npm test", "npm test 2>&1 --silent", "resolved"],
    ["npm test", "npm test -- a", "open"],
    ["npm test", "npx vitest run", "open"],
    ["npm test", "npm run build", "attempted"],
    ["npm test", "npm run build && npm test", "resolved"],
    ["npm run build", "npm run  build", "resolved"],
    ["node a.js", "node a.js --quick", "attempted"],
    ["node a.js", "node  a.js", "resolved"]
  ])("of `%s` is, after `%s` went well, %s", (failed, well, state) => {
    expect(story(ran(failed, 1, "Error: x"), ran(well, 0, ""))[0]?.state).toBe(state)
  })

  it("is not gone where the end of a pipe went well, and is where its output says so", () => {
    const failed = ran("npm test", 1, "Error: x")
    expect(story(failed, ran("npm test | tail -1", 0, "bye"))[0]?.state).toBe("open")
    expect(story(failed, ran("npm test | tail -1", 0, "12 passed"))[0]?.state).toBe("resolved")
    expect(story(ran("npm test | tail -5", 0, "2 failed, 3 passed"))).toHaveLength(1)
  })

  it("is told by the output of a check where the agent has no exit code", () => {
    const chains = story(
      ran("npm test", undefined, "AssertionError: no\n1 failed"),
      edited("/p/a.ts"),
      ran("npm test", undefined, "1 passed")
    )
    expect(chains[0]).toMatchObject({ state: "resolved", message: "AssertionError: no\n1 failed" })
    expect(tried(chains)).toEqual([["/p/a.ts", true]])
  })

  it("of an edit is gone once the file is edited", () => {
    const chains = story(notEdited("/p/a.ts", "String to replace not found"), edited("/p/a.ts"))
    expect(chains[0]).toMatchObject({ state: "resolved", resolved: { by: "Edit /p/a.ts" }, attempts: [] })
  })

  it("another one on the way is a chain of its own, and no attempt where it is the same command", () => {
    const chains = story(
      ran("node a.js", 1, "Error: one"),
      ran("node a.js", 1, "TypeError: two"),
      ran("pip install x", 1, "Error: three"),
      ran("node a.js", 0)
    )
    expect(chains.map(({ state }) => state)).toEqual(["resolved", "resolved", "attempted"])
    expect(tried(chains)).toEqual([["pip install x", false]])
  })

  it("is left behind with its session, after a day of silence, and where too many are open", () => {
    const failed = ran("node a.js", 1, "Error: x")
    expect(story(failed, { ...ended, session: "other" })[0]?.state).toBe("open")
    expect(story(failed, { ...ended, project: "/elsewhere" })[0]?.abandoned).toEqual({
      at: 2,
      why: "the session ended"
    })
    const late = { ...edited("/p/a.ts"), session: "other", at: day + 2 }
    expect(story(failed, late)[0]?.abandoned?.why).toBe("no more was heard of it for a day")
    const many = story(...Array.from({ length: 21 }, (_, nth) => ran(`node ${nth}.js`, 1, "Error: x")))
    expect(many.filter(isOpen)).toHaveLength(20)
    expect(many[0]?.abandoned?.why).toBe("too many others are open")
  })
})

it.each([
  ["npm install redis", true],
  ["docker ps -a", false],
  ["docker compose up -d", true],
  ["docker rm x", true],
  ["npm ls redis", false],
  ["curl -sI localhost:3000", false],
  ["curl --head localhost:3000", false],
  ["curl -I -X DELETE localhost:3000/x", true],
  ["curl -X POST localhost:3000", true],
  ["kubectl get pods -n x", false],
  ["kubectl apply -f x.yml", true],
  ["npm -C sub test", false],
  ["npm --prefix sub test", false],
  ["make -C sub test", false],
  ["cargo --manifest-path sub/Cargo.toml test", false],
  ["pnpm --filter x test", false],
  ["npm --prefix sub install", true],
  ["cat a.ts", false],
  ["cat > a.ts <<'EOF'\nx\nEOF", true],
  ["npm test 2>&1 | tail -5", false],
  ["npm test > /dev/null", false],
  ["npm run build", true],
  ["eslint .", false],
  ["eslint . --fix", true],
  ["git status && git diff", false],
  ["git checkout a.ts", true],
  ["sed -n 1,5p a.ts", false],
  ["sed -i s/a/b/ a.ts", true],
  ["find . -name x -delete", true],
  ["ls; rm x", true],
  ["", false]
])("`%s` may repair something: %s", (command, may) => expect(isAttempt(command)).toBe(may))

describe("likeness", () => {
  const like = (one: string, other: string) => scoreOf(soughtBy(one), soughtBy(other))

  it("is told by the signature first, then by the words, from 0 to 1", () => {
    expect(like(refused, refused)).toBe(1)
    expect(like(refused, "Error: connect ECONNREFUSED 10.1.2.3:80")).toBe(1)
    expect(like("Cannot find module 'a'", "Cannot find module 'b'")).toBeGreaterThan(0.9)
    const words = like("connect ECONNREFUSED", refused)
    expect(words).toBeGreaterThan(0.6)
    expect(words).toBeLessThan(0.81)
    expect(like("Permission denied", refused)).toBe(0)
    expect(like("", "")).toBeLessThanOrEqual(1)
  })

  it("puts those that were resolved first, and leaves out what is not like enough", () => {
    const chains = story(
      ran("node a.js", 1, "connect ECONNREFUSED: no redis"),
      ran("node a.js", 0),
      ran("node b.js", 1, refused),
      ran("node c.js", 1, "Permission denied")
    )
    const found = ranked(soughtBy(refused), chains, { least: 0.3, limit: 5 })
    expect(found.map(({ chain }) => chain.context.command)).toEqual(["node a.js", "node b.js"])
    expect(found[1]?.score).toBe(1)
  })
})

it("tells in few lines what the error was, what helped, what did not, and how long it took", () => {
  const [chain] = story(
    ran("npm test", 1, refused),
    edited("/p/a.ts"),
    ran("npm test", 1, refused),
    ran("redis-server &", 0),
    { ...ran("npm test", 0), at: 185_000 }
  )
  expect(fixText(chain as Chain)).toMatchInlineSnapshot(`
    "This project has met such an error before, and it was resolved:
    - error of \`npm test\`: Error: connect ECONNREFUSED 127.0.0.1:6379
    - what helped: ran \`redis-server &\`; then \`npm test\` went well
    - what did not help: edited \`a.ts\`
    - it took 3 min, on 1970-01-01 (hooktape chains show i0)"
  `)
})

it("names files of the project as they are named in it", () => {
  const [test] = story(
    ran("npm test", 1, refused),
    edited("/p/src/a.ts"),
    edited("/q/b.ts"),
    ran("npm test", 0)
  )
  expect(fixText(test as Chain)).toContain("what helped: edited `src/a.ts`, edited `/q/b.ts`; then")
  const [edit] = story(notEdited("/p/a.ts", "not found"), ran("touch a.ts", 0), edited("/p/a.ts"))
  expect(fixText(edit as Chain)).toMatch(/error of `Edit a\.ts`.*\n.*then `Edit a\.ts` went well/)
})

/** What a session is told of this error, all that was before it standing on the log. */
const toldOf = (message: string, ...before: readonly Step[]): string | undefined => {
  const facts = before.map((step, nth) => ({
    ...{ stream: `invocation/i${nth}`, position: nth, at: nth + 1, agent: "claude-code", project: "/p" },
    ...{ session: "s", data: factOf(step) }
  }))
  const reader = {
    ask: () => ({ problem: noLog }),
    facts: ({ types }: { readonly types: readonly string[] }) => ({
      facts: types.includes("PAYLOAD_BUFFERED") ? facts.toReversed() : []
    })
  } as unknown as Reader
  const { events, tool } = ran("npm test", 1, message)
  const observed = { project: "/p", session: "t", agent: "claude-code", invocation: "now", at: 1000 }
  const call = { input: null, ...tool } as Tool
  const found = fixFor(reader, { ...observed, error: events[2] as Dispatched, tool: call }, "error-chain")
  return found?.fix?.text
}

const solved = (message: string, path = "/p/a.ts") => [
  ran("npm test", 1, message),
  edited(path),
  ran("npm test", 0)
]

describe("what is told to the model", () => {
  it("is a fix, though the same error went away by itself since", () => {
    const byItself = [ran("npm test", 1, refused), ran("npm test", 0)]
    expect(toldOf(refused, ...byItself)).toBeUndefined()
    expect(toldOf(refused, ...solved(refused), ...byItself)).toContain("edited `a.ts`")
    const [first] = ranked(soughtBy(refused), story(...solved(refused), ...byItself), {
      least: 0.3,
      limit: 5
    })
    expect(first?.chain.attempts).toHaveLength(1)
  })

  it.each([
    ["Error: Cannot find module './config.json'", "Error: Cannot find module 'lodash'"],
    ["Error: connect ECONNREFUSED 127.0.0.1:5432", refused],
    ["AssertionError: expected 300 to equal 4", "AssertionError: expected 3 to equal 4"],
    ["Error: connect ECONNREFUSED db.local:5432", "Error: connect ECONNREFUSED db.local:6379"],
    [
      "ENOENT: no such file or directory, open '/p/a.json'",
      "ENOENT: no such file or directory, open '/p/b.json'"
    ],
    ["Error: no such file /tmp/x1/a.json", "Error: no such file /tmp/x2/b.json"]
  ])("of `%s` is not what helped against `%s`", (met, known) => {
    expect(soughtBy(met).signature).toBe(soughtBy(known).signature)
    expect(toldOf(met, ...solved(known))).toBeUndefined()
    expect(toldOf(known, ...solved(known), ...solved(met, "/p/b.ts"))).toContain("edited `a.ts`")
  })

  it.each([
    ["Error: no such file /tmp/x-a1/a.json", "Error: no such file /tmp/x-b22/a.json"],
    ["a.ts:12:5 - error TS2304: Cannot find name 'x'", "a.ts:14:1 - error TS2304: Cannot find name 'x'"],
    ["a.ts(12,5): error TS2304: Cannot find name 'x'", "a.ts(9,15): error TS2304: Cannot find name 'x'"],
    ["FAIL a.test.ts > works 12 ms", "FAIL a.test.ts > works 345 ms"],
    ["fatal: pid 123 has gone", "fatal: pid 4567 has gone"]
  ])("of `%s` is what helped against `%s`", (met, known) =>
    expect(toldOf(met, ...solved(known))).toContain("edited `a.ts`")
  )
})

describe("a check of another folder is another one", () => {
  it.each([
    ["npm test", "cd sub && npm test", "open"],
    ["cd sub && npm test", "npm test", "open"],
    ["cd sub && npm test", "cd sub && npm test -s", "resolved"],
    ["cd sub && npm test", "cd 'sub' && npm test | tail", "resolved"],
    ["npm test", "cd /p && npm test 2>&1", "resolved"],
    ["cd /p/sub && npm test", "cd sub; npm test", "resolved"],
    ["npm test --prefix sub", "npm test", "open"],
    ["npm test -w a", "npm test", "open"],
    ["npm test --workspace=a -- x", "npm test --workspace=a", "resolved"]
  ])("`%s`, then `%s`: %s", (failed, well, state) => {
    const steps = [ran(failed, 1, "Error: x"), ran(well, 0, "3 passed")].map((one) => ({ ...one, cwd: "/p" }))
    expect(story(...steps)[0]?.state).toBe(state)
  })

  it("also where the agent has gone there before, or tells the folder after the call", () => {
    const failed = { ...ran("npm test", 1, "Error: x"), cwd: "/p" }
    expect(story(failed, { ...ran("npm test", 0), cwd: "/p/sub" })[0]?.state).toBe("open")
    const there = { ...ran("cd sub && npm test", 1, "Error: x"), cwd: "/p" }
    const well = { ...ran("cd sub && npm test -s", 0), cwd: "/p/sub" }
    expect(story(there, well)[0]?.state).toBe("resolved")
  })

  it("fails on its own", () => {
    const [one, other] = [ran("npm test", 1, "Error: x"), ran("cd sub && npm test", 1, "Error: x")]
    expect(story(one, other)).toHaveLength(2)
  })
})

describe("no error to follow", () => {
  it("is a call that was stopped by the user", () => {
    const { events, tool } = ran("npm test", undefined, "2 failed")
    const stopped = { event: "tool.failure", data: { error: "2 failed", interrupted: true } } as const
    const more = { ...tool, ok: false }
    expect(story({ events: [stopped, ...events.slice(1)], tool: more })).toEqual([])
    expect(story({ events: [stopped, error("2 failed")], tool: more })).toEqual([])
    expect(story({ events: [error("[Request interrupted by user for tool use]")], tool: more })).toEqual([])
  })

  it.each([
    ["grep -r x src", 1, "Exit code 1", 0],
    ["cd sub && rg x", 1, "Exit code 1", 0],
    ["cat a.ts | grep x", 1, "Exit code 1", 0],
    ["diff a b", 1, "1c1\n< error\n---\n> x", 0],
    ["test -f a.ts", 1, "Exit code 1", 0],
    ["[ -f a.ts ]", 1, "Exit code 1", 0],
    ["grep x nothing", 2, "grep: nothing: No such file or directory", 1],
    ["npm run build && grep x a.js", 1, "Error: no build", 1],
    ["cd nowhere && grep x a.js", 1, "bash: line 1: cd: nowhere: No such file or directory", 1],
    ["node a.js", 1, "Exit code 1", 1]
  ])("`%s` with code %s and `%s`: %s chains", (command, code, message, chains) =>
    expect(story(ran(command, code, message))).toHaveLength(chains)
  )
})
