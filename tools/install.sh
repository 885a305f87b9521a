#!/bin/sh
# Puts the `ligament` command of a release into ~/.local/bin, or where LIGAMENT_BIN says.
#
#     sh install.sh OWNER/REPOSITORY [VERSION]
#
# The archive's checksum is compared before anything is unpacked.
set -eu

repository=${1:?"usage: install.sh OWNER/REPOSITORY [VERSION]"}
version=${2:-latest}
folder=${LIGAMENT_BIN:-"$HOME/.local/bin"}

case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) target=x86_64-unknown-linux-gnu ;;
    Linux-aarch64 | Linux-arm64) target=aarch64-unknown-linux-gnu ;;
    Darwin-arm64) target=aarch64-apple-darwin ;;
    Darwin-x86_64) target=x86_64-apple-darwin ;;
    *)
        echo "there is no archive for $(uname -s) on $(uname -m); build it: cargo install ligament-cli" >&2
        exit 1
        ;;
esac

name=ligament-$target
if [ "$version" = latest ]; then
    base=https://github.com/$repository/releases/latest/download
else
    base=https://github.com/$repository/releases/download/$version
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for file in "$name.tar.gz" "$name.tar.gz.sha256"; do
    curl --proto '=https' --tlsv1.2 --fail --silent --show-error --location --output "$file" "$base/$file"
done
if command -v sha256sum > /dev/null 2>&1; then
    sha256sum --check --quiet "$name.tar.gz.sha256"
else
    shasum -a 256 --check --quiet "$name.tar.gz.sha256"
fi
tar -xzf "$name.tar.gz"
mkdir -p "$folder"
# Renamed into place whole, also while an older one runs.
cp "$name/ligament" "$folder/.ligament.new"
chmod 755 "$folder/.ligament.new"
mv "$folder/.ligament.new" "$folder/ligament"

"$folder/ligament" --version
case ":$PATH:" in
    *":$folder:"*) ;;
    *) echo "it is in $folder, which is not on your PATH" ;;
esac
