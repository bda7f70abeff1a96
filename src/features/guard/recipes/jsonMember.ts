/** One member of a manifest, such as the scripts of a `package.json`. */
import { looseJson } from "./looseJson.ts"

export type Members = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** What stands under the name, empty where that is no object; undefined where the text is no JSON. */
export const jsonMember = (text: string, name: string): Members | undefined => {
  const whole = looseJson(text)
  if (whole === undefined) return undefined
  const found = isObject(whole) ? whole[name] : undefined
  return isObject(found) ? found : {}
}
