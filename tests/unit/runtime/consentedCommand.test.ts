import { execFileSync, spawnSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, it, vi } from "vitest"
import { type ConsentedFile, consentedCommand, type Line } from "../../../src/runtime/consentedCommand.ts"
import { hashOf } from "../../../src/trust/digest.ts"

const place = mkdtempSync(join(homedir(), "consented-"))

const put = (base: string, file: string, text: string): ConsentedFile => {
  const path = join(base, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return { file, sha256: hashOf(text), content: Buffer.from(text).toString("base64") }
}

const repository = (name: string) => {
  const base = join(place, name)
  const files = [
    put(base, "tools/guard.py", "import rules.names\nprint(rules.names.word)\n"),
    put(base, "tools/rules/__init__.py", ""),
    put(base, "tools/rules/names.py", 'word = "consented"\n')
  ]
  const line = (owned = false) =>
    consentedCommand({
      base,
      files,
      owned,
      parts: ["python3 ", { file: "tools/guard.py", bare: true }]
    })
  return { base, line }
}

const python = spawnSync("python3", ["-c", "0"]).status === 0

const compiles = `
import importlib.util, py_compile, sys
source, evil = sys.argv[1:]
py_compile.compile(evil, importlib.util.cache_from_source(source), doraise=True,
  invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
`

/** What it prints, started as a hook is. */
const ran = ({ command, env }: Line, cwd: string): string => {
  const { status, stderr, stdout } = spawnSync("/bin/sh", ["-c", command], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, ...env }
  })
  return status === 0 ? stdout.trim() : `${status}: ${stderr.trim().split("\n").at(-1)}`
}

const planted = 'print("planted")\nword = "planted"\nraise SystemExit(9)\n'

