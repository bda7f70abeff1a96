/** JSON for a page: long texts in it are cut, and it says so. */

const longest = 20_000

export const shortened = (value: unknown): unknown => {
  if (typeof value === "string")
    return value.length <= longest
      ? value
      : `${value.slice(0, longest)}… ${value.length - longest} characters more`
  if (Array.isArray(value)) return value.map(shortened)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortened(one)]))
}
