/** Long options of npm, and of npx, that take the word behind them as their value. */
export const npmValues =
  "prefix registry cache loglevel workspace userconfig globalconfig script-shell tag otp omit include node-options before scope".split(
    " "
  )
