/** What a person typed of a prompt: from a session's start on Gemini CLI puts what hooks gave the model in front of it. */

const given = /^\s*<hook_context>[\s\S]*?<\/hook_context>\s*/

/** What hooks give has no such mark within: Gemini CLI escapes it. */
export const typed = (prompt: string): string => {
  let left = prompt
  while (given.test(left)) left = left.replace(given, "")
  return left
}
