/** Programs are started by Node or by the native starter: whoever asks finds no difference. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync
} from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isAlive } from "../../../src/state/isAlive.ts"
import { makeStarter, type Starter } from "../../../src/trust/starter.ts"
import {
  type ProcessRequest,
  type StartedProcess,
  type StartProcess,
  startWithNode
} from "../../../src/trust/startProcess.ts"
import { dist } from "../../support/host.ts"

const built = join(dist, "client", `${process.platform}-${process.arch}`, "starter")
const here = realpathSync(mkdtempSync(join(tmpdir(), "processes-")))

/** One that watches its own memory: what it finds it says, and ends with. */
const watchful = (): string => {
  const program = join(mkdtempSync(join(homedir(), "watchful-")), "starter")
  const script = fileURLToPath(new URL("../../../.ci/programs.mjs", import.meta.url))
  const { status, stderr } = spawnSync(process.execPath, [script, "starter", program], { encoding: "utf8" })
  if (status !== 0) throw new Error(`no starter with sanitizers: ${stderr}`)
  return program
}

interface Heard {
  readonly stdout: string
  readonly stderr: string
  /** In which order what was told of it, without its output. */
  readonly told: readonly string[]
  readonly code?: number | null
}

const environment = { PATH: process.env["PATH"] ?? "" }

const hearing = (start: StartProcess, request: Partial<ProcessRequest> & Pick<ProcessRequest, "program">) => {
  const told: string[] = []
  const streams: Record<"stdout" | "stderr", Buffer[]> = { stdout: [], stderr: [] }
  let code: number | null | undefined
  let wake: () => void = () => undefined
  const tell = (what: string): void => {
    told.push(what)
    wake()
  }
  const started: StartedProcess = start(
    { args: [], cwd: here, environment, input: "", ...request },
    {
      output: (stream, chunk) => {
        streams[stream].push(chunk)
        wake()
      },
      refused: tell,
      exited: (its) => {
        code = its
        tell("exited")
      },
      closed: () => tell("closed")
    }
  )
  const heard = (): Heard => ({
    stdout: Buffer.concat(streams.stdout).toString("utf8"),
    stderr: Buffer.concat(streams.stderr).toString("utf8"),
    told,
    ...(code === undefined ? {} : { code })
  })
  const when = async (isEnough: () => boolean): Promise<Heard> => {
    while (!isEnough())
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    return heard()
  }
  return {
    ...started,
    heard,
    until: (isEnough: (heard: Heard) => boolean) => when(() => isEnough(heard())),
    over: () => when(() => ["closed", "missing", "refused"].includes(told.at(-1) ?? ""))
  }
}

const shell = (text: string): Pick<ProcessRequest, "program" | "args"> => ({
  program: "sh",
  args: ["-c", text]
})

/** From its second command on a starter is there. */
const ready = async (starter: Starter): Promise<void> => {
  await hearing(starter.start, { program: "true" }).over()
  await expect.poll(starter.pid).toBeGreaterThan(0)
}

const ways: readonly (readonly [string, () => Promise<StartProcess>])[] = [
  ["Node", async () => startWithNode],
  ["the starter", async () => beside(built)],
  ["a starter that watches its memory", async () => beside(watchful())]
]

const beside = async (file: string): Promise<StartProcess> => {
  const starter = makeStarter(file, { afterMs: 0 })
  await ready(starter)
  return (...asked) => {
    // It is there for every one of them: one that came to its end would leave them all to Node.
    expect(starter.pid()).toBeGreaterThan(0)
    return starter.start(...asked)
  }
}

