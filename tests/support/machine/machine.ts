/**
 * A machine that has Node, npm and a shell, and nothing else: no compiler, no Python, no git, no network. Where the system lets a
 * process have a root and a network of its own, it is that; elsewhere a folder with a path of its own, in which nothing else is found.
 */
import { spawnSync } from "node:child_process"
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"

/** npm starts the commands of packages by `env`; all else is the shell's own. */
const programs = ["sh", "env"]

/** Run before anything else: files of devices that Node asks for, and /proc where that may be had. */
const enter = `root=$1; shift
for device in null zero random urandom; do : >"$root/dev/$device"; mount --bind "/dev/$device" "$root/dev/$device" || exit 125; done
mount -t proc proc "$root/proc" 2>/dev/null
exec chroot "$root" /bin/sh -c 'cd "$HOME/$1"; shift; exec "$@"' sh "$@"`

const apart = [
  "unshare",
  "--user",
  "--map-root-user",
  "--mount",
  "--pid",
  "--fork",
  "--net",
  "sh",
  "-c",
  enter,
  "sh"
]

const found = (program: string): string => {
  const { stdout } = spawnSync("sh", ["-c", `command -v ${program}`], { encoding: "utf8" })
  return realpathSync(stdout.trim())
}

/** What a program is linked with, the loader among it. */
const librariesOf = (program: string): readonly string[] =>
  spawnSync("ldd", [program], { encoding: "utf8" }).stdout?.match(/\/\S+(?= \()/g) ?? []

const copy = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(realpathSync(from), to, { recursive: true })
}

const put = (file: string, text: string, mode: number): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  chmodSync(file, mode)
}

const npmFolder = (): string => dirname(dirname(found("npm")))

const npmScript = (place: string, name: string): string =>
  `#!/bin/sh\nexec ${place}/usr/bin/node ${place}/usr/lib/npm/bin/${name}-cli.js "$@"\n`

export interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  /** Milliseconds, with what it takes to enter the machine. */
  readonly took: number
}

/** `node`: which one it has. */
export const makeMachine = (node = process.execPath) => {
  const root = realpathSync(mkdtempSync(join(homedir(), "machine-")))
  for (const folder of ["dev", "proc", "tmp", "home/ada"]) mkdirSync(join(root, folder), { recursive: true })
  copy(node, join(root, "usr", "bin", "node"))
  copy(npmFolder(), join(root, "usr", "lib", "npm"))
  for (const name of programs) copy(found(name), join(root, "bin", name))
  copy(join(root, "bin", "env"), join(root, "usr", "bin", "env"))
  for (const file of new Set([node, ...programs.map(found)].flatMap(librariesOf)))
    copy(file, join(root, file))
  put(join(root, "etc", "passwd"), "root:x:0:0:root:/home/ada:/bin/sh\n", 0o644)

  /** Whether it has a root of its own. */
  const isApart =
    spawnSync(apart[0] ?? "", [...apart.slice(1), root, ".", "node", "--version"], {
      env: { PATH: `${process.env["PATH"]}:/usr/sbin:/sbin`, HOME: "/home/ada" }
    }).status === 0
  const place = isApart ? "" : root
  for (const name of ["npm", "npx"]) put(join(root, "usr", "bin", name), npmScript(place, name), 0o755)

  const inside = (path: string): string => `${place}/${path}`
  const env = {
    PATH: `${inside("usr/bin")}:${inside("bin")}`,
    HOME: inside("home/ada"),
    TMPDIR: inside("tmp")
  }
  return {
    /** For whoever reads what a run printed. */
    kind: isApart ? "a root and a network of its own" : "a folder with its own PATH",
    isApart,
    root,
    inside,
    outside: (path: string): string => (isApart ? join(root, path) : path),
    read: (path: string): string => readFileSync(join(root, path), "utf8"),
    put: (path: string, text: string): void => put(join(root, path), text, 0o644),
    copy: (from: string, path: string): void => copy(from, join(root, path)),
    /** In a folder of its user's home. What it leaves running ends with it, where it has a root of its own. */
    run: (
      folder: string,
      [program = "", ...args]: readonly string[],
      options: { readonly input?: string; readonly env?: Readonly<Record<string, string>> } = {}
    ): Ran => {
      const began = performance.now()
      const [first = "", ...rest] = isApart
        ? [...apart, root, folder, program, ...args]
        : ["/bin/sh", "-c", 'cd "$HOME/$1"; shift; exec "$@"', "sh", folder, program, ...args]
      const { status, stderr, stdout } = spawnSync(first, rest, {
        // mount and chroot are looked for on it before the root is another one.
        env: { ...env, ...(isApart ? { PATH: `${env.PATH}:/usr/sbin:/sbin` } : {}), ...options.env },
        input: options.input ?? "",
        encoding: "utf8"
      })
      return { status, stdout, stderr, took: Math.round(performance.now() - began) }
    }
  }
}

export type Machine = ReturnType<typeof makeMachine>
