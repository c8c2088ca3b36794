#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The HTML report in a browser: it renders without a complaint, light and dark, and its tables are the JSON's. The
# screenshots stay in the build directory, under artefacts/.
# timeout: 600
. ./tap.sh

browser=$(command -v chromium) || { echo "1..0 # SKIP no chromium here (Debian package chromium)"; exit; }
data=$PWD/data/placement_asym.json
artefacts=$O/artefacts
mkdir -p "$artefacts"
plan 9

cd "$TMPDIR" || exit
# Records of two arms, made of a real one: in b nothing is moved at wakeups.
for seed in 1 2 3 4 5 6; do
    for arm in a b; do
        awk -v seed="$seed" -v arm="$arm" '
            /"seed":/ { sub(/[0-9]+/, seed) }
            /"name":/ { moved = /"migrations(\.wakeup|\.llc|\.node)?"/; share = /"wake\.prev\.same\.share"/ }
            /"value":/ && moved { sub(/[-0-9.e]+$/, arm == "a" ? 6000 + seed * seed : seed % 3) }
            /"value":/ && share { sub(/[-0-9.e]+$/, arm == "a" ? 0.01 * seed : 1 - 0.001 * seed) }
            { print }' "$data" >"$arm$seed.json"
    done
done
expect "a page is made" 0 '^<!DOCTYPE html>' \
    sh -c '"$0" compare a*.json --primary migrations --json table.json --format html --quiet -- b*.json | tee page.html' "$SCHEDLAB"

# look OPTION...: the browser's complaints.
look() {
    timeout 200 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$TMPDIR/profile" \
        --enable-logging=stderr --window-size=1200,2600 "$@" "file://$TMPDIR/page.html" 2>complaints
}
check "it renders, light" look --screenshot="$artefacts/report-light.png"
check "without a complaint" sh -c '! grep CONSOLE complaints'
check "the screenshot is there" test -s "$artefacts/report-light.png"
check "it renders, dark" look --blink-settings=preferredColorScheme=0 --screenshot="$artefacts/report-dark.png"
check "and is another picture" sh -c '! cmp -s "$0/report-light.png" "$0/report-dark.png"' "$artefacts"

look --dump-dom >dom
check "its document is whole" grep -q 'id="verdicts"' dom
# NAME VERDICT of every metric that is not 0 in every run.
in_page() { sed -n 's/.*data-metric="\([^"]*\)".*<td class="\([a-z]*\)" title=.*/\1 \2/p' dom | sort; }
in_json() {
    awk '/"name":/ && !done { gsub(/[",]/, ""); name = $2 }
        /"median":/ { gsub(/,/, ""); medians = medians " " $2 }
        /"verdict":/ { gsub(/[",]/, ""); print name, $2 == "null" ? "none" : $2; medians = "" }' table.json | sort
}
check "every metric of the page is in the JSON, with its verdict" test -z "$(comm -23 <(in_page) <(in_json))"
check "the page has the metric that decides" sh -c 'grep -q "class=\"primary\" data-metric=\"migrations\"" dom'