describe.each(ways)("a program started by %s", (_, make) => {
  let start: StartProcess
  beforeAll(() => {
    writeFileSync(join(here, "plain"), "echo never\n")
    writeFileSync(join(here, "bare"), "echo bare $1\n")
    writeFileSync(join(here, "program"), "#!/bin/sh\necho found $*\n")
    for (const [file, mode] of [
      ["plain", 0o600],
      ["bare", 0o700],
      ["program", 0o700]
    ] as const)
      chmodSync(join(here, file), mode)
  })
  it("is heard: both streams, its code, then that it is over", async () => {
    start = await make()
    expect(await hearing(start, shell("echo out; echo err >&2; exit 7")).over()).toEqual({
      stdout: "out\n",
      stderr: "err\n",
      told: ["exited", "closed"],
      code: 7
    })
  })
  it("has the words, the directory and the environment that it is given, and nothing else", async () => {
    const given = { PATH: here, "ODD name": "a=b\nc", EMPTY: "", ZÜRICH: "ß" }
    const { stdout } = await hearing(start, {
      program: process.execPath,
      args: [
        "-e",
        "process.stdout.write(JSON.stringify([process.argv.slice(1), process.cwd(), process.env]))",
        "",
        "a b",
        "ü\n"
      ],
      cwd: "/",
      environment: given
    }).over()
    expect(JSON.parse(stdout)).toEqual([["", "a b", "ü\n"], "/", given])
  })
  it("is looked for along the environment that it is given", async () => {
    const found = await hearing(start, {
      program: "program",
      args: ["it"],
      environment: { PATH: here }
    }).over()
    expect(found).toMatchObject({ stdout: "found it\n", code: 0 })
    expect(
      await hearing(start, { program: "program", environment: { PATH: "/nowhere" } }).over()
    ).toMatchObject({
      told: ["missing"]
    })
    expect(await hearing(start, { program: "./program" }).over()).toMatchObject({ stdout: "found\n" })
  })
  it("may be a script that says no interpreter; what may not be executed is refused", async () => {
    expect(await hearing(start, { program: "./bare", args: ["one"] }).over()).toMatchObject({
      stdout: "bare one\n",
      code: 0
    })
    expect(await hearing(start, { program: "./plain" }).over()).toEqual({
      stdout: "",
      stderr: "",
      told: ["refused"]
    })
    expect(await hearing(start, { program: here }).over()).toMatchObject({ told: ["refused"] })
  })
  it("is none where a word holds a zero", () => {
    expect(() => hearing(start, { program: "echo", args: ["a\0b"] })).toThrow(/null bytes/)
  })
  it.each([0, 1, 65_536, 5_000_000, 17_000_000])(
    "reads %d bytes whole, and is heard whole",
    async (length) => {
      const input = "0123456789abcdef".repeat(Math.ceil(length / 16)).slice(0, length)
      const { stdout } = await hearing(start, { program: "cat", input }).over()
      expect(stdout === input).toBe(true)
    }
  )
  it("need not read", async () => {
    const input = "x".repeat(1_000_000)
    expect(await hearing(start, { ...shell("exec <&-; echo done"), input }).over()).toMatchObject({
      stdout: "done\n",
      told: ["exited", "closed"],
      code: 0
    })
  })
  it("has no descriptor of ours, no signal that is ignored or held, and a group of its own", async () => {
    if (!existsSync("/proc/self/status")) return
    const words =
      "ls /proc/self/fd; grep -E '^Sig(Ign|Blk)' /proc/self/status; cut -d ' ' -f 5 /proc/$$/stat; echo $$"
    const about = async (by: StartProcess) => (await hearing(by, shell(words)).over()).stdout.split("\n")
    const lines = await about(start)
    // Whoever started this test may have left some open.
    const descriptors = (all: readonly string[]) => all.filter((line) => /^\d{1,3}$/.test(line))
    expect(descriptors(lines.slice(0, -3))).toEqual(descriptors((await about(startWithNode)).slice(0, -3)))
    expect(descriptors(lines)).toEqual(expect.arrayContaining(["0", "1", "2"]))
    expect(lines.flatMap((line) => /^Sig\w+:\s+(\w+)/.exec(line)?.slice(1) ?? []).map(Number)).toEqual([0, 0])
    const [group, own] = lines.slice(-3).map(Number)
    expect(group).toBe(own)
  })
  it("that ends by a signal has no code", async () => {
    expect(await hearing(start, shell("kill -9 $$")).over()).toMatchObject({
      told: ["exited", "closed"],
      code: null
    })
  })
  it("is ended with all it started", async () => {
    const one = hearing(start, shell("sleep 600 & echo $! $$; wait"))
    const [sleeping, own] = (await one.until(({ stdout }) => stdout.endsWith("\n"))).stdout
      .split(" ")
      .map(Number)
    one.end()
    expect(await one.over()).toMatchObject({ code: null })
    expect(isAlive(own ?? 0)).toBe(false)
    await expect.poll(() => isAlive(sleeping ?? 0)).toBe(false)
  })
  it("is ended with what made itself a group or a session of its own below it", async () => {
    if (process.platform !== "linux") return
    const sleeping = "sh -c 'echo $$; exec sleep 600'"
    const one = hearing(
      start,
      shell(`setsid ${sleeping} & timeout 600 sh -c "sh -c 'echo \\$\\$; exec sleep 600' & wait" & wait`)
    )
    const { stdout } = await one.until((heard) => heard.stdout.split("\n").length > 2)
    const [first = 0, second = 0] = stdout.split("\n").map(Number)
    expect([first, second].map(isAlive)).toEqual([true, true])
    one.end()
    await one.over()
    await expect.poll(() => [first, second].some(isAlive)).toBe(false)
  })
  it("may leave something running that holds its streams: it can be ended, or left alone", async () => {
    const ended = hearing(start, shell("sleep 600 & echo $!"))
    const [first = 0] = (await ended.until(({ told }) => told.includes("exited"))).stdout
      .split("\n")
      .map(Number)
    expect(ended.heard().told).toEqual(["exited"])
    ended.end()
    await ended.over()
    await expect.poll(() => isAlive(first)).toBe(false)

    const left = hearing(start, shell("sleep 600 & echo $!"))
    const [second = 0] = (await left.until(({ told }) => told.includes("exited"))).stdout
      .split("\n")
      .map(Number)
    left.leave()
    // A later one is over before anything more is heard of it.
    await hearing(start, shell("exit 0")).over()
    expect(left.heard().told.filter((one) => one === "exited")).toHaveLength(1)
    expect(isAlive(second)).toBe(true)
    process.kill(second, "SIGKILL")
  })
  it("is one of many at once, each heard apart", async () => {
    const all = await Promise.all(
      Array.from({ length: 100 }, (_, nth) =>
        hearing(start, { ...shell(`cat; echo ${nth} >&2; exit ${nth % 50}`), input: `in ${nth}` }).over()
      )
    )
    for (const [nth, one] of all.entries())
      expect(one).toMatchObject({ stdout: `in ${nth}`, stderr: `${nth}\n`, code: nth % 50 })
  })
  it("that writes without end is not the only one that is heard", async () => {
    const flood = hearing(start, { program: "yes" })
    await flood.until(({ stdout }) => stdout.length > 300_000)
    expect(await hearing(start, shell("echo here")).over()).toMatchObject({ stdout: "here\n" })
    flood.end()
    await flood.over()
  })
})

