/** Server-sent events as they come over `fetch`, which unlike EventSource sends the token. Pure. */

export interface Sent {
  readonly event: string
  readonly data: string
  readonly id: string | null
}

const sentOf = (block: string): Sent | undefined => {
  let event = "message"
  let id: string | null = null
  const data: string[] = []
  for (const line of block.split("\n")) {
    const [, name = "", value = ""] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (name === "event") event = value
    else if (name === "id") id = value
    else if (name === "data") data.push(value)
  }
  return data.length === 0 ? undefined : { event, data: data.join("\n"), id }
}

/** Takes text as it arrives, and gives the whole events in it. */
export const makeSseReader = (): ((text: string) => readonly Sent[]) => {
  let rest = ""
  return (text) => {
    const blocks = (rest + text).replaceAll("\r\n", "\n").split("\n\n")
    rest = blocks.pop() ?? ""
    return blocks.map(sentOf).filter((one) => one !== undefined)
  }
}
