/** Reads what the tests of our own pages need from Markdown: table rows, links, headings. */

export interface Link {
  readonly text: string
  readonly target: string
  readonly line: number
}

/** Code is no prose: a link inside a fence or backticks is not a link. */
const withoutCode = (markdown: string): string => {
  const fences = markdown.replaceAll(/^```[\s\S]*?^```/gm, (code) => code.replaceAll(/[^\n]/g, " "))
  return fences.replaceAll(/`[^`\n]*`/g, (code) => " ".repeat(code.length))
}

export const links = (markdown: string): readonly Link[] =>
  withoutCode(markdown)
    .split("\n")
    .flatMap((text, at) =>
      [...text.matchAll(/\[([^\]]*)\]\(([^)\s]+)[^)]*\)/g)].map((match) => ({
        text: match[1] ?? "",
        target: match[2] ?? "",
        line: at + 1
      }))
    )

/** The cells of every table row, without the rule under the heading. */
export const rows = (markdown: string): ReadonlyArray<readonly string[]> =>
  markdown
    .split("\n")
    .filter((line) => line.startsWith("|") && !/^\|[\s:|-]+\|$/.test(line))
    .map((line) =>
      line
        .slice(1, line.lastIndexOf("|"))
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim())
    )

/** Anchors as the usual renderers make them from headings. */
export const anchors = (markdown: string): ReadonlySet<string> =>
  new Set(
    [...markdown.matchAll(/^#{1,6} +(.+)$/gm)].map((match) =>
      (match[1] ?? "")
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-")
    )
  )
