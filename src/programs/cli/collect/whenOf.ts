/** To the minute, in UTC. */
export const whenOf = (date: Date | null): string => date?.toISOString().slice(0, 16).replace("T", " ") ?? "-"
