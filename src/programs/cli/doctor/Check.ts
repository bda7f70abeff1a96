/** One thing that `doctor` looked at. */

export interface Check {
  readonly name: string
  readonly status: "ok" | "warn" | "fail"
  readonly message: string
  /** What to do about it. */
  readonly fix?: string
}

export const ok = (name: string, message: string): Check => ({ name, status: "ok", message })
export const warn = (name: string, message: string, fix?: string): Check =>
  fix === undefined ? { name, status: "warn", message } : { name, status: "warn", message, fix }
export const fail = (name: string, message: string, fix: string): Check => ({
  name,
  status: "fail",
  message,
  fix
})
