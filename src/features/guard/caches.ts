/** Caches of package managers and build tools: what is deleted there is downloaded or built again. */
import { within } from "./folders.ts"

/** Below the home directory. */
const ofHome =
  ".npm/_cacache .npm/_npx .npm/_logs .cache/pip .cache/uv .cache/pypoetry .cache/yarn .cache/pnpm .cache/node .cache/node-gyp .cache/go-build .cache/ms-playwright .cache/puppeteer .cache/Cypress .cache/pre-commit .cache/huggingface/hub/tmp .cache/bazel .cache/ccache .cache/sccache .cache/turbo .cache/typescript .cache/deno .cache/mypy .cache/ruff .cache/electron .cache/electron-builder .cache/prisma .cache/nix .cache/vite .cache/webpack .cache/eslint .cache/thumbnails .gradle/caches .gradle/daemon .gradle/wrapper/dists .m2/repository .ivy2/cache .sbt/boot .yarn/cache .yarn/berry/cache .pnpm-store .local/share/pnpm/store .cargo/registry .cargo/git go/pkg/mod .bun/install/cache .deno .nuget/packages .pub-cache .composer/cache .cocoapods .expo .rustup/downloads .rustup/tmp .ccache .conda/pkgs .node-gyp .electron-gyp .turbo .nx/cache .terraform.d/plugin-cache .android/build-cache .android/cache .stack/pants .cpan/build .cabal/packages .hex/cache Library/Developer/Xcode/DerivedData Library/Developer/CoreSimulator/Caches Library/Caches/Homebrew Library/Caches/pip Library/Caches/Yarn Library/Caches/pnpm Library/Caches/CocoaPods Library/Caches/go-build Library/Caches/ms-playwright Library/Caches/com.apple.dt.Xcode Library/Caches/org.swift.swiftpm Library/pnpm/store AppData/Local/npm-cache AppData/Local/pip/Cache".split(
    " "
  )
const ofSystem =
  "/var/lib/apt/lists /var/cache/apt /var/cache/apk /var/cache/dnf /var/cache/yum /var/cache/pacman/pkg /var/cache/debconf /root/.cache/pip /root/.npm/_cacache /root/.gradle/caches /root/.m2/repository /root/.cargo/registry /root/.cache/go-build /go/pkg/mod /usr/local/share/.cache/yarn".split(
    " "
  )

export const isCache = (path: string, home: string): boolean =>
  ofSystem.some((folder) => within(path, folder)) ||
  ofHome.some((folder) => within(path, `${home}/${folder}`))
