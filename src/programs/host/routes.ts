/**
 * What a client may decide by itself in a directory: written for it once a call was asked here that the build has a route for. A
 * route holds as long as every file and folder that it was made from is as it was; else the client asks again.
 */
import { readdirSync, rmSync, type Stats, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { findBuild } from "../../runtime/builds/refresh.ts"
import { type RouteTable, readRoutes, routeOf } from "../../runtime/builds/routeTable.ts"
import { probeFile } from "../../runtime/probe.ts"
import { fileKey } from "../../state/fileKey.ts"
import { writeWhole } from "../../state/files.ts"
import { folderOf, type Manifest, projectManifest, userManifest } from "../../state/manifest.ts"
import { allSessions, missingFrom, type SessionGuards, sessionsFolder } from "../../trust/sessionGuards.ts"
import { trustFile } from "../../trust/store.ts"
import type { LackingGuards } from "./lackingGuards.ts"

export const routesFolder = (state: string): string => join(state, "run", "routes")

/** By the bytes of its path: the client knows no characters. */
export const routesAt = (state: string, directory: string): string =>
  join(routesFolder(state), fileKey(Buffer.from(directory).toString("latin1")))

/** What a client understands. */
const format = "HKR1"

/**
 * What changed within a tick of its file system's clock may change again without another time. One that counts nanoseconds ticks with
 * the system's; one that only counts seconds, or milliseconds, may do so every two seconds.
 */
const tickNs = (at: bigint): bigint => (at % 1_000_000n === 0n ? 2_000_000_000n : 100_000_000n)

/** A route is looked at again after so long, where its client asks all the same. */
const againMs = 500

/** Directories in which an agent may be at the same time; more of them were left behind. */
const maxFiles = 500

type Look =
  | { readonly is: "missing" }
  | {
      readonly is: "there"
      readonly ino: bigint
      readonly line: string
      readonly changesNs: readonly bigint[]
    }

const look = (path: string): Look => {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (stat === undefined) return { is: "missing" }
  const { ctimeNs, ino, mtimeNs, size } = stat
  return {
    is: "there",
    ino,
    line: `${ino} ${size} ${mtimeNs} ${ctimeNs}`,
    changesNs: [mtimeNs, ctimeNs]
  }
}

const ancestors = (directory: string): readonly string[] =>
  dirname(directory) === directory ? [directory] : [directory, ...ancestors(dirname(directory))]

/** Folders of which only that they are there, and the same, decides whose hooks apply. */
const places = (directory: string): readonly string[] => {
  const levels = ancestors(directory)
  const inGit = levels.findIndex((level) => look(join(level, ".git")).is === "there")
  const git = inGit < 0 ? levels : levels.slice(0, inGit + 1)
  return [
    ...git.map((level) => join(level, ".git")),
    ...levels.flatMap((level) => {
      const folder = folderOf(level)
      return look(folder).is === "there"
        ? [folder, join(folder, "hooks"), join(folder, "config.json")]
        : [folder]
    })
  ]
}

const sources = (state: string, project: string, { sources }: Manifest): readonly string[] => [
  ...new Set([
    userManifest(state),
    projectManifest(state, project),
    trustFile(state),
    sessionsFolder(state),
    probeFile(state),
    ...sources.map(({ file }) => file)
  ])
]

const isPlain = (text: string): boolean => !/[\n\t\0]/.test(text)

/** Sessions that have every guard of the build: one that is not entered yet is entered by the host. */
const entered = (state: string, { guards = [] }: Manifest): readonly string[] | undefined =>
  guards.length === 0
    ? undefined
    : allSessions(state)
        .filter((one: SessionGuards) => missingFrom(guards, one).length === 0 && one.ended === undefined)
        .map(({ session }) => session)
        .filter((session) => /^[\w-]{1,128}$/.test(session))

export interface RoutesOptions {
  readonly state: string
  /** Of the client that belongs to this host. */
  readonly build: string
  readonly lackingGuards: LackingGuards
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** A call that was asked. */
export interface AskedCall {
  readonly agent: string
  readonly agentEvent: string
  /** Where its client runs. */
  readonly directory: string
  readonly project: string
  readonly manifest: Manifest
}

export interface Routes {
  /** After a call: whoever calls like it again need not ask. */
  readonly asked: (call: AskedCall) => void
}

const lines = (
  { lackingGuards, state }: RoutesOptions,
  { manifest }: Pick<AskedCall, "manifest">,
  table: RouteTable
): readonly string[] => {
  const sessions = entered(state, manifest)
  const isLacking = lackingGuards(manifest)
  return [
    ...(sessions === undefined ? [] : ["guarded", ...sessions.map((session) => `session ${session}`)]),
    ...Object.entries(table).flatMap(([agent, routes]) =>
      Object.entries(routes)
        .filter(([native]) => !isLacking(agent, native))
        .flatMap(([native, { reply, shells = [], tools }]) => [
          ...(tools.length === 0
            ? []
            : [[`>${agent} ${native}`, reply, ...(tools === "all" ? ["*"] : tools)]]),
          ...(shells.length === 0 ? [] : [[`$${agent} ${native}`, reply, ...shells]])
        ])
        .map((words) => words.join("\t"))
    )
  ]
}

/** The text of a route, or nothing where something changed too lately to be told apart from what comes next. */
const made = (options: RoutesOptions, call: AskedCall, table: RouteTable): string | undefined => {
  const { build, now = Date.now, state } = options
  const { directory, project } = call
  const seen = sources(state, project, call.manifest).map((path) => ({ path, look: look(path) }))
  const where = places(directory).map((path) => ({ path, look: look(path) }))
  // Found after they were looked at: whatever changes from here on is not as it was seen. A build that only stands in for the one
  // that belongs here, which is still being made, has nothing to say of its hooks.
  const manifest = findBuild(state, project)?.fresh?.manifest
  if (manifest?.build !== call.manifest.build) return undefined
  const nowNs = BigInt(Math.floor(now())) * 1_000_000n
  const isSettled = ({ look }: (typeof seen)[number]): boolean =>
    look.is === "missing" || look.changesNs.every((at) => at + tickNs(at) <= nowNs)
  if (!seen.every(isSettled) || ![directory, ...[...seen, ...where].map(({ path }) => path)].every(isPlain))
    return undefined
  return [
    `${format} ${build}`,
    directory,
    ...where.map(({ path, look }) => (look.is === "missing" ? `-${path}` : `+${look.ino} ${path}`)),
    ...seen.map(({ path, look }) => (look.is === "missing" ? `-${path}` : `=${look.line} ${path}`)),
    ...lines(options, { manifest }, table),
    ""
  ].join("\n")
}

const stat = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false })

