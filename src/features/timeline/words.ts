/** Numbers and times as a person reads them. */
/** Three figures are as fine as anybody compares. */
export const milliseconds = (ms: number | null): string => {
  if (ms === null) return "–"
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`
  return ms >= 100 ? `${Math.round(ms)} ms` : `${ms >= 10 ? ms.toFixed(1) : ms.toFixed(2)} ms`
}

/** As short as it tells one wait from another; nothing where it is not known. */
export const roughly = (ms: number | null): string => {
  if (ms === null) return ""
  if (ms >= 10_000) return `${Math.round(ms / 1000)} s`
  return ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`
}

/** In groups of three. Not by `Intl`, whose tables are five megabytes to whoever formats a single number. */
export const grouped = (value: number, by = " "): string =>
  String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/g, by)

/** How long it is since, or until, as fine as anybody cares. */
export const span = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`
}

export const count = (many: number, one: string, more = `${one}s`): string =>
  `${many} ${many === 1 ? one : more}`

export const bytes = (many: number): string => {
  if (many < 1024) return count(many, "byte")
  return many < 1024 * 1024 ? `${(many / 1024).toFixed(1)} KiB` : `${(many / 1024 / 1024).toFixed(1)} MiB`
}

const two = (value: number): string => String(value).padStart(2, "0")

/** Local time, to the millisecond. */
export const clock = (at: number): string => {
  const date = new Date(at)
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":")
  return `${time}.${String(date.getMilliseconds()).padStart(3, "0")}`
}

export const day = (at: number): string => {
  const date = new Date(at)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** What a value looks like on one line. */
export const inline = (value: unknown): string =>
  typeof value === "string" ? JSON.stringify(value) : (JSON.stringify(value) ?? "nothing")

/** What is shown of an id: its beginning is the time, which close ones share; its end tells them apart. */
export const shortId = (invocation: string): string => invocation.slice(-8)

/** Sessions likewise; of some agents all that began in the same weeks begin alike. */
export const shortSession = (session: string): string => session.slice(-4)
