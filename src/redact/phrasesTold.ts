/** Recovery phrases whose words are of another list than English: what announces one, and twelve words or more on the line or the lines behind it. */
import type { Hit } from "./secretTokens.ts"
import { placesOf, signOf } from "./signs.ts"

/** What such a phrase is called, from a word's part on that the first look stops at. */
const announcing =
  /(?:p?alabras|p?alavras|parole|mots|w(?:ö|oe?)rter|słowa|slova|woorden|[ld]?zin|(?:ngs)?ord|kelimeler\p{L}*|слова?|frase|phrase|fraza|fráze|lause|фраза)(?=[\s:"'\\,.]|$)/iuy
const about =
  /cartera|billetera|monedero|wallet|carteira|portefeuille|portafoglio|portfel|peněžen|cüzdan|кошел|seed|semilla|semente|germe|mn[eé]m[oó]|recup|récup|recovery|backup|wiederherstell|herstel|odzysk|obnov|återställ|gendan|gjenopprett|kurtarma|восстанов|сид|мнемо|palautus|helyreállít|secret|segret|сек|bip-?39|ledger|metamask|trezor/iu
const named =
  /助记词|助記詞|シードフレーズ|リカバリーフレーズ|復元フレーズ|ニーモニック|니모닉|복구 ?(?:구문|문구)|시드 ?(?:구문|문구)/y

const reach = 240
const word = String.raw`(?:[\p{Ll}\p{M}]{3,10}|[぀-ヿ]{2,8}|[가-힣]{1,5}|[一-鿿])`
const between = String.raw`(?:[ \u3000]{1,2}|,[ ]?|[ \t]?(?:\r?\n|\\n)[ \t]?(?:\d{1,2}[.)][ \t]?)?|[ \t]{0,2}\d{1,2}[.)][ \t]?)`
const row = new RegExp(String.raw`(?<![\p{L}\p{M}])${word}(?:${between}${word}(?![\p{L}\p{M}])){11,30}`, "gu")
/** Words of sentences, which no list has. */
const ofSentences =
  /^(?:que|los|las|por|con|una|para|les|des|pour|dans|est|und|der|die|das|ist|mit|non|per|che|dla|nie|jak|com|não|uma|het|een|van|och|att|ett|som|ikke|det|bir|için|это|как|что|для|and|the|for|with|you|esto|este|pero|como|avec|mais|sono|questa|wenn|aber|auch)$/u

const isPhrase = (words: readonly string[]): boolean =>
  words.length >= 12 &&
  words.length <= 24 &&
  words.length % 3 === 0 &&
  new Set(words).size >= words.length - 2 &&
  !words.some((one) => ofSentences.test(one))

/** The phrase that the word at `at` announces, if one follows; whether to go on. */
export const phraseFrom = (text: string, at: number, hit: Hit): boolean => {
  named.lastIndex = at
  let end = named.test(text) ? named.lastIndex : 0
  if (end === 0) {
    announcing.lastIndex = at
    if (!announcing.test(text)) return true
    end = announcing.lastIndex
    if (!about.test(text.slice(Math.max(0, at - 30), end + 60))) return true
  }
  const part = text.slice(end, end + reach + 400)
  row.lastIndex = 0
  for (let found = row.exec(part); found !== null && found.index < reach; found = row.exec(part)) {
    const words = found[0].match(/[\p{L}\p{M}]+/gu) ?? []
    if (isPhrase(words)) return hit(end + found.index, end + found.index + found[0].length, "mnemonic")
  }
  return true
}

const sign = signOf(
  ..."palabras,palavras,parole,mots de,mots se,mots du,wörter,woerter,słowa,slova,woorden,lzin,dzin,ngsord,kelimeler,слов,frase,phrase,fraza,fráze,фраз,助记词,助記詞,シード,リカバリー,復元フ,ニーモ,니모닉,복구,시드".split(
    ","
  )
)

export const findPhrasesTold = (text: string, hit: Hit): void => {
  for (const at of placesOf(text, sign)) phraseFrom(text, at, hit)
}