const makeRoom = (folder: string): void => {
  if (stat(folder) !== undefined && readdirSync(folder).length >= maxFiles)
    rmSync(folder, { recursive: true, force: true })
}

export const makeRoutes = (options: RoutesOptions): Routes => {
  const { now = Date.now, state } = options
  const tables = new WeakMap<Manifest, { readonly table: RouteTable | undefined }>()
  const laid = new Map<string, { readonly at: number; readonly text: string }>()
  const tableOf = (manifest: Manifest): RouteTable | undefined => {
    const known = tables.get(manifest) ?? { table: readRoutes(manifest.dir) }
    tables.set(manifest, known)
    return known.table
  }
  return {
    asked: (call) => {
      const { agent, agentEvent, directory, manifest } = call
      const table = tableOf(manifest)
      if (table === undefined || routeOf(table, agent, agentEvent) === undefined) return
      const before = laid.get(directory)
      if (before !== undefined && Math.abs(now() - before.at) < againMs) return
      const file = routesAt(state, directory)
      if (laid.size >= maxFiles) laid.clear()
      laid.set(directory, { at: now(), text: "" })
      try {
        const text = made(options, call, table) ?? ""
        const isThere = stat(file) !== undefined
        if (text !== "" && (before?.text !== text || !isThere)) {
          if (!isThere) makeRoom(routesFolder(state))
          writeWhole(file, text)
        }
        laid.set(directory, { at: now(), text })
      } catch {
        // A directory that cannot be looked at, a full disk: every call is asked, as before there were routes.
      }
    }
  }
}
