/** What the client makes of the routes of a directory: which calls it leaves, which it asks about. */
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { openFrame } from "../../../src/log/sealedFrame.ts"
import { routesAt, routesFolder } from "../../../src/programs/host/routes.ts"
import { digestKey } from "../../../src/state/state.ts"
import { atOnce, type Client, type Shot, type Stage, stage } from "./stage.ts"

const build = readFileSync(join(import.meta.dirname, "..", "..", "..", "dist", "build-id"), "utf8").trim()

interface Written {
  readonly conditions?: readonly string[]
  readonly head?: readonly string[]
  readonly routes?: readonly string[]
  readonly text?: string
}

const usual = [
  ">claude-code PreToolUse\t\tRead\tGlob",
  ">claude-code Notification\t\t*",
  ">cursor stop\t{}\t*"
]

/** As a host writes them: for the project, unless a test says something else. */
const lay = (
  { project, state }: Stage,
  { conditions = [], head, routes = usual, text }: Written = {}
): void => {
  mkdirSync(routesFolder(state), { recursive: true, mode: 0o700 })
  const lines = [...(head ?? [`HKR1 ${build}`, project]), ...conditions, ...routes, ""]
  writeFileSync(routesAt(state, project), text ?? lines.join("\n"), { mode: 0o600 })
}

const payload = (more: object = {}): string =>
  JSON.stringify({
    session_id: "s-1",
    hook_event_name: "PreToolUse",
    tool_name: "Read",
    tool_input: {},
    ...more
  })

const asIs = (path: string): string => {
  const { ctimeNs, ino, mtimeNs, size } = statSync(path, { bigint: true })
  return `=${ino} ${size} ${mtimeNs} ${ctimeNs} ${path}`
}

const left = (place: Stage): readonly string[] => place.spooled().filter((name) => name.endsWith(".frame"))

/** `left`, or `asked`: here by the entrypoint, since there is no host. */
const wayOf = async (place: Stage, shot: Shot = {}): Promise<"left" | "asked"> => {
  const before = left(place).length
  const { code, stdout } = await place.fire({ input: payload(), ...shot })
  const isLeft = left(place).length === before + 1
  expect(place.reports()).toEqual([])
  if (isLeft) expect({ code, stdout }).toEqual({ code: 0, stdout: shot.agent === "cursor" ? "{}\n" : "" })
  else {
    expect(code).toBe(3)
    // Whoever answers has all of it.
    if (shot.redirect === undefined) expect(stdout).toBe((shot.input ?? payload()).toString())
  }
  return isLeft ? "left" : "asked"
}