/** A frame as the starter takes it. */
const frame = (kind: string, number: number, rest: Buffer): Buffer => {
  const head = Buffer.alloc(9)
  head.writeUInt32LE(5 + rest.length)
  head.write(kind, 4)
  head.writeUInt32LE(number, 5)
  return Buffer.concat([head, rest])
}
const words = (directory: string, ...all: readonly string[]): Buffer => {
  const counts = Buffer.alloc(8)
  counts.writeUInt32LE(all.length)
  return Buffer.concat([counts, Buffer.from([directory, ...all].map((one) => `${one}\0`).join(""))])
}

describe("the starter", () => {
  let child: ChildProcess | undefined
  const started = () => {
    child = spawn(built, [], { stdio: ["pipe", "pipe", "ignore"] })
    return { child, ended: once(child, "exit"), heard: once(child.stdout as NodeJS.ReadableStream, "data") }
  }
  afterAll(() => void child?.kill("SIGKILL"))

  it("ends what it started when whoever asked is gone", async () => {
    const { child, ended, heard } = started()
    child.stdin?.write(frame("r", 1, words("/", "/bin/sh", "-c", "/bin/sleep 600 & echo $$ $!; wait")))
    const [data] = (await heard) as [Buffer]
    const pids = data.toString("latin1", 9).trim().split(" ").map(Number)
    expect(pids.map(isAlive)).toEqual([true, true])
    child.stdin?.end()
    expect(await ended).toEqual([0, null])
    for (const pid of pids) await expect.poll(() => isAlive(pid)).toBe(false)
  })

  it.each([
    ["a length that no frame has", Buffer.from([0xff, 0xff, 0xff, 0xff])],
    ["one too short for a head", Buffer.from([1, 0, 0, 0, 0x72])]
  ])("understands nothing after %s, and ends", async (_, bytes) => {
    const { child, ended } = started()
    child.stdin?.write(bytes)
    expect(await ended).toEqual([1, null])
  })

  it.each([
    ["no word", words("/")],
    ["fewer texts than it says", words("/", "true").subarray(0, -1)],
    ["nothing", Buffer.alloc(0)],
    ["more words than bytes", Buffer.alloc(20, 0xff)]
  ])("starts nothing for a request with %s, says so, and goes on", async (_, rest) => {
    const { child, ended, heard } = started()
    child.stdin?.write(frame("r", 5, rest))
    expect(await heard).toEqual([frame("n", 5, Buffer.alloc(0))])
    child.stdin?.end(frame("e", 5, Buffer.alloc(0)))
    expect(await ended).toEqual([0, null])
  })

  it("that is killed takes what it had started along, as far as is known; Node starts what comes after", async () => {
    const starter = makeStarter(built, { afterMs: 0 })
    await ready(starter)
    const lost = hearing(starter.start, shell("echo $$; exec sleep 600"))
    const pid = Number((await lost.until(({ stdout }) => stdout.endsWith("\n"))).stdout)
    process.kill(starter.pid() ?? 0, "SIGKILL")
    expect(await lost.over()).toMatchObject({ told: ["exited", "closed"], code: null })
    process.kill(pid, "SIGKILL")
    expect(starter.pid()).toBeUndefined()
    expect(await hearing(starter.start, shell("echo again")).over()).toMatchObject({
      stdout: "again\n",
      code: 0
    })
  })

  it("that is not there, or is no program, is done without", async () => {
    for (const file of [join(here, "nothing"), join(here, "plain")]) {
      const starter = makeStarter(file, { afterMs: 0 })
      for (const text of ["one", "two", "three"])
        expect(await hearing(starter.start, shell(`echo ${text}`)).over()).toMatchObject({
          stdout: `${text}\n`
        })
      expect(starter.pid()).toBeUndefined()
    }
  })

  it("ends when nobody asked for anything for a while, and begins anew", async () => {
    const starter = makeStarter(built, { afterMs: 0, idleMs: 2000 })
    await ready(starter)
    const first = starter.pid() ?? 0
    // It does not end beneath a command.
    const { stdout } = await hearing(starter.start, shell("sleep 2.5; echo whole")).over()
    expect(stdout).toBe("whole\n")
    await expect.poll(starter.pid, { timeout: 60_000 }).toBeUndefined()
    await expect.poll(() => isAlive(first)).toBe(false)
    await ready(starter)
    expect(starter.pid()).not.toBe(first)
  })

  it("keeps the number of a command that has ended until its streams are closed: nobody else's group is ended", async () => {
    if (!existsSync("/proc/self/status")) return
    const starter = makeStarter(built, { afterMs: 0 })
    await ready(starter)
    const left = hearing(starter.start, shell("sleep 600 & echo $$ $!"))
    const { stdout } = await left.until(({ told }) => told.includes("exited"))
    const [own = 0, sleeping = 0] = stdout.split(" ").map(Number)
    expect(existsSync(`/proc/${own}`)).toBe(true)
    left.end()
    await left.over()
    expect(existsSync(`/proc/${own}`)).toBe(false)
    await expect.poll(() => isAlive(sleeping)).toBe(false)
  })

  it("leaves no descriptor open behind a command", async () => {
    if (!existsSync("/proc/self/fd")) return
    const starter = makeStarter(built, { afterMs: 0 })
    await ready(starter)
    const open = () => readdirSync(`/proc/${starter.pid()}/fd`).length
    // Until it has done something it may not have begun.
    await hearing(starter.start, { program: "true" }).over()
    const before = open()
    for (let nth = 0; nth < 30; nth++)
      await hearing(starter.start, { ...shell("cat >/dev/null; exit 1"), input: "x" }).over()
    await hearing(starter.start, { program: "/no/such" }).over()
    expect(open()).toBe(before)
    expect(readFileSync(`/proc/${starter.pid()}/task/${starter.pid()}/children`, "utf8")).toBe("")
  })
})
