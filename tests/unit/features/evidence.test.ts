/** What the log says of the work: which commands tell what, what went wrong since, and what draws a line. */
import { describe, expect, it } from "vitest"
import { outcomeOf, recognise } from "../../../src/features/checkpoints/commands.ts"
import { evidenceIn, type Seen } from "../../../src/features/checkpoints/evidence.ts"
import { qualityOf, unknownQuality } from "../../../src/features/checkpoints/quality.ts"
import { filesIn, linesIn } from "../../../src/features/checkpoints/repository.ts"

describe("a command", () => {
  const purposes = (command: string) =>
    recognise(command).map(({ isMasked, purpose }) => purpose + (isMasked ? "?" : ""))

  it.each([
    ["npm test", ["tests"]],
    ["npm run test:unit -- --watch=false", ["tests"]],
    ["CI=1 npx vitest run tests/a.test.ts", ["tests"]],
    ["cd app && pnpm exec jest", ["tests"]],
    ["uv run pytest -q", ["tests"]],
    ["python3 -m unittest discover", ["tests"]],
    ["cargo test --workspace", ["tests"]],
    ["go test ./...", ["tests"]],
    ["./gradlew :app:test", []],
    ["./gradlew clean test", ["tests"]],
    ["mvn -q verify", ["tests"]],
    ["npm run build && npm test", ["build", "tests"]],
    ["make", ["build"]],
    ["make check", ["tests"]],
    ["cargo build --release", ["build"]],
    ["docker build -t x .", ["build"]],
    ["npx tsc --noEmit", ["types"]],
    ["npm run check:types", ["types"]],
    ["mypy src", ["types"]],
    ["cargo check", ["types"]],
    ["eslint . --fix", ["lint"]],
    ["npx @biomejs/biome check .", []],
    ["biome check --write src", ["lint"]],
    ["ruff check .", ["lint"]],
    ["npm test | tail -20", ["tests?"]],
    ["set -o pipefail; npm test | tail -20", ["tests"]],
    ["npm test || true", ["tests?"]],
    ["npm test; echo done", ["tests?"]],
    ["npm test 2>&1", ["tests"]],
    ["npm test && git push", ["tests"]],
    ["git commit -m 'npm test'", []],
    ['echo "npm test; npm run build"', []],
    ["grep -rn 'vitest' .", []],
    ["cat package.json", []],
    ["npm install", []],
    ["npm run testing-library-docs", []],
    ["", []]
  ])("%s tells %j", (command, expected) => {
    expect(purposes(command)).toEqual(expected)
  })

  it("went well as far as its code tells, or its output where another's code hides it", () => {
    expect(outcomeOf(false, 0, false, "3 failed")).toBe(true)
    expect(outcomeOf(false, 1, true, "")).toBe(false)
    expect(outcomeOf(true, 0, false, "Tests  2 failed | 3 passed (5)")).toBe(false)
    expect(outcomeOf(true, 0, false, "Tests  5 passed (5)")).toBe(true)
    expect(outcomeOf(true, 0, false, "5 passed, 0 failed")).toBe(true)
    expect(outcomeOf(true, 0, false, "src/a.ts(1,2): error TS2322: no")).toBe(false)
    expect(outcomeOf(true, 0, false, "nothing to see")).toBeUndefined()
    expect(outcomeOf(false, undefined, false, "")).toBeUndefined()
    expect(outcomeOf(false, undefined, false, "Tests  5 passed (5)")).toBe(true)
    expect(outcomeOf(false, undefined, true, "")).toBe(false)
  })

  it("is read in no time, whatever it is", () => {
    const began = performance.now()
    for (const long of [
      "a ".repeat(100_000),
      "A=1 ".repeat(50_000),
      '"'.repeat(100_000),
      "mvn ".repeat(50_000),
      "npx -".repeat(20_000)
    ])
      recognise(long)
    expect(performance.now() - began).toBeLessThan(60_000)
  })
})

const payload = (events: readonly object[], tool?: object): Seen => ({
  type: "PAYLOAD_BUFFERED",
  stream: "invocation/a",
  event: (events[0] as { event: string }).event,
  data: { events, ...(tool ? { tool } : {}) }
})

const ran = (command: string, exitCode: number): Seen =>
  payload(
    [
      { event: exitCode === 0 ? "tool.after" : "tool.failure", data: {} },
      { event: "command.ran", data: { command, exitCode, output: `said ${exitCode}` } },
      ...(exitCode === 0
        ? []
        : [{ event: "error.observed", data: { signature: "s", message: `${command} broke` } }])
    ],
    { kind: "shell", name: "Bash", command, exitCode }
  )

const edit = (path: string): Seen =>
  payload(
    [
      { event: "tool.after", data: {} },
      { event: "file.edited", data: { path } }
    ],
    { kind: "edit", name: "Edit", path }
  )
const asked = (): Seen => payload([{ event: "tool.before", data: {} }])
const said = (polarity: string): Seen =>
  payload([
    { event: "prompt.submit", data: { prompt: "x" } },
    { event: "feedback.given", data: { polarity, about: "x" } }
  ])
