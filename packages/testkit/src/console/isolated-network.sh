#!/bin/sh
# Chromium in the network of the process that ISOLATED_NETWORK names. Its pipes to whoever drives it stay open.
exec nsenter --target="$ISOLATED_NETWORK" --net -- "$CHROMIUM" "$@"
