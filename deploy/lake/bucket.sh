#!/bin/sh
# Makes the bucket of a lake, and lets the user READER only read it, by reader-policy.json beside this file.
#   S3_ENDPOINT=https://s3.example.com S3_BUCKET=analytics S3_KEY_ID=… S3_SECRET=… READER=reader sh bucket.sh
set -eu
umask 077
login=$(mktemp)
trap 'rm -f "$login"' EXIT
# not on the command line, which every user of the machine can read
printf 'user = "%s:%s"\n' "$S3_KEY_ID" "$S3_SECRET" >"$login"

ask() {
  curl --silent --show-error --retry 30 --retry-connrefused --retry-delay 1 \
    --header 'x-amz-content-sha256: UNSIGNED-PAYLOAD' --config "$login" --aws-sigv4 "aws:amz:${S3_REGION:-us-east-1}:s3" \
    --output /dev/null --write-out '%{http_code}' "$@"
}

made=$(ask --request PUT "$S3_ENDPOINT/$S3_BUCKET")
# 409: it is there already
case $made in 200 | 409) ;; *) echo "the bucket $S3_BUCKET was not made: status $made" >&2 && exit 1 ;; esac

policy=$(sed "s/BUCKET/$S3_BUCKET/g; s/READER/$READER/g" "$(dirname "$0")/reader-policy.json")
# the reader's keys may be made at the same time
for _ in $(seq 30); do
  put=$(ask --request PUT --header 'Content-Type: application/json' --data "$policy" "$S3_ENDPOINT/$S3_BUCKET?policy=")
  case $put in 200 | 204) exit ;; *) sleep 1 ;; esac
done
echo "the policy of $S3_BUCKET was not set: status $put" >&2
exit 1
