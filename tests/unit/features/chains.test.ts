/** What calls of tools mean for chains: told in small stories, as the hooks of an agent tell them. */
import { describe, expect, it } from "vitest"
import type { Dispatched, Tool } from "../../../events/agentEvents.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { type Chain, isFollowed, type Related, timesSeen } from "../../../src/features/chains/Chain.ts"
import { errorChain } from "../../../src/features/chains/errorChain.ts"
import { errorLine, fixText } from "../../../src/features/chains/fix.ts"
import { fixFor } from "../../../src/features/chains/fixFor.ts"
import { follow } from "../../../src/features/chains/follow.ts"
import { memoryStore } from "../../../src/features/chains/memoryStore.ts"
import { rowsOf } from "../../../src/features/chains/rows.ts"
import { ranked, scoreOf, soughtBy } from "../../../src/features/chains/similar.ts"
import type { HookDefinition } from "../../../src/hooks/defineHook.ts"
import { noLog } from "../../../src/log/openForReading.ts"
import type { Reader } from "../../../src/log/reader.ts"
import { factsOf, fixes, type Placed, type Step, story, tried } from "../../support/chainStories.ts"
import { denied, edited, ended, factOf, ran, refused, stopped, together } from "../../support/toolCalls.ts"
import { registered, tell } from "../../support/world.ts"

const day = 86_400_000

const lost = "Error: connect ECONNREFUSED 127.0.0.1:6379"
const missing = "a.ts(3,5): error TS2304: Cannot find name 'lodash'."