const blocked = (event: string, stream = event): Seen => ({
  stream,
  type: "HANDLER_SUCCEEDED",
  event,
  data: { intents: [{ type: "BLOCKING_FEEDBACK", reason: "no" }] }
})
const recorded: Seen = { type: "CHECKPOINT_RECORDED", event: null, stream: "checkpoint/a", data: {} }
const refused: Seen = { type: "CHECKPOINT_REFUSED", event: null, stream: "checkpoint/b", data: {} }

describe("evidence", () => {
  it("of nothing is none", () => {
    const { changed, evidence } = evidenceIn([])
    expect(changed).toBe(false)
    expect(Object.values(evidence).every((one) => one === undefined)).toBe(true)
  })

  it("is the last outcome of each kind of command, with what was edited since", () => {
    const { evidence } = evidenceIn([
      ran("npm test", 1),
      edit("a.ts"),
      ran("npm run build", 0),
      ran("npm test", 0),
      edit("b.ts"),
      edit("b.ts"),
      edit("c.ts")
    ])
    expect(evidence.tests).toEqual({ command: "npm test", passed: true, editedSince: 2 })
    expect(evidence.build).toEqual({ command: "npm run build", passed: true, editedSince: 2 })
    expect(evidence.types).toBeUndefined()
  })

  it("counts an error as resolved once the same command, or the same tool, has gone well", () => {
    const { evidence } = evidenceIn([
      ran("npm test", 1),
      ran("./go", 1),
      ran("./go", 2),
      ran("npm i", 1),
      ran("./go", 0)
    ])
    expect(evidence.errors).toEqual({ seen: 2, results: 4, unresolved: 1, last: "npm i broke" })
  })

  it("says nothing of errors where no result of a tool was seen but those of checks, nor of blocks where nobody acted", () => {
    const { evidence } = evidenceIn([ran("npm test", 1)])
    expect(evidence.tests).toMatchObject({ passed: false })
    expect(evidence.errors).toBeUndefined()
    expect(evidence.blocks).toBeUndefined()
    expect(evidenceIn([asked()]).evidence.errors).toBeUndefined()
    expect(evidenceIn([edit("a.ts")]).evidence.errors).toEqual({ seen: 0, results: 1, unresolved: 0 })
  })

  it("is none where all that is known is that nothing is uncommitted", () => {
    const changes = { files: 0, lines: 0 }
    const untouched = qualityOf({ changes })
    expect(untouched.quality).toBe(unknownQuality)
    expect(untouched.components.every(({ score }) => score === undefined)).toBe(true)
    expect(qualityOf({ changes: { files: 1, lines: 1 } }).quality).toBe(100)
    expect(qualityOf({ changes, blocks: { actions: 1, blocked: 0 } }).quality).toBe(100)
  })

  it("counts what hooks blocked of an agent's actions, and of nothing else", () => {
    const { evidence } = evidenceIn([
      asked(),
      asked(),
      blocked("tool.before"),
      blocked("checkpoint.before"),
      blocked("turn.stop")
    ])
    expect(evidence.blocks).toEqual({ actions: 2, blocked: 1 })
    const twice = [
      asked(),
      asked(),
      blocked("tool.before", "a"),
      blocked("tool.before", "a"),
      blocked("tool.before", "b")
    ]
    expect(evidenceIn(twice).evidence.blocks).toEqual({ actions: 2, blocked: 2 })
  })

  it("counts praise and corrections", () => {
    expect(evidenceIn([said("positive"), said("negative"), said("negative")]).evidence.feedback).toEqual({
      praise: 1,
      corrections: 2
    })
  })

  it("begins anew with a checkpoint, save for what was run; with a refused one only what has changed does", () => {
    const before = [
      ran("npm test", 0),
      ran("make", 1),
      ran("npm i", 1),
      asked(),
      blocked("tool.before"),
      said("negative")
    ]
    const after = evidenceIn([...before, recorded])
    expect(after.changed).toBe(false)
    expect(after.evidence).toMatchObject({ tests: { passed: true }, build: { passed: false } })
    expect(after.evidence.errors ?? after.evidence.blocks ?? after.evidence.feedback).toBeUndefined()
    const again = evidenceIn([...before, refused])
    expect(again.changed).toBe(false)
    expect(again.evidence).toMatchObject({
      errors: { unresolved: 1 },
      blocks: { blocked: 1 },
      feedback: { corrections: 1 }
    })
    expect(evidenceIn([recorded, edit("a.ts")]).changed).toBe(true)
  })

  it("survives what no fact of ours looks like", () => {
    const odd = [null, 7, "x", [], {}, { events: 7 }, { events: [{}] }, { intents: {} }]
    for (const type of ["PAYLOAD_BUFFERED", "HANDLER_SUCCEEDED", "CHECKPOINT_RECORDED"])
      for (const data of odd) evidenceIn([{ type, event: "tool.before", stream: "invocation/a", data }])
  })
})

describe("what git says", () => {
  it("is counted: a renamed file once, binary files without lines", () => {
    expect(filesIn(" M a.ts\0R  new.ts\0old.ts\0?? b\0")).toBe(3)
    expect(filesIn("")).toBe(0)
    expect(linesIn("3\t1\ta.ts\n-\t-\tlogo.png\n10\t0\tb.ts\n")).toBe(14)
  })
})
