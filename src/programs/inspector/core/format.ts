/** How times, spans and numbers are written. Pure. */
import { about } from "../../../agents/about.ts"

const two = (value: number): string => String(value).padStart(2, "0")

export const clock = (at: number): string => {
  const date = new Date(at)
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

export const exactClock = (at: number): string =>
  `${clock(at)}.${String(Math.floor(at) % 1000).padStart(3, "0")}`

// Written by hand: the browser's own words for days and numbers take a tenth of a second to load, before anything is drawn.
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sept", "Oct", "Nov", "Dec"]
const dayAndMonth = (date: Date): string => `${date.getDate()} ${months[date.getMonth()]}`

export const day = (at: number): string => {
  const date = new Date(at)
  return `${dayAndMonth(date)} ${date.getFullYear()}`
}

/** A day where it is not today's. */
export const dayed = (at: number, now = Date.now()): string =>
  day(at) === day(now) ? clock(at) : `${dayAndMonth(new Date(at))} ${clock(at)}`

/** `0.4 ms`, `14 ms`, `1.53 s`, `2 m 3 s`, `3 h 12 m`, `4 d`. */
export const span = (ms: number): string => {
  if (ms < 0.95) return `${ms.toFixed(ms === 0 ? 0 : 1)} ms`
  if (ms < 9.95) return `${ms.toFixed(1)} ms`
  if (ms < 999.5) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 9.995) return `${seconds.toFixed(2)} s`
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 3_600) return `${Math.floor(whole / 60)} m ${whole % 60} s`
  if (whole < 86_400) return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} m`
  return `${Math.floor(whole / 86_400)} d`
}

/** Whole numbers, in groups of three. */
export const count = (many: number): string => String(Math.round(many)).replace(/\B(?=(\d{3})+$)/g, " ")

export const counted = (many: number, one: string, more = `${one}s`): string =>
  `${count(many)} ${many === 1 ? one : more}`

/** `54 %`, `2.0 %`, `< 0.1 %`: never broken before its sign. */
export const share = (part: number): string => {
  const percent = part * 100
  if (percent === 0) return "0\u00a0%"
  if (percent < 0.1) return "<\u00a00.1\u00a0%"
  return `${percent < 9.95 ? percent.toFixed(1) : Math.round(percent)}\u00a0%`
}

/** Ids are told by their end, as in a terminal: how they begin is the time, which those of some weeks share. */
export const shortId = (id: string): string => id.slice(-8)
export const shortSession = (session: string): string => session.slice(-4)

export const projectName = (project: string | null): string =>
  project === null ? "no project" : (project.split("/").findLast((part) => part !== "") ?? project)

/** What a call was about, in one line; files of its project without the way to that, as in a terminal. */
export const aimOf = (subject: string | null, project: string | null): string => {
  const line = oneLine(subject ?? "")
  return project !== null && line.startsWith(`${project}/`) ? line.slice(project.length + 1) : line
}

export const agentName = (agent: string | null): string =>
  agent === null
    ? "unknown agent"
    : Object.hasOwn(about, agent)
      ? about[agent as keyof typeof about].title
      : agent
export const agentLetter = (agent: string | null): string =>
  agent === "codex" ? "X" : agentName(agent).slice(0, 1).toUpperCase()

/** Above this a wait is felt. */
export const slowMs = 250

export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()
