/** `2026-01-31 18:43`, in UTC; a hyphen where there is no time, or none that a date has. */
export const minuteOf = (date: Date | null): string =>
  date === null || Number.isNaN(date.getTime()) ? "-" : date.toISOString().slice(0, 16).replace("T", " ")