describe("a problem", () => {
  it("of a tool that cannot be started is the same whatever the tool was to do, and of git whatever the branch is called", () => {
    const gone = "ENOENT: no such file or directory, posix_spawn '/opt/agent/1.2/search'"
    const chains = story(refused("src/a.ts", gone, "one"), refused("lib/b.ts", gone, "two"), ended)
    expect(chains.map(timesSeen)).toEqual([2])
    const [first, second] = ["a", "b"].map((branch) => ({
      happening: ran("git push", 128, `fatal: The current branch ${branch} has no upstream branch.`),
      session: branch
    })) as [Placed, Placed]
    expect(story(first, second).map(({ relation }) => relation)).toEqual(["new", "recurrence"])
  })

  it("opens a chain with its message, where it was, its session and project", () => {
    expect(story(ran("node a.js", 1, lost, { cwd: "/p/sub", id: "t1" }))).toEqual([
      expect.objectContaining({
        id: "i0-1",
        state: "open",
        project: "/p",
        session: "s",
        agent: "claude-code",
        problem: { family: "remote", code: "ECONNREFUSED", message: "connect ECONNREFUSED 127.0.0.1:6379" },
        context: { tool: "Bash", command: "node a.js", path: null, cwd: "/p/sub" },
        sightings: [{ toolUseId: "t1", at: 1 }],
        relation: "new",
        opened: 1
      })
    ])
  })

  it("without a message is an `Unknown error`", () => {
    const [chain] = story(ran("node a.js", 1, ""))
    expect(chain?.problem).toEqual({ family: "unparsed", message: "Unknown error" })
  })

  it("without any detail is none", () => {
    const { all, store } = memoryStore()
    const fact = factOf({ event: "PostToolUse", payload: {} }, "s")
    follow(store, fact, {
      stream: "invocation/i",
      position: 1,
      at: 1,
      agent: "claude-code",
      project: "/p",
      session: "s"
    })
    expect(all()).toEqual([])
  })

  it("of which the hook is told no detail is a success, for which nobody is asked and nothing is recorded", async () => {
    const { find, types } = await tell({
      adapter: adapters.raw,
      agentEvent: "error.observed",
      payload: { session: "s" },
      registry: registered({ [errorChain.name]: errorChain as unknown as HookDefinition })
    })
    expect(types).not.toContain("SERVICE_CALLED")
    expect(find("HANDLER_SUCCEEDED")).toMatchObject([{ handler: "error-chain", intents: [] }])
    for (const nothing of ["chain", "patch"]) expect(find("HANDLER_SUCCEEDED")[0]).not.toHaveProperty(nothing)
  })

  it("has a chain of its own, though one call shows several", () => {
    const chains = story(
      ran("npx tsc", 2, `${missing}\nb.ts(1,1): error TS2322: Type 'x' is not assignable.`)
    )
    expect(chains.map(({ id, problem }) => [id, problem.code, problem.file])).toEqual([
      ["i0-1", "TS2304", "a.ts"],
      ["i0-1.2", "TS2322", "b.ts"]
    ])
  })

  it("that is shown again is the same chain, whatever showed it; in another session it recurs", () => {
    const [one, ...others] = story(ran("node a.js", 1, lost), ran("node b.js", 1, lost))
    expect([others, one && timesSeen(one)]).toEqual([[], 2])
    const [first, second] = story(ran("node a.js", 1, lost, { id: "t1" }), {
      happening: ran("node a.js", 1, lost, { id: "t2" }),
      session: "t"
    })
    expect([first?.relation, second?.relation, second?.earlier]).toEqual([
      "new",
      "recurrence",
      { chain: "i0-1", toolUseId: "t1" }
    ])
  })

  it("that is met elsewhere has the same pattern, not the same chain", () => {
    const chains = story(
      ran("npx tsc", 2, missing),
      ran("npx tsc", 2, "c.ts(9,1): error TS2304: Cannot find name 'path'.")
    )
    expect(chains.map(({ relation }) => relation)).toEqual(["new", "same pattern"])
    expect(rowsOf(chains[1] as Related)[0]?.recursOf).toBeNull()
  })

  it("is followed from its edits to what helped", () => {
    const chains = story(
      ran("npm test", 1, lost),
      edited("/p/a.ts"),
      ran("npm test", 1, lost),
      ran("redis-server --daemonize yes", 0),
      ran("npm test", 0, "ok")
    )
    expect(chains).toHaveLength(1)
    expect(chains[0]).toMatchObject({
      state: "resolved",
      ending: { by: "npm test", at: 5, ms: 4, shown: "proved", grade: "A" }
    })
    expect(tried(chains)).toEqual([
      [["/p/a.ts"], false],
      [["redis-server --daemonize yes"], true]
    ])
    expect(fixes(chains[0])).toEqual(["ran `redis-server --daemonize yes`"])
  })

  it("is told a row for each call that showed it", () => {
    const [chain] = story(ran("npm test", 1, lost, { id: "t1" }), ran("npm test", 1, lost, { id: "t2" }))
    expect(
      rowsOf(chain as Related).map(({ error, recursOf, relation }) => [error, relation, recursOf])
    ).toEqual([
      [{ session: "s", toolUseId: "t1" }, "new", null],
      [{ session: "s", toolUseId: "t2" }, "reobserved", { chain: "i0-1", toolUseId: "t1" }]
    ])
  })

  it("is left behind with its session, after a week of silence, and where too many are open", () => {
    const failed = ran("node a.js", 1, "Error: x")
    expect(story(failed, { happening: ended, session: "other" })[0]?.state).toBe("open")
    expect(story(failed, ended)[0]?.abandoned).toEqual({ at: 2, why: "the session ended" })
    const late = { happening: edited("/p/a.ts"), session: "other", at: 7 * day + 2 }
    expect(story(failed, late)[0]?.abandoned?.why).toBe("no more was heard of it for a week")
    const many = story(
      ...Array.from({ length: 61 }, (_, nth) => ran(`node ${nth}.js`, 1, `Error: ${"x".repeat(nth + 1)}`))
    )
    expect(many.filter(isFollowed)).toHaveLength(60)
    expect(many[0]?.abandoned?.why).toBe("too many others are open")
  })

  it("of a copied history is not counted again", () => {
    const failed = ran("npm test", 1, lost, { id: "t1" })
    expect(story(failed, { happening: failed, session: "fork" })).toHaveLength(1)
  })
})

