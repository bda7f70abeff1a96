/** What a command writes into a file that holds one secret and nothing else: `echo … > master.key`, a here-document, `printf … | tee token`. */
import { holdsBareSecret } from "./bareSecretFiles.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"

const target = String.raw`(?:\|[ \t]{0,4}(?:sudo[ \t]{1,4})?tee[ \t]{1,4}(?:-a[ \t]{1,4})?|>{1,2}[ \t]{0,4})\\*["']?([^\s"'|;&<>\\]{3,200})`
const said = new RegExp(
  String.raw`\b(?:echo|printf|Write-Output)[ \t]{1,4}(?:-[neE]{1,3}[ \t]{1,4})?(?:\\*["']?%s(?:\\*n)?\\*["']?[ \t]{1,4})?(?:\\*"([^"\n\\]{4,1024})\\*"|\\*'([^'\n\\]{4,1024})\\*'|([^\s"'|\\‹$<>;&]{4,1024}))[ \t]{0,4}${target}`,
  "g"
)
/** `cat > file <<'EOF'`, `tee file <<EOF`, `cat <<EOF > file`. */
const document =
  /<<[-~]?[ \t]{0,2}\\?["']?([A-Za-z_]\w{0,20})["']?([^\n]{0,120})\n((?:[^\n]{0,1024}\n){1,20}?)[ \t]{0,16}\1(?![\w])/g
const file = /(?:>{1,2}[ \t]{0,4}|\btee[ \t]{1,4}(?:-a[ \t]{1,4})?)["']?([^\s"'|;&<>]{3,200})/
const given = /<<<[ \t]{0,4}(?:"([^"\n]{4,1024})"|'([^'\n]{4,1024})'|([^\s"'|;&<>$]{4,1024}))/g

const isNone = (value: string): boolean =>
  /^(?:[$<{‹[*%#\x60]|-----|\.{3}|x{3,}|your[-_ ])/i.test(value.trim())

const take = (start: number, value: string, hit: Hit): void => {
  if (!isNone(value)) hit(start, start + value.length, tokenKind(value) ?? "secret")
}

/** The line up to `at`, as far as it may be a command. */
const lineBefore = (text: string, at: number): string => {
  const before = text.slice(Math.max(0, at - 300), at)
  return before.slice(before.lastIndexOf("\n") + 1)
}

export const findWritten = (text: string, hit: Hit): void => {
  if (text.includes("echo ") || text.includes("printf ") || text.includes("Write-Output "))
    for (const found of text.matchAll(said)) {
      const value = found[1] ?? found[2] ?? found[3] ?? ""
      if (holdsBareSecret(found[4] as string)) take(found.index + found[0].indexOf(value, 5), value, hit)
    }
  if (!text.includes("<<")) return
  for (const found of text.matchAll(given)) {
    const value = found[1] ?? found[2] ?? found[3] ?? ""
    const path = file.exec(lineBefore(text, found.index))?.[1]
    if (path !== undefined && holdsBareSecret(path)) take(found.index + found[0].indexOf(value), value, hit)
  }
  for (const found of text.matchAll(document)) {
    const [whole, , behind = "", body = ""] = found
    const path = (file.exec(behind) ?? file.exec(lineBefore(text, found.index)))?.[1]
    if (path === undefined || !holdsBareSecret(path)) continue
    let at = found.index + whole.indexOf("\n") + 1
    for (const line of body.split("\n")) {
      const value = line.trim()
      // Several words would be a document's.
      if (value.length >= 4 && (!/\s/.test(value) || body.trim() === value))
        take(at + line.indexOf(value), value, hit)
      at += line.length + 1
    }
  }
}

const isPathChar = (c: number): boolean =>
  (c > 44 && c < 58) || (c > 63 && c < 91) || c === 95 || (c > 96 && c < 123) || c === 126
const isQuoteOrBlank = (c: number): boolean => c === 32 || c === 9 || c === 34 || c === 39 || c === 92

export const written = 1
const read = 2

/** What is done to the file whose name, up to `end`, a stem at `at` is in: it is written, read by `cat`, or nothing is (0), for a first look. */
export const doneToFile = (text: string, at: number, end: number): number => {
  const next = text.charCodeAt(end)
  if (next > 39 && next !== 59 && next !== 92 && next !== 124) return 0
  let start = at
  while (start > 0 && at - start < 120 && isPathChar(text.charCodeAt(start - 1))) start--
  const path = start
  while (start > 0 && isQuoteOrBlank(text.charCodeAt(start - 1))) start--
  const c = text.charCodeAt(start - 1)
  // Not the arrow of a function.
  if (c === 62) return text.charCodeAt(start - 2) !== 61 && text.charCodeAt(start - 2) !== 45 ? written : 0
  if (start === path) return 0
  if (c === 116) return text.startsWith("cat", start - 3) ? read : 0
  return (c === 101 && text.startsWith("tee", start - 3)) ||
    (c === 97 && text.startsWith("tee -a", start - 6))
    ? written
    : 0
}
