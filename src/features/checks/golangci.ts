/** The linters that golangci-lint knows, by the names it puts behind what they say. */
const names = `
  arangolint asasalint asciicheck bidichk bodyclose canonicalheader containedctx contextcheck copyloopvar cyclop
  deadcode decorder depguard dogsled dupl dupword durationcheck embeddedstructfieldcheck err113 errcheck errchkjson
  errname errorlint exhaustive exhaustruct exportloopref exptostd fatcontext forbidigo forcetypeassert funcorder
  funlen gci ginkgolinter gocheckcompilerdirectives gochecknoglobals gochecknoinits gochecksumtype gocognit goconst
  gocritic gocyclo godoclint godot godox goerr113 gofmt gofumpt goheader goimports golines golint gomnd gomoddirectives
  gomodguard goprintffuncname gosec gosimple gosmopolitan govet grouper iface importas inamedparam ineffassign
  interfacebloat intrange iotamixing ireturn lll loggercheck maintidx makezero mirror misspell mnd musttag nakedret
  nestif nilerr nilnesserr nilnil nlreturn noctx noinlineerr nolintlint nonamedreturns nosprintfhostport paralleltest
  perfsprint prealloc predeclared promlinter protogetter reassign recvcheck revive rowserrcheck scopelint sloglint
  spancheck sqlclosecheck staticcheck structcheck stylecheck swaggo tagalign tagliatelle tenv testableexamples
  testifylint testpackage thelper tparallel typecheck unconvert unparam unqueryvet unused usestdlibvars usetesting
  varcheck varnamelen wastedassign whitespace wrapcheck wsl wsl_v5 zerologlint
`
const linters: ReadonlySet<string> = new Set(names.trim().split(/\s+/))

/** What is said, and which linter says it: the compiler ends its lines with words in brackets too. */
export const saidByLinter = (said: string): { readonly message: string; readonly code?: string } => {
  const [, message, code] = /^(.+) \(([a-z][\w-]+)\)$/.exec(said) ?? []
  return message !== undefined && code !== undefined && linters.has(code)
    ? { message, code }
    : { message: said }
}
