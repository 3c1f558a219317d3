#!/bin/sh
# bundle.sh FOLDER: in a checkout on a bare Debian, builds the product and writes what a release holds.
set -e
apt-get update
apt-get install --yes --no-install-recommends binutils ca-certificates nodejs npm
npm run build
node_modules/.bin/node scripts/release.ts --tree "$1"
