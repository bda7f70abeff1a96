/** A PostgreSQL of a test's own: Debian's, in a folder that is thrown away, reached by a socket in it and by nothing else. */
import { execFileSync } from "node:child_process"
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"

const installed = "/usr/lib/postgresql"

/** The newest that is there. */
const programs = (): string => {
  const [newest] = (existsSync(installed) ? readdirSync(installed) : [])
    .map(Number)
    .filter((version) => version >= 15)
    .toSorted((a, b) => b - a)
  if (newest === undefined) throw new Error(`no PostgreSQL 15 or newer in ${installed}: install "postgresql"`)
  return join(installed, String(newest), "bin")
}

export interface Postgres {
  /** Of a login role, `postgres` where none is named: nobody but who may enter the folder can use it. */
  readonly url: (role?: string) => string
  readonly psql: (sql: string, role?: string) => string
  readonly stop: (mode?: "fast" | "immediate") => void
  readonly start: () => void
  /** Stops it and takes its folder away. */
  readonly remove: () => void
}

/** It refuses to run as root. */
const account = "postgres"
const isRoot = userInfo().uid === 0

const idOf = (flag: string): number => Number(execFileSync("id", [flag, account], { encoding: "utf8" }))

const database = "hooktape"

/** `isDurable`: as it is for users. A test's need not: what a killed process had committed, the system still has. */
export const startPostgres = ({ isDurable = false }: { readonly isDurable?: boolean } = {}): Postgres => {
  const bin = programs()
  // A socket's path is short, and a test's own temporary folder may lie deep.
  const folder = mkdtempSync(join(tmpdir(), "pg-"))
  const run = (program: string, ...args: readonly string[]): string => {
    const path = join(bin, program)
    const [command, all] = isRoot ? ["runuser", ["-u", account, "--", path, ...args]] : [path, args]
    return execFileSync(command, all, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
  }
  if (isRoot) chownSync(folder, idOf("-u"), idOf("-g"))
  chmodSync(folder, 0o755)
  const data = join(folder, "data")
  const settings = `-c listen_addresses= -c unix_socket_directories=${folder} -c fsync=${isDurable ? "on" : "off"} -c max_connections=60`
  const start = (): void =>
    void run("pg_ctl", "start", "-D", data, "-w", "-s", "-l", join(folder, "log"), "-o", settings)
  const stop = (mode: "fast" | "immediate" = "fast"): void =>
    void run("pg_ctl", "stop", "-D", data, "-m", mode, "-w", "-s")
  const url = (role: string = account): string =>
    `postgresql:///${database}?host=${encodeURIComponent(folder)}&user=${role}`
  const psql = (sql: string, role: string = account, to = database): string =>
    run(
      "psql",
      "-X",
      "-q",
      "-A",
      "-t",
      "-v",
      "ON_ERROR_STOP=1",
      "-h",
      folder,
      "-U",
      role,
      "-d",
      to,
      "-c",
      sql
    )
  const remove = (): void => {
    if (existsSync(join(data, "postmaster.pid"))) stop("immediate")
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    run("initdb", "-D", data, "-U", account, "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8")
    start()
    psql(`CREATE DATABASE ${database}`, account, "postgres")
  } catch (cause) {
    const log = join(folder, "log")
    const said = existsSync(log) ? readFileSync(log, "utf8") : ""
    remove()
    throw new Error(`PostgreSQL did not start\n${said}`, { cause })
  }
  return { url, psql: (sql, role) => psql(sql, role).trim(), stop, start, remove }
}
