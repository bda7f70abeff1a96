/** Figures as a picture: horizontal bars, as long as what they stand for. */

export interface Bar {
  readonly name: string
  readonly value: number
  /** Of whom the picture is about. */
  readonly isOurs: boolean
}

const width = 720
const left = 250
const right = 70
const line = 28
const top = 52

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

const short = (value: number): string => (value < 10 ? value.toFixed(1) : `${Math.round(value)}`)

/** An SVG; the shortest first. */
export const barsOf = (title: string, bars: readonly Bar[]): string => {
  const sorted = [...bars].sort((a, b) => a.value - b.value)
  const longest = Math.max(...sorted.map(({ value }) => value))
  const rows = sorted.flatMap(({ isOurs, name, value }, nth) => {
    const y = top + nth * line
    const long = Math.max(1, ((width - left - right) * value) / longest)
    return [
      `<text x="${left - 10}" y="${y + 15}" text-anchor="end" fill="#e6e8ee">${escaped(name)}</text>`,
      `<rect x="${left}" y="${y + 3}" width="${long.toFixed(1)}" height="16" rx="2" fill="${isOurs ? "#63cf89" : "#59627a"}"/>`,
      `<text x="${(left + long + 8).toFixed(1)}" y="${y + 15}" fill="#e6e8ee">${short(value)} ×</text>`
    ]
  })
  const height = top + sorted.length * line + 14
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, 'DejaVu Sans', sans-serif" font-size="13" role="img" aria-label="${escaped(title)}">`,
    `<rect width="${width}" height="${height}" rx="8" fill="#13161c"/>`,
    `<text x="20" y="30" fill="#8f98aa">${escaped(title)}</text>`,
    ...rows,
    "</svg>",
    ""
  ].join("\n")
}
