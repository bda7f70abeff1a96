/** `2026-01-31 18:43`, in UTC; a hyphen where there is no time. */
export const minuteOf = (date: Date | null): string =>
  date?.toISOString().slice(0, 16).replace("T", " ") ?? "-"
