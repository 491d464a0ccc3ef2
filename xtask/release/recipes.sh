#!/usr/bin/env bash
# Reads the recipes for Homebrew, Nix and conda as far as their tools do that without a network; builds nothing of them.
source "$(dirname "$0")/lib.sh"

for recipe in contrib/{homebrew/oversleep.rb,nix/flake.nix,conda/recipe.yaml}; do
    grep -qF "$version" "$recipe" || fail "$recipe is not for $version"
done
done= missing=
if command -v ruby >/dev/null; then
    ruby -c contrib/homebrew/oversleep.rb
    done+='formula (syntax), '
else
    missing+='ruby is missing; `apt-get install ruby` gets it. '
fi
if command -v nix >/dev/null; then
    # Stands for the real collection, which takes a network: what the flake asks of it, and a package like any other.
    stub=$(mktemp -d)
    trap 'rm -rf "$stub"' EXIT
    cat >"$stub/flake.nix" <<'END'
{
  outputs = { self }: let
    systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
    genAttrs = names: f: builtins.listToAttrs (map (name: { inherit name; value = f name; }) names);
    buildRustPackage = one: system: derivation {
      inherit system; inherit (one) src cargoBuildFlags doCheck nativeBuildInputs postInstall;
      name = "${one.pname}-${one.version}"; builder = "/bin/sh"; lock = one.cargoLock.lockFile; inherit (one.meta) license;
    };
  in {
    lib = { inherit genAttrs; };
    legacyPackages = genAttrs systems (system: {
      rustPlatform.buildRustPackage = one: buildRustPackage one system;
      installShellFiles = "installShellFiles"; lib.licenses = { mit = "MIT"; asl20 = "Apache-2.0"; };
    });
  };
}
END
    nix --extra-experimental-features 'nix-command flakes' flake check --no-build --no-write-lock-file \
        --override-input nixpkgs "path:$stub" "git+file://$root?dir=contrib/nix"
    done+='flake (evaluated without its collection), '
else
    missing+='nix is missing; `apt-get install nix-bin` gets it. '
fi
tools python - <<'END'
from rattler_build import Stage0Recipe, VariantConfig
[one] = Stage0Recipe.from_file("contrib/conda/recipe.yaml").render(VariantConfig())
print(one.recipe.to_dict())
END
done+='conda recipe (rendered)'
[ -z "$missing" ] || impossible "$missing${done} is in order"
note "$done; none of them built"