export const routedSuite = (name: string, getClient: () => Client) => {
  describe(`${name}, where routes lie ready`, () => {
    it("leaves a shell's call where its command only looks, and asks about every other", async () => {
      const place = stage(getClient())
      lay(place, { routes: [...usual, "$claude-code PreToolUse\t\tBash", "$gemini-cli BeforeTool\t{}\tsh"] })
      const bash = (tool_input: unknown, more: object = {}) =>
        JSON.stringify({ session_id: "s-1", tool_name: "Bash", tool_input, ...more })
      const raw = (input: string) => `{"tool_name":"Bash","tool_input":${input}}`
      const left = [
        bash({ command: "git status" }),
        bash({
          command: 'grep -n "a b" x && ls\n\tcat y',
          description: "Look",
          timeout: 5,
          more: [{ command: "rm x" }]
        }),
        `{"tool_name":"Bash","cwd":${JSON.stringify(place.project)},"tool_input":{ "command" : "npm test -- --run parser" }}`,
        raw('{"command":"ls src\\/a"}'),
        // Of another kind: by name.
        payload({ tool_input: { command: "rm -rf /" } })
      ]
      for (const input of left) expect(await wayOf(place, { input }), input).toBe("left")
      const asked = [
        bash({ command: "git stash" }),
        bash({ command: "ls $HOME" }),
        bash({ command: "ls; rm -rf /" }),
        bash({ command: "HOOKTAPE=0 ls" }),
        bash({ command: "ls é" }),
        bash({ command: "" }),
        bash({ command: ["ls"] }),
        bash({ command: 7 }),
        bash({ command: null }),
        bash({ cmd: "ls" }),
        bash({}),
        bash("ls"),
        bash(["ls"]),
        bash({ command: `ls ${"a".repeat(2000)}` }),
        bash({ command: `ls ${"a".repeat(5000)}` }),
        bash({ command: "ls" }, { tool_name: "PowerShell" }),
        bash({ command: "ls" }, { tool_name: "bash" }),
        raw('{"command":"ls","command":"rm -rf /"}'),
        raw('{"command":"ls","comm\\u0061nd":"rm -rf /"}'),
        raw('{"command":"l\\u0073"}'),
        raw('{"command":"ls\\\\"}'),
        raw('{"command":"ls\\r"}'),
        raw('{"command":"ls" x}'),
        '{"tool_name":"Bash","tool_input":{"command":"ls"},"tool_input":{"command":"rm -rf /"}}',
        '{"tool_name":"Bash","tool_input":{"command":"ls"},"tool_inpu\\u0074":{"command":"rm -rf /"}}',
        '{"tool_name":"Bash"}'
      ]
      for (const input of asked) expect(await wayOf(place, { input }), input).toBe("asked")
    })

    it("asks about a script of a package where one is in reach, or the call may be about another folder", async () => {
      const place = stage(getClient())
      lay(place, { routes: [...usual, "$claude-code PreToolUse\t\tBash"] })
      const call = (command: string, cwd: unknown = place.project, more: object = {}) =>
        JSON.stringify({ session_id: "s-1", cwd, tool_name: "Bash", tool_input: { command, ...more } })
      const ways = async (...inputs: readonly string[]): Promise<readonly string[]> => {
        const found: string[] = []
        for (const input of inputs) found.push(await wayOf(place, { input }))
        return found
      }
      expect(await ways(call("npm test"), call("git status && yarn run lint"))).toEqual(["left", "left"])
      expect(
        await ways(
          call("npm test", null),
          call("npm test", "/"),
          call("npm test", `${place.project}/`),
          call("npm test", 7),
          call("npm test", place.project, { workdir: "web" }),
          call("npm test", place.project, { cwd: "web" }),
          call("cd web && npm test")
        )
      ).toEqual(Array(7).fill("asked"))
      for (const file of [join(place.project, "package.json"), join(place.project, "..", "package.json")]) {
        writeFileSync(file, "{}")
        expect(await ways(call("npm test"), call("pnpm run build"), call("git status"))).toEqual([
          "asked",
          "asked",
          "left"
        ])
        rmSync(file)
      }
      symlinkSync("nowhere", join(place.project, "package.json"))
      expect(await ways(call("npm test"))).toEqual(["asked"])
    })

    it("leaves a call that nobody has a word on, sealed, and answers neutrally", async () => {
      const place = stage(getClient())
      lay(place)
      expect(await wayOf(place)).toBe("left")
      const [file = ""] = left(place)
      const bytes = readFileSync(join(place.state, "spool", file))
      const frame =
        openFrame(digestKey(place.state), file.replace(".frame", ""), bytes)?.toString("latin1") ?? ""
      expect(frame).toContain(payload())
      expect(frame).toContain(`cwd=${place.project}\0`)
      expect(bytes.toString("latin1")).not.toContain("session_id")
    })

    it("says what the agent takes for nothing", async () => {
      const place = stage(getClient())
      lay(place)
      expect(await wayOf(place, { agent: "cursor", event: "stop", input: "{}" })).toBe("left")
      expect(await wayOf(place, { event: "Notification", input: '{"message":"m"}' })).toBe("left")
    })

    it.each<readonly [string, Shot]>([
      ["another tool", { input: payload({ tool_name: "Bash" }) }],
      ["a tool whose name begins like one", { input: payload({ tool_name: "ReadAll" }) }],
      ["a tool whose name is the beginning of one", { input: payload({ tool_name: "Rea" }) }],
      ["two names in one", { input: payload({ tool_name: "Read\tGlob" }) }],
      ["no tool", { input: '{"session_id":"s-1"}' }],
      ["a tool that is no text", { input: '{"tool_name":["Read"]}' }],
      ["a name that stands deeper", { input: '{"tool_input":{"tool_name":"Read"}}' }],
      ["a name in a text", { input: '{"a":"\\",\\"tool_name\\":\\"Read\\"","b":1}' }],
      ["two tools", { input: '{"tool_name":"Read","tool_name":"Bash"}' }],
      ["two tools, the other one first", { input: '{"tool_name":"Bash","tool_name":"Read"}' }],
      ["a name with an escape", { input: '{"tool_name":"R\\u0065ad"}' }],
      ["a second name that is written otherwise", { input: '{"tool_name":"Read","tool\\u005fname":"Bash"}' }],
      ["two sessions", { input: '{"tool_name":"Read","session_id":"a","session_id":"b"}' }],
      ["a list", { input: '[{"tool_name":"Read"}]' }],
      ["something behind the end", { input: '{"tool_name":"Read"} {"tool_name":"Bash"}' }],
      ["what is not whole", { input: '{"tool_name":"Read","tool_input":{' }],
      ["nothing", { input: "" }],
      ["no JSON", { input: "tool_name Read" }],
      ["a byte order mark", { input: '\uFEFF{"tool_name":"Read"}' }],
      ["more than is looked at", { input: payload({ tool_input: { content: "x".repeat(1_100_000) } }) }],
      ["another event", { event: "PostToolUse" }],
      ["an event that begins like one", { event: "PreToolUseX" }],
      ["another agent", { agent: "codex" }],
      ["a probe", { env: { HOOKTAPE_PROBE: "x" } }],
      ["a switch that it does not know", { env: { HOOKTAPE_SOMETHING: "1" } }],
      ["a level of the log", { env: { HOOKTAPE_LOG_LEVEL: "debug" } }],
      ["hosts that are switched off", { env: { HOOKTAPE_HOST: "off" } }],
      [
        "a project that is named elsewhere",
        { agent: "cursor", event: "stop", input: "{}", env: { CURSOR_PROJECT_DIR: "/" } }
      ]
    ])("asks about %s", async (_, shot) => {
      const place = stage(getClient())
      lay(place)
      expect(await wayOf(place, shot)).toBe("asked")
      expect(await wayOf(place)).toBe("left")
    })

    it.each<readonly [string, (place: Stage) => Written]>([
      ["of another build", ({ project }) => ({ head: [`HKR1 ${build}x`, project] })],
      ["of another kind", ({ project }) => ({ head: [`HKR2 ${build}`, project] })],
      ["of another directory", ({ folder }) => ({ head: [`HKR1 ${build}`, folder] })],
      ["without an end", ({ project }) => ({ text: `HKR1 ${build}\n${project}\n${usual[0]}` })],
      ["with a 0 in it", ({ project }) => ({ text: `HKR1 ${build}\n${project}\n${usual[0]}\n\0\n` })],
      ["that are empty", () => ({ text: "" })],
      ["that are one line", () => ({ text: "\n" })],
      [
        "that are too many",
        ({ project }) => ({ head: [`HKR1 ${build}`, project, ...Array(4000).fill("x".repeat(20))] })
      ],
      ["with half a condition", () => ({ conditions: ["=1 2 3"] })],
      ["with a condition that is none", () => ({ conditions: ["=a b c d /"] })],
      ["with a number that is none", ({ project }) => ({ conditions: [`+99999999999999999999 ${project}`] })],
      ["with a condition on nothing", () => ({ conditions: ["-"] })],
      ["with a path that is too long", () => ({ conditions: [`-/${"x".repeat(9000)}`] })]
    ])("asks where there are routes %s", async (_, written) => {
      const place = stage(getClient())
      lay(place, written(place))
      expect(await wayOf(place)).toBe("asked")
    })

    it("asks where they lie behind a link, or others can write them", async () => {
      const place = stage(getClient())
      lay(place)
      const file = routesAt(place.state, place.project)
      chmodSync(file, 0o622)
      expect(await wayOf(place)).toBe("asked")
      chmodSync(file, 0o600)
      renameSync(file, `${file}.there`)
      symlinkSync(`${file}.there`, file)
      expect(await wayOf(place)).toBe("asked")
    })

    it.each<readonly [string, (file: string) => void]>([
      ["is written to", (file) => writeFileSync(file, "other")],
      ["is gone", (file) => rmSync(file)],
      ["has another time", (file) => utimesSync(file, 1, 1)],
      [
        "is another one, of the same size and the same time",
        (file) => {
          const { atime, mtime } = statSync(file)
          writeFileSync(`${file}.new`, "TEXT")
          renameSync(`${file}.new`, file)
          utimesSync(file, atime, mtime)
        }
      ],
      [
        "holds something else of the same size and the same time",
        (file) => {
          const { atime, mtime } = statSync(file)
          writeFileSync(file, "TEXT")
          utimesSync(file, atime, mtime)
        }
      ]
    ])("asks once a file that they were made from %s", async (_, change) => {
      const place = stage(getClient())
      const file = join(place.folder, "with a blank.ts")
      writeFileSync(file, "text")
      lay(place, { conditions: [asIs(file)] })
      expect(await wayOf(place)).toBe("left")
      change(file)
      expect(await wayOf(place)).toBe("asked")
    })

    it("asks once something is there that was not, or another folder stands in its place; what it holds is nobody's matter", async () => {
      const place = stage(getClient())
      const folder = join(place.project, ".git")
      lay(place, { conditions: [`-${folder}`] })
      expect(await wayOf(place)).toBe("left")
      mkdirSync(folder)
      expect(await wayOf(place)).toBe("asked")
      const { ino } = statSync(folder, { bigint: true })
      lay(place, { conditions: [`+${ino} ${folder}`] })
      expect(await wayOf(place)).toBe("left")
      writeFileSync(join(folder, "index"), "")
      expect(await wayOf(place)).toBe("left")
      renameSync(folder, `${folder}-before`)
      mkdirSync(folder)
      expect(await wayOf(place)).toBe("asked")
    })

    it("leaves calls of sessions that were entered with their guards, and asks about all others", async () => {
      const place = stage(getClient())
      lay(place, { routes: ["guarded", "session s-1", ...usual] })
      expect(await wayOf(place)).toBe("left")
      for (const session_id of ["s-2", "s-", "s-11", "", 1, null])
        expect(await wayOf(place, { input: payload({ session_id }) })).toBe("asked")
      expect(await wayOf(place, { input: '{"tool_name":"Read"}' })).toBe("asked")
    })

    it("asks where the call cannot be kept", async () => {
      const place = stage(getClient())
      lay(place)
      rmSync(join(place.state, "key"))
      expect(await wayOf(place)).toBe("asked")
    })

    it("takes an empty file that lies ready, and none that somebody holds", async () => {
      const place = stage(getClient())
      lay(place)
      const blank = join(place.state, "spool", "blank")
      mkdirSync(blank, { mode: 0o700 })
      const lieReady = () => {
        for (const slot of "0123456789abcdef") writeFileSync(join(blank, slot), "", { mode: 0o600 })
      }
      lieReady()
      const inodes = [..."0123456789abcdef"].map((slot) => statSync(join(blank, slot)).ino)
      expect(await wayOf(place)).toBe("left")
      expect(inodes).toContain(statSync(join(place.state, "spool", left(place)[0] ?? "")).ino)
      lieReady()
      for (const slot of "0123456789abcdef") writeFileSync(join(blank, slot), "somebody's")
      expect(await wayOf(place)).toBe("left")
      for (const slot of "0123456789abcdef")
        expect(readFileSync(join(blank, slot), "utf8")).toBe("somebody's")
    })

    it("leaves 64 calls at once, each whole", async () => {
      const place = stage(getClient())
      lay(place)
      const blank = join(place.state, "spool", "blank")
      mkdirSync(blank, { mode: 0o700 })
      for (const slot of "0123456789abcdef") writeFileSync(join(blank, slot), "", { mode: 0o600 })
      await atOnce([...Array(64).keys()], (nth) => place.fire({ input: payload({ nth }) }))
      const key = digestKey(place.state)
      const found = left(place).map((file) => {
        const frame = openFrame(
          key,
          file.replace(".frame", ""),
          readFileSync(join(place.state, "spool", file))
        )
        return Number(/"nth":(\d+)/.exec(frame?.toString("latin1") ?? "")?.[1])
      })
      expect(found.sort((a, b) => a - b)).toEqual([...Array(64).keys()])
    })
  })
}