describe("the command line of an external hook", () => {
  it("runs where the files lie", () => {
    const { base, line } = repository("plain")
    const { command, end, env } = line()
    expect(command).toBe(`python3 ${join(base, "tools/guard.py")}`)
    expect(env).toMatchObject({ PYTHONDONTWRITEBYTECODE: "1", PYTHONPYCACHEPREFIX: "" })
    const folder = env["PYTHONPATH"] ?? ""
    expect(readdirSync(folder)).toEqual(["sitecustomize.py"])
    end()
    expect(existsSync(folder)).toBe(false)
    expect(existsSync(join(base, "tools/guard.py"))).toBe(true)
  })

  it("tells Python nothing where no Python runs", () => {
    const base = join(place, "shell")
    const files = [put(base, "tools/guard.sh", "exit 2\n")]
    const parts = [{ file: "tools/guard.sh", bare: false }]
    expect(consentedCommand({ base, files, owned: false, parts }).env).not.toHaveProperty("PYTHONPATH")
  })

  it("takes nothing from the environment of the user's own", () => {
    const { base, line } = repository("owned")
    mkdirSync(join(base, "tools/__pycache__"))
    expect(line(true).env).toEqual({})
  })

  it("runs from a copy where a file changed, which is gone afterwards", () => {
    const { base, line } = repository("changed")
    writeFileSync(join(base, "tools/rules/names.py"), 'word = "changed"\n')
    const { command, end, env } = line()
    const copy = command.replace("python3 ", "")
    expect(copy).not.toBe(join(base, "tools/guard.py"))
    expect(readFileSync(join(dirname(copy), "rules/names.py"), "utf8")).toContain("consented")
    expect(env["PYTHONPYCACHEPREFIX"]).toBe("")
    end()
    expect(existsSync(copy)).toBe(false)
  })

  it.each(["tools/json.py", "tools/rules/names", "tools/deep/er/x.sh", "tools/readme", "tools/package.json"])(
    "runs from a copy where %s came to lie beside them",
    (added) => {
      const { base, line } = repository(`added-${added.replaceAll("/", "-")}`)
      put(base, added, planted)
      const { command, end } = line()
      expect(command).not.toContain(base)
      end()
    }
  )

  it.each([
    "tools/__pycache__/guard.pyc",
    "elsewhere.py",
    "tools/node_modules/x/index.js",
    "tools/guard.log",
    "tools/state/count.json"
  ])("runs where the files lie although there is %s", (added) => {
    const { base, line } = repository(`aside-${added.replaceAll("/", "-")}`)
    put(base, added, planted)
    const { command, end } = line()
    expect(command).toContain(base)
    end()
  })

  it("runs from a copy where another file would be taken for one that a script in the project's folder loads", () => {
    const base = join(place, "node")
    const files = [put(base, "hook.js", 'require("./rules")\n'), put(base, "rules.js", "0\n")]
    const line = () =>
      consentedCommand({ base, files, owned: false, parts: ["node ", { file: "hook.js", bare: true }] })
    expect(line().command).toBe(`node ${join(base, "hook.js")}`)
    put(base, "rules", "1\n")
    const { command, end } = line()
    expect(command).not.toContain(base)
    end()
  })

  it("is refused where what changed would be loaded from where it lies, copy or not", () => {
    const base = join(place, "fixed")
    const files = [put(base, "hook.sh", "source lib/a.sh\n"), put(base, "lib/a.sh", "exit 2\n")]
    const fixed = ["lib/a.sh"]
    const line = () =>
      consentedCommand({
        base,
        files,
        fixed,
        owned: false,
        parts: ["bash ", { file: "hook.sh", bare: true }]
      })
    expect(line().command).toBe(`bash ${join(base, "hook.sh")}`)
    put(base, "hook.sh", "exit 0\n")
    const { command, end } = line()
    expect(command).not.toContain(base)
    end()
    put(base, "lib/a.sh", "exit 0\n")
    expect(line).toThrow(/^lib\/a\.sh is not what was consented to/)
  })

  it("keeps a copy of what lies above the hook's folder within a folder of its own", () => {
    const base = join(place, "above", "package", "inner")
    const files = [put(base, "../../tools/guard.sh", "echo consented\n")]
    const line = () =>
      consentedCommand({
        base,
        files,
        owned: false,
        parts: ["sh ", { file: "../../tools/guard.sh", bare: true }]
      })
    put(base, "../../tools/guard.sh", "echo changed\n")
    mkdirSync(base, { recursive: true })
    const made = line()
    expect(ran(made, base)).toBe("consented")
    expect(made.command).toContain("hooktape-")
    made.end()
  })

  it.runIf(python)("runs no Python that was compiled of something else", () => {
    const { base, line } = repository("planted")
    const evil = join(base, "evil.py")
    writeFileSync(evil, 'word = "planted"\n')
    execFileSync("python3", ["-c", compiles, join(base, "tools/rules/names.py"), evil])
    const made = line()
    expect(ran({ ...made, env: { PYTHONPYCACHEPREFIX: "" } }, base)).toBe("planted")
    expect(ran(made, base)).toBe("consented")
    made.end()
  })

  it.runIf(python)("lets a hook compile a file, as its agent would", () => {
    const { base, line } = repository("compiling")
    const { env } = line()
    const edited = join(base, "edited.py")
    writeFileSync(edited, "x = 1\n")
    const { status, stderr } = spawnSync("python3", ["-m", "py_compile", edited], {
      encoding: "utf8",
      env: { ...process.env, ...env }
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  })
})

/** A script in the project's own folder, where everything lies beside it. */
const inFolder = (name: string, script: string, more: Readonly<Record<string, string>> = {}) => {
  const base = join(place, name)
  mkdirSync(join(base, ".git"), { recursive: true })
  const files = [
    put(base, script.startsWith("#!") ? "hook" : "hook.py", script),
    ...Object.entries(more).map(([file, text]) => put(base, file, text))
  ]
  const parts = [script.startsWith("#!") ? "sh " : "python3 ", { file: files[0]?.file ?? "", bare: true }]
  const run = (): string => {
    const line = consentedCommand({ base, files, owned: false, parts })
    const said = ran(line, base)
    line.end()
    return said
  }
  return { base, run }
}

describe.runIf(python)("Python in an external hook", () => {
  it.each([
    ["a module", "json.py"],
    ["a package", "json/__init__.py"],
    ["what was compiled of a module", "json.pyc"],
    ["a module that its library loads in turn", "re.py"]
  ])("takes its library's own where the repository has %s of that name", (_, file) => {
    const { base, run } = inFolder(
      `shadow-${file.replaceAll("/", "-")}`,
      'import json\nprint(json.dumps(["mine"]))\n'
    )
    put(base, file, planted)
    if (file.endsWith(".pyc"))
      execFileSync("python3", [
        "-c",
        `import py_compile; py_compile.compile("${base}/json.pyc", "${base}/json.pyc", doraise=True)`
      ])
    expect(run()).toBe('["mine"]')
  })

  it("takes what was consented to, also as a package without a file of its own, and says what it leaves out", () => {
    const { base, run } = inFolder(
      "own",
      "import helpers.names, more\nprint(helpers.names.word, more.word)\n",
      {
        "helpers/names.py": "from . import words\nword = words.word\n",
        "helpers/words.py": 'word = "consented"\n',
        "more.py": 'word = "more"\n'
      }
    )
    expect(run()).toBe("consented more")
    put(base, "more/__init__.py", planted)
    expect(run()).toBe("consented more")
    const other = inFolder("unknown", "import helpers\n")
    put(other.base, "helpers.py", planted)
    expect(other.run()).toBe(
      `1: ModuleNotFoundError: No module named 'helpers': hooktape leaves out ${other.base}/helpers.py, which nobody consented to (see projectCode)`
    )
  })

  it.each([
    ["code on the command line", "python3 -c 'import json; print(json.dumps([1]))'"],
    ["code that it reads", "echo 'import json; print(json.dumps([1]))' | python3 -"],
    ["a module of its library", "echo '[1]' | python3 -m json.tool | tr -d ' \\n'"]
  ])("started by a shell with %s takes its library's own", (name, command) => {
    const { base, run } = inFolder(`started-${name.replaceAll(" ", "-")}`, `#!/bin/sh\n${command}\n`)
    put(base, "json.py", planted)
    put(base, "argparse.py", planted)
    expect(run()).toBe("[1]")
  })

  it("imports the project's own code where that is what it is for, and is compared all the same", () => {
    const base = join(place, "project-code")
    const files = [put(base, "manage.py", "import project\nprint(project.word)\n")]
    const line = (projectCode: boolean) =>
      consentedCommand({
        base,
        files,
        owned: false,
        parts: ["python3 ", { file: "manage.py", bare: true }],
        projectCode
      })
    put(base, "project.py", 'word = "of the project"\n')
    expect(ran(line(true), base)).toBe("of the project")
    expect(ran(line(false), base)).toContain("ModuleNotFoundError")
    put(base, "manage.py", planted)
    const copied = line(true)
    expect(copied.command).not.toContain(base)
    copied.end()
  })

  it("takes the copy of what changed in a place that Python is told, and of nothing else there", () => {
    const { base, run } = inFolder("installed", "import mine\nprint(mine.word)\n", {
      "src/mine.py": 'word = "consented"\n'
    })
    vi.stubEnv("PYTHONPATH", join(base, "src"))
    expect(run()).toBe("consented")
    put(base, "src/mine.py", planted)
    expect(run()).toBe("consented")
  })

  it("is not told where modules are by the repository's settings of the agent", () => {
    const { base, run } = inFolder("told", "import json\nprint(json.dumps([1]))\n")
    put(base, "lib/json.py", planted)
    vi.stubEnv("PYTHONPATH", join(base, "lib"))
    expect(run()).toBe("[1]")
  })

  it("finds what was consented to through links, of a file or of the folder for what is thrown away", () => {
    const base = join(place, "linked")
    mkdirSync(join(base, ".git"), { recursive: true })
    put(base, "common/names.py", 'word = "linked"\n')
    const files = [
      put(base, "tools/hook.py", "import names\nprint(names.word)\n"),
      { ...put(base, "common/names.py", 'word = "linked"\n'), file: "tools/names.py" }
    ]
    symlinkSync("../common/names.py", join(base, "tools/names.py"))
    const temporary = join(place, "linked-temporary")
    symlinkSync(mkdtempSync(join(place, "temporary-")), temporary)
    vi.stubEnv("TMPDIR", temporary)
    const made = () =>
      consentedCommand({
        base,
        files,
        owned: false,
        parts: ["python3 ", { file: "tools/hook.py", bare: true }]
      })
    const inPlace = made()
    expect([inPlace.command.includes(base), ran(inPlace, base)]).toEqual([true, "linked"])
    put(base, "tools/more.py", "")
    const copied = made()
    expect([copied.command.includes(base), ran(copied, base)]).toEqual([false, "linked"])
    for (const { end } of [inPlace, copied]) end()
  })

  it("runs where it lies although its own arguments look like those of Python", () => {
    const base = join(place, "arguments")
    const files = [put(base, "tools/hook.py", "")]
    const line = consentedCommand({
      base,
      files,
      owned: false,
      parts: ["python3 -W ignore ", { file: "tools/hook.py", bare: true }, " -E -S"]
    })
    expect(line.command).toContain(base)
    line.end()
  })

  it.each(["python3 -E ", "python3 -u -S ", "python3 -W ignore -X utf8 -sE "])(
    "runs from a copy where %swould not hear of this",
    (start) => {
      const base = join(place, start.replaceAll(" ", ""))
      const files = [put(base, "hook.py", "import json\nprint(json.dumps([1]))\n")]
      put(base, "json.py", planted)
      const line = consentedCommand({
        base,
        files,
        owned: false,
        parts: [start, { file: "hook.py", bare: true }]
      })
      expect(ran(line, base)).toBe("[1]")
      line.end()
    }
  )

  it("lets other programs, and what they start, import what they like", () => {
    const runner = join(place, "runner")
    writeFileSync(
      runner,
      'import subprocess, sys\nsys.path.insert(0, "")\nimport tested\nprint(tested.word)\nsys.stdout.flush()\nsubprocess.run([sys.executable, "-c", "import tested; print(tested.word)"], check=True)\n'
    )
    const { base, run } = inFolder("tests", `#!/bin/sh\npython3 '${runner}'\n`)
    put(base, "tested.py", 'word = "tested"\n')
    expect(run()).toBe("tested\ntested")
  })

  it("keeps what else stands in for the module that tells it so", () => {
    const { run } = inFolder("handed", "import builtins\nprint(builtins.handed)\n")
    const elsewhere = join(place, "site")
    mkdirSync(elsewhere)
    writeFileSync(join(elsewhere, "sitecustomize.py"), 'import builtins\nbuiltins.handed = "handed on"\n')
    vi.stubEnv("PYTHONPATH", elsewhere)
    expect(run()).toBe("handed on")
  })
})
