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
plan 15

cd "$TMPDIR" || exit
# Runs of two arms, as they are exported, made of a real record: in b nothing is moved at wakeups.
domains() {
    for cpu in 0 1 2 3 4 5 6 7; do
        printf '%s{"cpu":%d,"levels":[{"name":"MC","flags":["SD_SHARE_LLC"],"span":"%s"},{"name":"PKG","flags":[],"span":"0-7"}]}' \
            "$([ $cpu = 0 ] || echo ,)" $cpu "$([ $cpu -lt 4 ] && echo 0-3 || echo 4-7)"
    done
}
run_of() { # run_of ARM SEED, the record on stdin
    local identity cell
    identity=$(printf '{"kernel":"%s","machine":{"name":"asym8"},"job":{"load":"pipe","seed":%d}}' "$1" "$2")
    cell=$(printf %s "$identity" | sha256sum | cut -d ' ' -f 1)
    printf '{"schedlab":"run","id":1,"cell":"%s","identity":%s,"ended":"done","message":"","record":%s,' "$cell" "$identity" "$(tr -d '\n')"
    printf '"hello":{"release":"6.12","domains":[%s],"environment":{"sysctls":{"sched_x":"%s"}}},' "$(domains)" "$1"
    printf '"started_at":"2026-11-30T12:%02d:00Z","wall_seconds":1,"environment":{"kernel":"6.12 %s"},"tags":[]}\n' "$2" "$1"
}
for seed in 1 2 3 4 5 6; do
    for arm in a b; do
        awk -v seed="$seed" -v arm="$arm" '
            /"seed":/ { sub(/[0-9]+/, seed) }
            /"name":/ { moved = /"migrations(\.wakeup|\.llc|\.node)?"/; share = /"wake\.prev\.same\.share"/ }
            /"value":/ && moved { sub(/[-0-9.e]+$/, arm == "a" ? 6000 + seed * seed : seed % 3) }
            /"value":/ && share { sub(/[-0-9.e]+$/, arm == "a" ? 0.01 * seed : 1 - 0.001 * seed) }
            { print }
            /"metrics": \[/ { for (from = 0; from < 8; from++) for (to = 0; to < 8; to++) if (from != to)
                printf "{\"name\": \"migrations.cpu%d.cpu%d\", \"unit\": \"1\", \"class\": \"placement\", \"direction\": \"neutral\", \"kind\": \"count\", \"value\": %d},\n",
                    from, to, arm == "b" ? 0 : (from < 4) != (to < 4) ? 100 + 40 * from : 5 }' "$data" | run_of "$arm" "$seed" >>"$arm.runs"
    done
done
expect "a page is made" 0 '^<!DOCTYPE html>' \
    sh -c '"$0" compare a.runs --primary migrations --json table.json --format html --quiet -- b.runs | tee page.html' "$SCHEDLAB"

# look OPTION...: the browser's complaints.
look() {
    timeout 200 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$TMPDIR/profile" \
        --enable-logging=stderr --window-size=1200,4200 "$@" "file://$TMPDIR/page.html" 2>complaints
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
count() { grep -oE -- "$1" dom | wc -l; }
check "every distribution has its histogram" test "$(count 'distribution over boots')" -gt 3 -a "$(count 'distribution over boots')" = "$(count 'boots per value')"
check "migrations stand on the map: between CPUs, in boxes" test "$(count 'class="box"')" = 3 -a "$(count 'class="arc a"')" = 56
check "none of b" test "$(count 'class="arc b"')" = 0
check "what moved is told, as in the JSON" grep -qF "$(sed -n 's/.*"text": "\(migrations fell.*\)".*/\1/p' table.json)" dom
check "what else differs stands in its table" grep -qE '<td>sysctls.sched_x</td><td class="wrap">a</td><td class="wrap">b</td>' dom
check "runs over time tell whether the arms drift" grep -qE '<figcaption>(<strong>both arms drift|no shared drift)' dom