describe("what shows that a problem is gone", () => {
  it.each([
    ["npm test -- a", "npm test", "resolved"],
    ["npm test", "npm test 2>&1 --silent", "resolved"],
    ["npm test", "npm test -- a", "open"],
    ["npm test", "npx vitest run", "open"],
    ["npm test", "npm run build", "attempted"],
    ["npm test", "npm run build && npm test", "resolved"],
    ["npm run build", "npm run  build", "resolved"],
    ["pytest tests/test_a.py", "pytest", "resolved"],
    ["pytest tests/test_a.py", "pytest tests", "resolved"],
    ["pytest tests/test_a.py", "pytest tests/test_b.py", "open"],
    ["pytest", "pytest -k other", "open"],
    ["node a.js", "node  a.js", "resolved"],
    ["node a.js", "python b.py", "attempted"]
  ])("of `%s` is, after `%s` went well, %s", (failed, well, state) => {
    expect(story(ran(failed, 1, "Error: x"), ran(well, 0, ""))[0]?.state).toBe(state)
  })

  it("is no output in which a filter looked for something else", () => {
    const failed = ran("npx tsc", 2, missing)
    expect(story(failed, ran("npx tsc | grep other", 0, ""))[0]?.state).toBe("open")
    expect(story(failed, ran("npx tsc | tail -5", 0, ""))[0]).toMatchObject({
      state: "resolved",
      ending: { grade: "C" }
    })
  })

  it("is a report, where a pipe hides the exit code", () => {
    const failing = ran(
      "npx vitest run | tail -5",
      0,
      " FAIL  a.test.ts > works\nAssertionError: no\n\n Tests  1 failed | 2 passed (3)"
    )
    const chains = story(
      failing,
      edited("/p/a.ts"),
      ran("npx vitest run | tail -5", 0, " Tests  3 passed (3)")
    )
    expect(chains[0]).toMatchObject({
      state: "resolved",
      problem: { family: "vitest", file: "a.test.ts", test: "works" }
    })
    expect(tried(chains)).toEqual([[["/p/a.ts"], true]])
  })

  it("is also a run that got as far and finds fault with something else: what it shows was hidden before", () => {
    const test = "FAILED tests/test_a.py::test_x - AssertionError: no"
    const [style, behind] = story(
      ran("ruff check . && pytest", 1, "E501 Line too long (93 > 88)\n --> a.py:3:89"),
      edited("/p/a.py"),
      ran("ruff check . && pytest", 1, `All checks passed!\n${test}\n==== 1 failed in 0.1s ====`)
    )
    expect(style).toMatchObject({ state: "cleared", ending: { shown: "cleared", grade: "B" } })
    expect(fixes(style)).toEqual(["edited `a.py`"])
    expect(behind).toMatchObject({ state: "open", revealedBy: style?.id, relation: "new" })
  })

  it("is not a build that fails before there are tests", () => {
    const chains = story(
      ran("go test ./...", 1, "--- FAIL: TestA (0.00s)\n    a_test.go:3: no\nFAIL\tx\t0.1s"),
      edited("/p/a.go"),
      ran("go test ./...", 1, "# x\n./a.go:3:2: undefined: y\nFAIL\tx [build failed]")
    )
    expect(chains[0]?.state).toBe("attempted")
  })

  it("is for a wrong call the same one written right", () => {
    const [chain] = story(
      ran("git push", 128, "fatal: The current branch x has no upstream branch."),
      ran("git push --set-upstream origin x", 0, "", { id: "well" })
    )
    expect(chain).toMatchObject({ state: "resolved", ending: { toolUseId: "well", grade: "A" } })
    expect(fixes(chain)).toEqual(["ran `git push --set-upstream origin x`"])
  })

  it("is for a program that was not there the same work by other means", () => {
    const [chain] = story(
      ran("thing index /a/data --force", 127, "zsh: command not found: thing"),
      ran("ls", 0, ""),
      ran("go run ./cmd/thing index /a/data --force", 0, "")
    )
    expect(fixes(chain)).toEqual(["ran `go run ./cmd/thing index /a/data --force`"])
  })

  it("is for an edit that was refused an edit of the file, also by a script; a look at it changes nothing", () => {
    const no = refused("/p/a.ts", "String to replace not found in file.")
    expect(fixes(story(no, edited("/p/a.ts"))[0])).toEqual(["edited `a.ts`"])
    const look = `python3 -c "print(open('/p/a.ts').read())"`
    const write = `python3 -c "open('/p/a.ts', 'w').write('x')"`
    const [chain] = story(no, ran(look, 0, "old"), ran(write, 0, ""))
    expect(chain?.ending?.fix.map(({ what }) => what)).toEqual([write])
  })

  it("is for a call that a hook denied the call that it lets through", () => {
    const input = { file_path: "/p/lint.yml", content: "x" }
    const [chain] = story(denied("Edit", input, "mind the secrets"), edited("/p/lint.yml"))
    expect(chain).toMatchObject({
      state: "resolved",
      problem: { family: "denied", message: "mind the secrets" }
    })
  })
})

