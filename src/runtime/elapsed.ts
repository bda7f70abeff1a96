/** Monotonic milliseconds. The global `performance` would load a module of its own on every hook call. */
export const monotonic = (): number => {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1e3 + nanoseconds / 1e6
}
