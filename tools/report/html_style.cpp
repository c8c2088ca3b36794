// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/html.h"

namespace schedlab {

// Red and green differ in lightness too; arms differ in dash and fill, so that nothing hangs on colour alone.
const std::string_view html_style = R"css(
:root { color-scheme: light dark; --back: #fff; --text: #1c1e21; --faint: #6b7280; --rule: #d8dce2; --panel: #f5f6f8;
  --a: #8a5a00; --b: #0b62c4; --better: #0f7b3a; --worse: #b3201f; --unknown: #8a6d00; --heat: 11 98 196; }
@media (prefers-color-scheme: dark) { :root { --back: #14171b; --text: #e6e8eb; --faint: #9aa3ae; --rule: #333a43;
  --panel: #1c2127; --a: #f0b35a; --b: #6db3ff; --better: #5fd38d; --worse: #ff8a80; --unknown: #e5c558;
  --heat: 109 179 255; } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; background: var(--back); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif }
h1 { font-size: 1.5rem; line-height: 1.3; margin: .5rem 0 }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; border-bottom: 1px solid var(--rule) }
h3 { font-size: .95rem; margin: .4rem 0 }
a { color: var(--b) }
.skip { position: absolute; left: -99rem } .skip:focus { position: static }
:focus-visible { outline: 3px solid var(--b); outline-offset: 2px }
nav a { margin-right: 1rem }
.warning { border-left: 4px solid var(--unknown); background: var(--panel); padding: .4rem .8rem; margin: .4rem 0 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .6rem 0 }
dt { color: var(--faint) } dd { margin: 0; overflow-wrap: anywhere }
pre { background: var(--panel); padding: .6rem .8rem; overflow-x: auto }
.scroll { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: .25rem .7rem; text-align: right; border-bottom: 1px solid var(--rule); white-space: nowrap }
th:first-child, td:first-child { text-align: left } th.bars, td.bars { text-align: left }
table.verdicts td:last-child, table.verdicts th:last-child { position: sticky; right: 0; background: var(--back) }
td.wrap { white-space: normal; text-align: left; overflow-wrap: anywhere }
thead th { color: var(--faint); font-weight: 600; border-bottom: 2px solid var(--rule) }
tr.primary td:first-child { font-weight: 700 }
.better { color: var(--better); fill: var(--better) } .worse { color: var(--worse); fill: var(--worse) }
.unknown { color: var(--unknown); fill: var(--unknown) } .same, .none { color: var(--faint); fill: var(--faint) }
svg { display: block; max-width: 100% } svg text { fill: var(--faint); font: 11px system-ui, sans-serif }
svg path { fill: none; stroke: var(--rule) } svg .zero { stroke: var(--text) }
svg .interval { stroke: currentColor; stroke-width: 3 }
svg .axis { stroke: var(--faint) } svg .line { stroke-width: 2 }
svg .a { stroke: var(--a) } svg .b { stroke: var(--b) } svg .line.a { stroke-dasharray: 5 3 }
svg .median { stroke-dasharray: 2 3 } svg .drift { stroke-width: 1.5 }
svg .bin.a { fill: none; stroke-width: 1.5 } svg .bin.b { fill: var(--b); stroke: none }
svg .box { fill: var(--panel); stroke: var(--faint) } svg .arc { opacity: .75; stroke-linecap: round }
svg.map { max-width: none } svg .dot { stroke-width: 2 } svg .dot.a { fill: none } svg .dot.b { fill: var(--b) }
.charts { display: flex; flex-wrap: wrap; gap: 1rem } .charts figure { margin: 0; background: var(--panel); padding: .6rem }
figcaption { color: var(--faint); font-size: .85rem } .why { margin: .3rem 0 }
.key .a { color: var(--a) } .key .b { color: var(--b) }
td.heat { background: rgb(var(--heat) / calc(var(--part) * .75)) }
.bar { display: inline-block; height: .7rem; vertical-align: middle } .bar.a { background: var(--a) } .bar.b { background: var(--b) }
summary { cursor: pointer; padding: .3rem 0 }
@media print { body { max-width: none } nav { display: none } }
)css";

} // namespace schedlab
