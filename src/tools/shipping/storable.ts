/** PostgreSQL keeps neither U+0000 nor half of a surrogate pair in JSON: one of them would lose a whole batch. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/

export const isStorable = (json: string): boolean => !unstorable.test(json)
