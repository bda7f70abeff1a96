/** JSON as people write it by hand: with comments, either quotes or none, and commas at the end of a list. */

const deepest = 50

const space = /(?:[ \t\r\n\f\v]|\/\/[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|#[^\n]*)*/y
const quotedText = /"((?:\\[\s\S]|[^"\\])*)"|'((?:\\[\s\S]|[^'\\])*)'/y
const key = /[\w$@:.*/-]+?(?=\s*:)/y
const bare = /[^,{}[\]\n]+/y

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" }

const unescaped = (text: string): string =>
  text
    .replaceAll(/\\u([\da-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\\(\r?\n|[\s\S])/g, (_, char: string) =>
      char.endsWith("\n") ? "" : Object.hasOwn(escapes, char) ? (escapes[char] as string) : char
    )

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** All of the text, and nothing behind it. */
  whole(): unknown {
    const found = this.#value()
    this.#take(space)
    return this.#at === this.#text.length ? found : this.#fail()
  }

  /** What is a word without quotes stays a text, whatever it means. */
  #value(depth = 0): unknown {
    if (depth > deepest) throw new SyntaxError("nested too deep")
    this.#take(space)
    const char = this.#text[this.#at]
    if (char === "{") return this.#members(depth)
    if (char === "[") return this.#items(depth)
    return this.#quoted() ?? (this.#take(bare) ?? this.#fail()).trim()
  }

  #members(depth: number): Readonly<Record<string, unknown>> {
    const members: [string, unknown][] = []
    this.#each("}", () => {
      const name = this.#quoted() ?? this.#take(key) ?? this.#fail()
      this.#take(space)
      if (this.#text[this.#at++] !== ":") this.#fail()
      members.push([name, this.#value(depth + 1)])
    })
    return Object.fromEntries(members)
  }

  #items(depth: number): readonly unknown[] {
    const items: unknown[] = []
    this.#each("]", () => items.push(this.#value(depth + 1)))
    return items
  }

  #each(end: string, readOne: () => void): void {
    this.#at++
    for (;;) {
      this.#take(space)
      if (this.#text[this.#at] === end) break
      readOne()
      this.#take(space)
      if (this.#text[this.#at] === ",") this.#at++
      else if (this.#text[this.#at] !== end) this.#fail()
    }
    this.#at++
  }

  #quoted(): string | undefined {
    const found = this.#take(quotedText)
    return found === undefined ? undefined : unescaped(found.slice(1, -1))
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const [found] = pattern.exec(this.#text) ?? []
    if (found !== undefined) this.#at += found.length
    return found
  }

  #fail(): never {
    throw new SyntaxError(`not understood at ${this.#at}`)
  }
}

/** Undefined where it is none of that either. */
export const looseJson = (text: string): unknown => {
  // A mark of byte order is none to those who read it.
  const own = text.replace(/^\uFEFF/, "")
  try {
    return JSON.parse(own)
  } catch {
    try {
      return new Reader(own).whole()
    } catch {
      return undefined
    }
  }
}
