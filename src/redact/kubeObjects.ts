/** What a Kubernetes secret holds where it is written as JSON, also within JSON: `"stringData":{"RELAY":"…"}`. */
import { looksRandom, looksSecret, secretName } from "./secretNames.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"
import { matchesNear, signOf } from "./signs.ts"

const held =
  /stringData\\*"\s?:\s?\{((?:\s|\\[nrt]|\\*"[\w.-]{1,80}\\*"\s?:\s?\\*"[^"\\\n]{0,2048}\\*",?){1,60})/g
const pair = /"([\w.-]{1,80})\\*"\s?:\s?\\*"([^"\\\n]{6,2048})/g
const sign = signOf("stringdata")

/** What nobody typed, and what its own name tells. */
export const findKubeObjects = (text: string, hit: Hit): void => {
  for (const { at, match } of matchesNear(text, sign, held, 10, 4096)) {
    const members = match[1] as string
    const from = at + match[0].length - members.length
    for (const { 0: whole, 1: name = "", 2: value = "", index } of members.matchAll(pair)) {
      const kind = secretName(name)
      if (!looksRandom(value) && (kind === undefined || !looksSecret(kind, name, value, "quoted", undefined)))
        continue
      const start = from + index + whole.length - value.length
      hit(start, start + value.length, tokenKind(value) ?? "secret")
    }
  }
}
