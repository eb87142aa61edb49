#!/bin/sh
# Chromium in the network of the process that ISOLATED_NETWORK names. Its pipes to the driver stay open.
exec nsenter --target="$ISOLATED_NETWORK" --net -- "$CHROMIUM" "$@"
