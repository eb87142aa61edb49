#!/bin/sh
# Chromium in the network of the process that QUIET_NETWORK names. Its pipes to whoever drives it stay open.
exec nsenter --target="$QUIET_NETWORK" --net -- "$CHROMIUM" "$@"
