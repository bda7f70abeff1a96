/**
 * Plays a transcript: a text with files and commands in it. What comes back is the same text with what the commands really
 * said, so that a transcript is right exactly when it is its own result.
 *
 *     === file guard.ts      a file, up to the line `===`
 *     $ hooktape show last   a command for the shell, in the project's directory
 *     | …                    what it wrote to standard output
 *     ! …                    what it wrote to standard error
 *     = 1                    its exit code, where it is not 0
 */
import { spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { cli, ofPersons, person } from "./cli.ts"

interface Place {
  readonly root: string
  readonly project: string
  readonly env: NodeJS.ProcessEnv
}

const makePlace = (): Place => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "hooktape-cli-")))
  const [bin, home, project] = ["bin", "home", "project"].map((name) => join(root, name)) as [
    string,
    string,
    string
  ]
  for (const directory of [bin, home, join(project, ".git")]) mkdirSync(directory, { recursive: true })
  const shim = join(bin, "hooktape")
  const choice = `case "$1" in ${ofPersons.join("|")}) cli='${person}' ;; *) cli='${cli}' ;; esac`
  writeFileSync(shim, `#!/bin/sh\n${choice}\nexec '${process.execPath}' "$cli" "$@"\n`)
  chmodSync(shim, 0o755)
  return {
    root,
    project,
    env: {
      PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: home,
      HOOKTAPE_HOME: join(root, "state"),
      HOOKTAPE_HOST: "off",
      HOOKTAPE_DEFAULTS: "off",
      XDG_CONFIG_HOME: join(home, ".config"),
      TMPDIR: root,
      TZ: "UTC",
      LC_ALL: "C.UTF-8"
    }
  }
}

const volatile: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "<id>"],
  [/\b\d{8}T\d{6}\.\d{3}Z-[0-9a-f]{12}/g, "<backup>"],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\.\d{3}Z?/g, "<time>"],
  [/\b\d+(?:\.\d+)? m?s\b/g, "<ms>"],
  // A column is as wide as its longest age.
  [/(?<=\b(?:KIND|QUALITY)) +(?=AGE\b)/g, "  "],
  [/(?<=\S) {3}(?=<ms>)/g, "  "],
  [/"(ms|waitMs)": [\d.]+/g, '"$1": <ms>'],
  [/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}[0-9a-f]{8}(?= {2})/gm, "<time>  <short>"],
  [/(<time>) [0-9a-f]{8} /g, "$1 <short> "],
  [/(show|[✖✔]|stored as|· note|chain) [0-9a-f]{8}\b/g, "$1 <short>"],
  [/^[0-9a-f]{8}(?= {2})/gm, "<short>"],
  [/^[0-9a-f]{8}(?= (?:open|attempted|resolved|abandoned) )/gm, "<short>"],
  [/^(\s+)[0-9a-f]{12}(?= )/gm, "$1<hash>"],
  [/\d+(?:\.\d+)? (?:KiB|MiB)/g, "<size>"],
  [/in \d+ min\b/g, "in <min>"],
  [/v\d+\.\d+\.\d+ at [^\s"]+/g, "<node>"]
]

const settled = (text: string, { root }: Place): string => {
  let plain = text.replaceAll(root, "$ROOT")
  for (const [pattern, word] of volatile) plain = plain.replace(pattern, word)
  return plain
}

const marked = (mark: string, text: string): readonly string[] =>
  text === ""
    ? []
    : text
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => `${mark} ${line}`.trimEnd())

const runCommand = (command: string, place: Place): readonly string[] => {
  const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", command], {
    cwd: place.project,
    env: place.env,
    encoding: "utf8",
    timeout: 60_000
  })
  return [
    ...marked("|", settled(stdout, place)),
    ...marked("!", settled(stderr, place)),
    ...(status === 0 ? [] : [`= ${status}`])
  ]
}

export const play = (transcript: string): string => {
  const place = makePlace()
  const played: string[] = []
  let file: { readonly name: string; readonly lines: string[] } | undefined
  try {
    for (const line of transcript.split("\n")) {
      const begins = /^=== file (\S+)$/.exec(line)
      if (file) {
        played.push(line)
        if (line === "===") {
          const path = join(place.project, file.name)
          mkdirSync(dirname(path), { recursive: true })
          writeFileSync(path, `${file.lines.join("\n")}\n`)
          file = undefined
        } else file.lines.push(line)
      } else if (begins) {
        file = { name: begins[1] ?? "", lines: [] }
        played.push(line)
      } else if (line.startsWith("$ ")) played.push(line, ...runCommand(line.slice(2), place))
      else if (!/^([|!] ?|= \d)/.test(line)) played.push(line)
    }
  } finally {
    rmSync(place.root, { recursive: true, force: true })
  }
  return played.join("\n")
}
