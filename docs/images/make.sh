#!/bin/sh
# Makes the pictures of README.md from the demo. Needs Chromium, LibreOffice and poppler.
set -eu
images=$(cd "$(dirname "$0")" && pwd)
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
cd "$made"
node "$images/../../dist/bin.js" demo >demo.log 2>&1 || { cat demo.log >&2; exit 1; }
chromium --headless --no-sandbox --hide-scrollbars --window-size=1100,900 \
  --screenshot="$images/overview.png" "file://$made/demo/overview.html" 2>chromium.log
soffice --headless --convert-to pdf demo/emv.xlsx >soffice.log 2>&1
# after the cover and the summary comes EMV by month
pdftoppm -png -r 90 -f 3 -l 3 -singlefile emv.pdf "$images/workbook"
