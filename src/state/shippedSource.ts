/** How a registered hook shows that it comes with hooktape: by its source, where others have a file. */
export const isShippedSource = (source: string | undefined): boolean =>
  source?.startsWith("hooktape:") === true
