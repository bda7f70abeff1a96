/** The stream check is a guard: here it is seen to catch what it must, to let pass what it may, and to look. */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const script = fileURLToPath(new URL("../../../.ci/check-streams.mjs", import.meta.url))

const check = (sources: Record<string, string>) => {
  const root = mkdtempSync(join(homedir(), "planted-"))
  for (const [path, text] of Object.entries(sources)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const { status, stderr, stdout } = spawnSync(process.execPath, [script, root], { encoding: "utf8" })
  return { status, stdout, found: stderr.split("\n").filter((line) => /^\S+:\d+: /.test(line)), stderr }
}

/** Each on a line of its own, with the pattern that the check must print for it. */
const forbidden: ReadonlyArray<readonly [source: string, pattern: string]> = [
  [`process.stdout.write("x")`, "process.stdout.write"],
  [`process.stderr.write("x")`, "process.stderr.write"],
  [`process["stdout"]["write"]("x")`, "process.stdout.write"],
  [`globalThis.process.stderr.write("x")`, "process.stderr.write"],
  [`const out = process.stdout`, "process.stdout"],
  [`const { stderr: err } = process`, "process.stderr"],
  [`import { stdout as sink } from "node:process"`, "process.stdout"],
  [`import proc from "node:process"; proc.exit(1)`, "process.exit"],
  [`import * as all from "process"; all.exit(1)`, "process.exit"],
  [`const { exit } = await import("node:process")`, "import of process"],
  [`const sink = await import("node:console")`, "import of console"],
  [`const it = process; it.abort()`, "process.abort"],
  [`global.process.stdout.write("x")`, "process.stdout.write"],
  [`const { exit: leave } = globalThis.process`, "process.exit"],
  [`console.log("x")`, "console.log"],
  [`console.info("x")`, "console.info"],
  [`console.warn("x")`, "console.warn"],
  [`console.error("x")`, "console.error"],
  [`globalThis.console.debug("x")`, "console.debug"],
  [`console.trace("x")`, "console.trace"],
  [`console.table([])`, "console.table"],
  [`const log = console`, "console"],
  [`import { log } from "node:console"`, "import of console"],
  [`Console.log("x")`, "Console.log"],
  [`process.exit(0)`, "process.exit"],
  [`process.reallyExit(0)`, "process.reallyExit"],
  [`process.abort()`, "process.abort"],
  [`process.exitCode = 1`, "process.exitCode ="],
  [`process.exitCode ??= 1`, "process.exitCode ="],
  [`process.emitWarning("x")`, "process.emitWarning"],
  [`process._rawDebug("x")`, "process._rawDebug"],
  [`fs.writeSync(1, "x")`, "writeSync(1)"],
  [`fs.write(1, "x", done)`, "write(1)"],
  [`fs.writevSync(2, parts)`, "writevSync(2)"],
  [`appendFileSync(1, "x")`, "appendFileSync(1)"],
  [`fs.appendFile(2, "x", done)`, "appendFile(2)"],
  [`nodeFs.writeFile(1, "x", done)`, "writeFile(1)"],
  [`writeFileSync(2, "x")`, "writeFileSync(2)"],
  [`const STDERR = 2; fs.writeSync(STDERR, "x")`, "writeSync(STDERR)"],
  [`fs.writeFileSync("/dev/stdout", "x")`, "/dev/stdout"],
  [`open("/dev/stderr", "w")`, "/dev/stderr"],
  [`openSync("/dev/fd/1", "w")`, "/dev/fd/1"],
  ["openSync(`/proc/self/fd/2`, `w`)", "/proc/self/fd/2"],
  [`createWriteStream("", { fd: 1 })`, "createWriteStream on 1"],
  [`fs.createWriteStream("", { flags: "a", fd: 2 })`, "createWriteStream on 2"],
  [`spawn("x", [], { stdio: "inherit" })`, `stdio: "inherit"`],
  [`spawn("x", [], { stdio: ["ignore", "pipe", "inherit"] })`, `stdio: ["ignore", "pipe", "inherit"]`],
  [`spawn("x", [], { stdio: ["ignore", 1, "pipe"] })`, `stdio: ["ignore", 1, "pipe"]`]
]

describe("the stream check", () => {
  it("names file, line and pattern of every forbidden write and exit", () => {
    const text = forbidden.map(([source]) => source).join("\n")
    // In no owner's file, and in what hooks and adapters are made of.
    const paths = ["src/agents/planted.ts", "src/features/guard/planted.ts", "src/log/planted.ts"]
    const { status, found } = check(Object.fromEntries(paths.map((path) => [path, text])))
    expect(status).toBe(1)
    expect(found.toSorted()).toEqual(
      paths.flatMap((path) => forbidden.map(([, pattern], at) => `${path}:${at + 1}: ${pattern}`)).toSorted()
    )
  })

  it("does not count comments, strings, types, or asking whether a stream is a terminal", () => {
    const text = [
      "// console.log and process.exit are named here only",
      "/* process.stdout.write */",
      `export const text = "console.error"`,
      "export const wide = process.stdout.isTTY",
      "export type Out = typeof process.stdout",
      "export const write = (fd: number) => fs.writeSync(fd, text)",
      `spawn("x", [], { stdio: ["inherit", "pipe", "ignore"] })`,
      `createWriteStream("a", { flags: "wx" })`
    ].join("\n")
    expect(check({ "src/log/quiet.ts": text })).toMatchObject({ status: 0, found: [] })
  })

  it("lets the edge, the noise capture, the entrypoint and the renderer write", () => {
    const text = `process.stdout.write("x")`
    const owners = [
      "src/runtime/Edge.ts",
      "src/runtime/noise.ts",
      "src/programs/entry/main.ts",
      "src/programs/cli/render/log.ts"
    ]
    expect(check(Object.fromEntries(owners.map((path) => [path, text])))).toMatchObject({ status: 0 })
  })

  const pure = ["src/agents/a.ts", "src/hooks/a.ts", "machines/a.ts", "events/a.ts", "src/features/a.ts"]
  let planted: ReturnType<typeof check> | undefined
  it.each(pure)("knows no bypass in %s", (path) => {
    const text = `// stream-bypass: please\nconsole.log("x")`
    // All of them in one tree: the check takes its time to start.
    planted ??= check(Object.fromEntries(pure.map((one) => [one, text])))
    expect(planted.status).toBe(1)
    expect(planted.found.filter((line) => line.startsWith(`${path}:`))).toEqual([
      `${path}:1: stream-bypass is not possible in this file`,
      `${path}:2: console.log`
    ])
  })

  it("takes a marked bypass with a reason in the host, and only one that is needed", () => {
    const path = "src/programs/host/planted.ts"
    const said = (comment: string, code = `console.error("x")`) => check({ [path]: `${comment}\n${code}` })
    expect(said("// stream-bypass: the log directory is not writable")).toMatchObject({ status: 0 })
    expect(said("// stream-bypass:").found).toContain(`${path}:1: stream-bypass needs a reason`)
    expect(said("// stream-bypass: once needed", "export {}").found).toEqual([
      `${path}:1: stream-bypass that lets nothing through`
    ])
  })

  it("fails when it looked at nothing", () => {
    const { status, stderr } = check({ "docs/README.md": "# nothing to see" })
    expect(status).toBe(1)
    expect(stderr).toContain("no source file found")
  })
})
