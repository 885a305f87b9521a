# Puts the `ligament` command of a release into %LOCALAPPDATA%\Ligament, or where LIGAMENT_BIN says.
#
#     .\install.ps1 -Repository OWNER/REPOSITORY [-Version v0.1.0]
#
# The archive's checksum is compared before anything is unpacked.
param(
    [Parameter(Mandatory = $true)][string]$Repository,
    [string]$Version = "latest"
)
$ErrorActionPreference = "Stop"
$ProgressPreference = "SilentlyContinue"

$name = "ligament-x86_64-pc-windows-msvc"
$folder = if ($env:LIGAMENT_BIN) { $env:LIGAMENT_BIN } else { Join-Path $env:LOCALAPPDATA "Ligament" }
$base = if ($Version -eq "latest") {
    "https://github.com/$Repository/releases/latest/download"
} else {
    "https://github.com/$Repository/releases/download/$Version"
}

$work = Join-Path ([System.IO.Path]::GetTempPath()) ([System.IO.Path]::GetRandomFileName())
New-Item -ItemType Directory -Path $work | Out-Null
try {
    $archive = Join-Path $work "$name.zip"
    Invoke-WebRequest -UseBasicParsing "$base/$name.zip" -OutFile $archive
    Invoke-WebRequest -UseBasicParsing "$base/$name.zip.sha256" -OutFile "$archive.sha256"
    $wanted = ((Get-Content "$archive.sha256" -Raw) -split "\s+")[0]
    $found = (Get-FileHash $archive -Algorithm SHA256).Hash
    if ($wanted -ne $found) {
        throw "the checksum of $name.zip is $found, not $wanted; nothing was installed"
    }
    Expand-Archive $archive -DestinationPath $work
    New-Item -ItemType Directory -Force -Path $folder | Out-Null
    Copy-Item (Join-Path $work "$name\ligament.exe") $folder -Force
} finally {
    Remove-Item -Recurse -Force $work
}

& (Join-Path $folder "ligament.exe") --version
if (($env:Path -split ";") -notcontains $folder) {
    Write-Output "it is in $folder, which is not on your Path"
}
