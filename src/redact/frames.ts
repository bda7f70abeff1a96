/** What the members of each object of JSON, and the texts of each list, tell of each other. */
import { secretArguments } from "./argumentLists.ts"
import { programAmong } from "./beside.ts"
import { isMark } from "./mark.ts"
import { type Member, secretsAmong } from "./members.ts"
import { tokenKind } from "./secretTokens.ts"

interface Text extends Member {
  readonly after: string
  readonly start: number
  readonly end: number
}

interface Frame {
  readonly key: string | undefined
  readonly isList: boolean
  readonly texts: Text[]
  /** Lists in it, whose program may stand beside them. */
  readonly lists: Frame[]
}

type Replace = (start: number, end: number, value: string) => void

const word = /true\b|null\b|1\b/y

/** Told of what is read, in order; replaces the secrets of each object and list when it ends. */
export const makeFrames = (replace: Replace, mark: (kind: string) => string) => {
  const frames: Frame[] = []
  const take = ({ after, start, end, value }: Text, kind: string): void => {
    if (!isMark(after)) replace(start, end, mark(tokenKind(value) ?? kind))
  }
  const judgeList = ({ texts }: Frame, around: Frame | undefined): void =>
    secretArguments(
      texts.map(({ value }) => value),
      around === undefined ? undefined : programAmong(around.texts, around.isList),
      (nth, from, kind) => {
        const text = texts[nth] as Text
        if (!isMark(text.after)) replace(text.start, text.end, text.value.slice(0, from) + mark(kind))
      }
    )
  return {
    open: (key: string | undefined, isList: boolean): void => {
      frames.push({ key, isList, texts: [], lists: [] })
    },
    text: (key: string, value: string, after: string, start: number, end: number): void => {
      frames.at(-1)?.texts.push({ key, value, isText: true, after, start, end })
    },
    /** A number or a word of JSON itself. */
    word: (key: string, text: string, at: number): void => {
      word.lastIndex = at
      const value = word.exec(text)?.[0]
      if (value !== undefined)
        frames.at(-1)?.texts.push({ key, value, isText: false, after: value, start: at, end: at })
    },
    close: (): void => {
      const frame = frames.pop()
      if (frame === undefined) return
      const around = frames.at(-1)
      for (const list of frame.lists) judgeList(list, frame)
      if (frame.isList) {
        if (around !== undefined && !around.isList) around.lists.push(frame)
        else judgeList(frame, around)
      } else
        secretsAmong(frame.texts, (text, kind) => {
          if (text.isText) take(text, kind === "random-key" ? "key" : kind)
        })
    }
  }
}