describe("what helped", () => {
  it("is the edit of the file that the problem names, among others", () => {
    const [chain] = story(
      ran("npx tsc", 2, missing),
      edited("/p/b.ts"),
      edited("/p/a.ts"),
      edited("/p/README.md"),
      ran("npx tsc", 0)
    )
    expect([fixes(chain), chain?.ending?.grade]).toEqual([["edited `a.ts`"], "A"])
  })

  it("is all that was done, where nothing points anywhere: likely, not sure", () => {
    const [chain] = story(ran("npm test", 1, lost), edited("/p/b.ts"), edited("/p/c.ts"), ran("npm test", 0))
    expect([fixes(chain), chain?.ending?.grade]).toEqual([["edited `b.ts`", "edited `c.ts`"], "B"])
  })

  it("is no command that failed, looked, or only kept the books", () => {
    const [chain] = story(
      ran("npm test", 1, lost),
      ran("pip install x", 1, "ERROR: Could not find x"),
      ran("git status", 0, ""),
      ran("git add a.ts", 0, ""),
      edited("/p/b.ts"),
      ran("npm test", 0)
    )
    expect(fixes(chain)).toEqual(["edited `b.ts`"])
  })

  it("is only another try, where nothing was done: the problem comes and goes", () => {
    const [chain] = story(ran("npm test", 1, lost), ran("npm test", 0))
    expect(chain?.ending).toMatchObject({ flaky: true, grade: "C", fix: [{ what: "npm test" }] })
  })

  it("is nothing that makes a check look away", () => {
    const [chain] = story(
      ran("npx tsc", 2, missing),
      edited("/p/a.ts", "// @ts-ignore\nlodash()"),
      ran("npx tsc", 0)
    )
    expect(chain?.state).toBe("suppressed")
  })

  it("is nothing that was begun before the problem was seen, in whatever order the calls end", () => {
    const calls = (order: readonly number[]) =>
      story(
        together([ran("npx tsc", 2, missing, { id: "t" }), edited("/p/a.ts", "", { id: "e" })], order),
        ran("npx tsc", 0)
      )
    const told = ([chain]: readonly Chain[]) => [chain?.state, fixes(chain)]
    expect(told(calls([0, 1]))).toEqual(["resolved", []])
    expect(told(calls([1, 0]))).toEqual(["resolved", []])
  })
})

