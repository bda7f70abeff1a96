/** Standard input line by line, however it is cut up on its way, and however long a line is. */

/** What is longer is not kept: its beginning is all that is handed on. */
export const longestLine = 4_000_000

export interface Line {
  readonly text: string
  readonly tooLong: boolean
}

export async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const decoder = new TextDecoder()
  let pieces: string[] = []
  let length = 0
  const taken = (): Line => {
    const line = { text: pieces.join(""), tooLong: length > longestLine }
    pieces = []
    length = 0
    return line
  }
  const keep = (piece: string): void => {
    if (piece === "") return
    if (length <= longestLine) pieces.push(piece.slice(0, longestLine - length))
    length += piece.length
  }
  for await (const chunk of input) {
    const parts = decoder.decode(chunk, { stream: true }).split("\n")
    const rest = parts.pop() ?? ""
    for (const part of parts) {
      keep(part)
      yield taken()
    }
    keep(rest)
  }
  keep(decoder.decode())
  if (length > 0) yield taken()
}
