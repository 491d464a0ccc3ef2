# Compiles the program from this repository: nix build 'git+file:.?dir=contrib/nix'
{
  description = "Measure how late sleeps end, and why";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      package = pkgs: pkgs.rustPlatform.buildRustPackage {
        pname = "oversleep";
        version = "0.1.0";
        src = ../..;
        cargoLock.lockFile = ../../Cargo.lock;
        cargoBuildFlags = [ "--package" "oversleep-cli" ];
        # Tests measure; a build machine is no place for that.
        doCheck = false;
        nativeBuildInputs = [ pkgs.installShellFiles ];
        postInstall = ''
          mkdir man
          $out/bin/oversleep man man
          installManPage man/*
          for shell in bash fish zsh; do
            installShellCompletion --cmd oversleep --$shell <($out/bin/oversleep completions $shell)
          done
        '';
        meta = {
          description = "Measure how late sleeps end, and why";
          license = with pkgs.lib.licenses; [ mit asl20 ];
          mainProgram = "oversleep";
        };
      };
    in
    {
      packages = nixpkgs.lib.genAttrs systems (system: { default = package nixpkgs.legacyPackages.${system}; });
    };
}