describe("no problem", () => {
  it("is a call that was stopped by the user", () => expect(story(stopped("npm test"))).toEqual([]))

  it.each([
    ["grep -r x src", 1, "", 0],
    ["cd sub && rg x", 1, "", 0],
    ["cat a.ts | grep x", 1, "", 0],
    ["diff a b", 1, "1c1\n< error\n---\n> x", 0],
    ["test -f a.ts", 1, "", 0],
    ["[ -f a.ts ]", 1, "", 0],
    ["ls a b", 2, "ls: cannot access 'b': No such file or directory", 0],
    ["grep x nothing", 2, "grep: nothing: No such file or directory", 0],
    ["npm run build && grep x a.js", 1, "Error: no build", 1],
    ["cd nowhere && grep x a.js", 1, "bash: line 1: cd: nowhere: No such file or directory", 1],
    ["git diff nothing", 128, "fatal: ambiguous argument 'nothing'", 1],
    ["node a.js", 1, "", 1]
  ])("`%s` with code %s and `%s`: %s chains", (command, code, message, chains) =>
    expect(story(ran(command, code, message))).toHaveLength(chains)
  )
})

describe("a check of another folder is another one", () => {
  it.each([
    ["npm test --prefix sub", "npm test", "open"],
    ["npm test -w a", "npm test", "open"],
    ["cd sub && npm test", "npm test", "open"],
    ["npm test", "cd sub && npm test", "open"],
    ["cd sub && npm test", "cd sub && npm test -s", "resolved"],
    ["npm test", "cd /p && npm test 2>&1", "resolved"],
    ["cd /p/sub && npm test", "cd sub; npm test", "resolved"]
  ])("`%s`, then `%s`: %s", (failed, well, state) => {
    const [chain] = story(ran(failed, 1, lost, { cwd: "/p" }), ran(well, 0, "3 passed", { cwd: "/p" }))
    expect(chain?.state).toBe(state)
  })
})

describe("likeness", () => {
  const chainOf = (message: string) => story(ran("node a.js", 1, message))[0] as Chain
  const like = (text: string, message: string) => scoreOf(soughtBy(text), chainOf(message))

  it("is told by the signature first, then by the words, from 0 to 1", () => {
    expect(like(lost, lost)).toBeGreaterThan(0.9)
    expect(like("Error: connect ECONNREFUSED 10.1.2.3:80", lost)).toBeGreaterThan(0.9)
    const words = like("connect refused ECONNREFUSED", lost)
    expect(words).toBeGreaterThan(0.3)
    expect(words).toBeLessThan(0.81)
    expect(like("Permission denied", lost)).toBe(0)
    expect(like("", "")).toBeLessThanOrEqual(1)
  })

  it("puts those that were resolved first, and leaves out what is not like enough", () => {
    const chains = story(
      ran("node a.js", 1, "cannot connect, ECONNREFUSED: no redis"),
      ran("node a.js", 0),
      ran("node b.js", 1, lost),
      ran("node c.js", 1, "Permission denied")
    )
    const found = ranked(soughtBy(lost), chains, { least: 0.3, limit: 5 })
    expect(found.map(({ chain }) => chain.context.command)).toEqual(["node a.js", "node b.js"])
  })
})

