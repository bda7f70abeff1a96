/** A text as a POSIX shell has to be given it, so that one word stays one. */

/** Nothing inside single quotes means anything but another single quote. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** As it would be typed: without quotes where they change nothing. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./~-]+$/.test(text) ? text : quoted(text))

export const shellWords = (texts: readonly string[]): string => texts.map(shellWord).join(" ")
