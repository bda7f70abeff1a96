/**
 * The text of a Homebrew formula for a version that npm has, to be put into a tap as `Formula/hooktape.rb`:
 *
 *     node .ci/homebrew.mjs <tarball as the registry serves it>
 */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
const [, , tarball] = process.argv
if (tarball === undefined) {
  console.error("homebrew: name the tarball that the formula is for")
  process.exit(2)
}
const { license, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
const sum = createHash("sha256").update(readFileSync(tarball)).digest("hex")
console.log(`class Hooktape < Formula
  desc "Runtime for the hooks of AI coding agents"
  homepage "https://www.npmjs.com/package/hooktape"
  url "https://registry.npmjs.org/hooktape/-/hooktape-${version}.tgz"
  sha256 "${sum}"
  license "${license}"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink Dir["#{libexec}/bin/*"]
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/hooktape --version")
  end
end`)
