# A formula that compiles the program, on macOS and Linux. `sha256` is that of the archive of a version's sources.
class Oversleep < Formula
  desc "Measure how late sleeps end, and why"
  homepage "https://example.invalid/oversleep"
  url "https://example.invalid/oversleep/archive/refs/tags/v0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args(path: "crates/oversleep-cli")
    system bin/"oversleep", "man", man1
    generate_completions_from_executable(bin/"oversleep", "completions")
  end

  test do
    assert_match "19.0 ms", shell_output("#{bin}/oversleep simulate freebsd-4.9 -r 1ms -n 50")
  end
end