describe("what is told to the model", () => {
  it("says in at most 300 characters what helped, what did not, and when", () => {
    const [chain] = story(
      ran("npm test", 1, lost),
      edited("/p/a.ts"),
      ran("npm test", 1, lost),
      ran("redis-server &", 0),
      ran("npm test", 0)
    )
    expect(fixText(chain as Chain)).toMatchInlineSnapshot(
      `"Fixed before (1970-01-01): ran \`redis-server &\`; then \`npm test\` passed. Did not help: edited \`a.ts\`. (hooktape chains show i0-1)"`
    )
    const long = "x".repeat(400)
    const [other] = story(
      ran(`npm test -- ${long}`, 1, lost),
      edited(`/p/${long}.ts`),
      ran(`npm test -- ${long}`, 0)
    )
    expect(fixText(other as Chain).length).toBeLessThanOrEqual(300)
  })

  /** What a session is told of this error, all that was before it standing on the log. */
  const toldOf = (message: string, ...before: readonly Step[]): string | undefined => {
    const facts = factsOf(before)
    const reader = {
      ask: () => ({ problem: noLog }),
      facts: ({ types }: { readonly types: readonly string[] }) => ({
        facts: types.includes("PAYLOAD_BUFFERED") ? facts.toReversed() : []
      })
    } as unknown as Reader
    const error = { event: "error.observed", data: { signature: "", message, tool: "Bash" } } as Dispatched
    const tool: Tool = {
      kind: "shell",
      name: "Bash",
      input: null,
      command: "npm test",
      exitCode: 1,
      ok: false,
      response: message
    }
    const observed = { project: "/p", session: "t", agent: "claude-code", invocation: "now", at: 1000 }
    return fixFor(reader, { ...observed, error, tool }, "error-chain")?.fix?.text
  }

  const solved = (message: string, path = "/p/a.ts") => [
    ran("npm test", 1, message),
    edited(path, message),
    ran("npm test", 0)
  ]

  it("is a fix that is shown by evidence, of this project or another", () => {
    expect(toldOf(lost, ...solved(lost))).toContain("edited `a.ts`; then `npm test` passed")
    expect(
      toldOf(lost, ...solved(lost).map((happening) => ({ happening, project: "/q", session: "q" })))
    ).toContain("edited `/p/a.ts`")
    expect(
      toldOf(lost, ran("npm test", 1, lost), edited("/p/b.ts"), edited("/p/c.ts"), ran("npm test", 0)),
      "B"
    ).toBeUndefined()
  })

  it("is nothing of a problem that once went away by itself", () => {
    const byItself = [ran("npm test", 1, lost), ran("npm test", 0)]
    expect(toldOf(lost, ...byItself)).toBeUndefined()
    expect(toldOf(lost, ...solved(lost), ...byItself)).toBeUndefined()
  })

  it.each([
    [
      "Error: Cannot find module './config.json'\n    at f (/p/a.js:1:2)",
      "Error: Cannot find module 'lodash'\n    at f (/p/a.js:1:2)"
    ],
    ["Error: connect ECONNREFUSED 127.0.0.1:5432", lost],
    [
      "AssertionError: expected 300 to equal 4\n    at f (/p/a.js:1:2)",
      "AssertionError: expected 3 to equal 4\n    at f (/p/a.js:1:2)"
    ],
    ["Error: connect ECONNREFUSED db.local:5432", "Error: connect ECONNREFUSED db.local:6379"],
    [
      "Error: ENOENT: no such file or directory, open '/p/a.json'\n    at f (/p/a.js:1:2)",
      "Error: ENOENT: no such file or directory, open '/p/b.json'\n    at f (/p/a.js:1:2)"
    ]
  ])("of `%s` is not what helped against `%s`", (met, known) => {
    expect(toldOf(met, ...solved(known))).toBeUndefined()
    expect(toldOf(known, ...solved(known), ...solved(met, "/p/b.ts"))).toContain("edited `a.ts`")
  })

  it.each([
    [
      "Error: no such file /tmp/x-a1/a.json\n    at f (/p/a.js:1:2)",
      "Error: no such file /tmp/x-b22/a.json\n    at f (/p/a.js:9:9)"
    ],
    ["a.ts:12:5 - error TS2304: Cannot find name 'x'", "a.ts:14:1 - error TS2304: Cannot find name 'x'"],
    ["a.ts(12,5): error TS2304: Cannot find name 'x'", "a.ts(9,15): error TS2304: Cannot find name 'x'"],
    ["fatal: pid 123 has gone", "fatal: pid 4567 has gone"]
  ])("of `%s` is what helped against `%s`", (met, known) =>
    expect(toldOf(met, ...solved(known))).toContain("edited `a.ts`")
  )
})

it("names a problem by its place and what it is", () => {
  const [chain] = story(ran("npx tsc", 2, missing))
  expect(errorLine(chain as Chain)).toBe("a.ts TS2304: Cannot find name 'lodash'.")
})
