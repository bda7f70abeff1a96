/** Whether pairs of a connection string stand around a place. */
export const standsInRow = (text: string, at: number): boolean =>
  /\b(?:uid|user id|server|driver|data source|dsn)\s?=/i.test(text.slice(Math.max(0, at - 200), at + 200))
