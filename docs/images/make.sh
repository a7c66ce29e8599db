#!/bin/sh
# Makes the picture of README.md, a client's month, of a new demo or of the one in the folder that is given; the second
# argument is where to. Needs Chromium. `npm version` runs it, so that each release shows its own reports.
set -eu
images=$(cd "$(dirname "$0")" && pwd)
postledger() { node "$images/../../dist/bin.js" "$@"; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ $# -gt 0 ]; then cp -R "$1" "$work/demo"; fi
out=$(cd "${2:-$images}" && pwd)
cd "$work"
[ -e demo ] || postledger demo --quiet >report.log
cat >>demo/jobs.yaml <<'END'
clients:
  halden:
    name: Halden Grid
    prepared_by: Nord
    profiles: [sandbox/*]
    targets: { emv: 6500, impressions: 200000, engagement_rate: 0.02, posts: 45 }
END
postledger report run overview --config demo/jobs.yaml --for halden --period last_month --format html --out . --quiet >report.log
chromium --headless --no-sandbox --hide-scrollbars --force-device-scale-factor=0.8 --window-size=1100,1290 \
  --screenshot="$out/month.png" "file://$work/overview.html" 2>chromium.log
