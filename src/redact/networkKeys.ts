/** What a wireless network is joined with, also of several words: "the wifi is called … and the key is lobster roll 55". */
import type { Hit } from "./secretTokens.ts"
import { matchesNear, signOf } from "./signs.ts"

const network = /wi-?fi|wlan|ssid|hotspot/i
const whose = String.raw`(?:\s(?:(?:du|del|des|da|do|for|of|vom|voor|für)\s(?:the\s|das\s)?)?(?:wi-?fi|wlan|guests?|gäste))?`
const joint = String.raw`(?:\s?:|\sis(?: now)?|\s=|\sist|\sest|\ses|\sè|\sé)\s`
/** Words with a number behind them, or what stands in quotes. */
const words = String.raw`(?:${joint}((?:\p{L}{2,14}[ -]){1,4}\d{1,4})(?=[,.;)]|\s?(?:$|\n|\\n|\\*"))|(?:${joint}|\s)(?:\\*["'\x60“„«])([^\s"'\x60”“»\\]{8,63}|(?:\p{L}{2,14}[ -]){1,4}\d{1,4})(?=\\*["'\x60”“»]))`
const told = new RegExp(
  String.raw`(?<![\p{L}_-])(?:key|pass(?:word|phrase|code|wort)?|passe|pw|kennwort|schlüssel|contraseña|senha|wachtwoord|clé|clave)${whose}${words}`,
  "giu"
)
const reach = 120

const isOfNetwork = (text: string, at: number): boolean => {
  const before = text.slice(Math.max(0, at - reach), at)
  return network.test(before.slice(before.lastIndexOf("\n") + 1))
}

/** A name of something else: a placeholder, a path, a variable. */
const isOther = (value: string): boolean =>
  /^[$<{‹[*%@/.-]|^[a-z]+:\/\/|\/|^[A-Z_]+$|^[a-z_]+$|x{4}|\.{3}|your|example|password/i.test(value) &&
  !/\d/.test(value)

const take = (at: number, match: RegExpExecArray, text: string, hit: Hit): boolean => {
  const value = (match[1] ?? match[2]) as string
  const start = at + match[0].length - value.length
  return !isOfNetwork(text, start) || isOther(value) || hit(start, start + value.length, "password")
}

const none = (): boolean => false

/** Whether a key is told near the word for such a network at `at`, for a first look. */
export const tellsNetworkKey = (text: string, at: number): boolean => {
  const from = Math.max(0, at - 24)
  for (const match of text.slice(from, at + reach).matchAll(told))
    if (!take(from + match.index, match, text, none)) return true
  return false
}

const sign = signOf("wifi", "wi-fi", "wlan", "ssid", "hotspot")

export const findNetworkKeys = (text: string, hit: Hit): void => {
  for (const { at, match } of matchesNear(text, sign, told, reach, reach)) take(at, match, text, hit)
}
