/** Small drawings: what each outcome looks like besides its colour, and the views' signs. */

const glyphs = {
  blocked: (
    <>
      <path d="M4 1h5l3.5 3.5v5L9 13H4L.5 9.5v-5z" fill="currentColor" />
      <path d="M3.6 7h5.8" stroke="var(--surface)" stroke-width="1.8" />
    </>
  ),
  failed: <path d="M2.5 3l8 8m0-8l-8 8" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" />,
  late: (
    <>
      <circle cx="6.5" cy="7" r="5.2" fill="none" stroke="currentColor" stroke-width="1.7" />
      <path d="M6.5 4v3.2l2.2 1.3" fill="none" stroke="currentColor" stroke-width="1.6" />
    </>
  ),
  unknown: (
    <circle
      cx="6.5"
      cy="7"
      r="5"
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-dasharray="2.6 2"
    />
  ),
  ok: <path d="M2 7.5l3 3 6-7" fill="none" stroke="currentColor" stroke-width="2.1" stroke-linecap="round" />,
  warn: (
    <path
      d="M6.5 1.2l6 11.3H.5zM6.5 5.4v3.2m0 1.2v1.4"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linejoin="round"
    />
  )
} as const

export type Sign = keyof typeof glyphs

/** Beside words that say the same. */
export const Mark = ({ sign }: { readonly sign: Sign }) => (
  <svg class="mk" viewBox="0 0 13 14" aria-hidden="true">
    {glyphs[sign]}
  </svg>
)

const views = {
  live: "M2 4h7M5 7.5h8M2 11h5",
  session: "M2 3.5h11M2 7.5h8M2 11.5h10",
  actors:
    "M3.5 4a1 1 0 1 0 .01 0M11.5 6a1 1 0 1 0 .01 0M6 12a1 1 0 1 0 .01 0M4.6 4.8l5.8 1.6M10.6 7.4l-3.8 4M4 6l1.6 5",
  log: "M2 3h11M2 6h11M2 9h11M2 12h11",
  call: "M1 7.5h3.5M10.5 7.5H14M4.5 5h6v5h-6z",
  whatif: "M2 7.5h3l4-4h4M5 7.5l4 4h4",
  hooks: "M5 2v7a3 3 0 0 0 6 0V7M3.4 2h3.2M9.4 8.6L11 7l1.6 1.6",
  chains:
    "M6.2 8.8l2.6-2.6M6.8 4.6L8.3 3a2.4 2.4 0 0 1 3.6 3.6L10.3 8.200M8.2 10.4L6.700 12a2.4 2.4 0 0 1-3.6-3.6L4.700 6.800",
  metrics: "M2.5 12.5v-4M6 12.5v-9M9.500 12.5V6.500M13 12.5v-7",
  jobs: "M2.5 5h10v7.5h-10zM5.5 5V3h4v2M2.5 8.5h10",
  health: "M1 8h3l2-5 3 9 2-4h3",
  search: "M6.5 2a4.5 4.5 0 1 0 .01 0M10 10l3.5 3.5",
  theme: "M7.5 2.3a5.2 5.2 0 1 0 .01 0M7.5 2.3v10.4M9 3.6v7.8M10.8 4.8v5.4",
  up: "M7.5 12V3M4 6.5L7.5 3 11 6.5",
  down: "M7.5 3v9M4 8.5L7.5 12 11 8.5"
} as const

export type ViewIcon = keyof typeof views

export const Icon = ({ name }: { readonly name: ViewIcon }) => (
  <svg class="ico" viewBox="0 0 15 15" aria-hidden="true">
    <path d={views[name]} />
  </svg>
)

export const Logo = () => (
  <svg class="ico" viewBox="0 0 15 15" aria-hidden="true">
    <path d="M1.5 3.5h12v8h-12zM5 6a1.5 1.5 0 1 0 .01 0M10 6a1.5 1.5 0 1 0 .01 0M5 9h5" />
  </svg>
)
