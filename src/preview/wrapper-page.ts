import { createHash } from 'node:crypto';

/**
 * Returns the page around the report. It loads the report into a frame, so that the report keeps its own
 * policy, asks for the state, reloads it for a new page, and shows mistakes.
 * @param name the name of the report: a-z, 0-9, _ and -
 */
export function wrapperPage(name: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Preview of ${name}</title>
<link rel="icon" href="data:,">
<style>${styles}</style>
</head>
<body data-name="${name}">
<header><h1>${name}</h1><p id="status" role="status">Waiting for the first page</p></header>
<section id="faults" role="alert" hidden><h2></h2><ol></ol></section>
<iframe id="report" title="The report"></iframe>
<noscript><p>Without JavaScript the page does not reload by itself: <a href="report">the report</a>.</p></noscript>
<script>${script}</script>
</body>
</html>
`;
}

const styles = `
:root{color-scheme:light dark;--bg:#fff;--tint:#f4f6f8;--ink:#15191f;--ink2:#434b57;--rule:#dde1e6;--down:#b3430a}
@media (prefers-color-scheme:dark){:root{--bg:#14171b;--tint:#1c2026;--ink:#eceff2;--ink2:#bcc3cc;--rule:#2c3239;--down:#f39a66}}
*{box-sizing:border-box}
body{display:flex;flex-direction:column;height:100vh;margin:0;background:var(--bg);color:var(--ink);font:14px/1.45 system-ui,sans-serif}
header{display:flex;gap:16px;align-items:baseline;padding:6px 16px;background:var(--tint);border-bottom:1px solid var(--rule)}
h1{margin:0;font-size:14px}
header p{margin:0;color:var(--ink2)}
section{max-height:50vh;overflow:auto;padding:12px 16px;border-bottom:2px solid var(--down)}
h2{margin:0 0 8px;color:var(--down);font-size:16px}
ol{margin:0;padding-left:24px}
li{margin-bottom:8px}
code,pre{font:13px/1.45 ui-monospace,monospace;overflow-wrap:anywhere}
pre{margin:2px 0 0;white-space:pre-wrap;color:var(--ink2)}
iframe{flex:1;width:100%;border:0}
[hidden]{display:none}
`;

const script = `
const byId = (id) => document.getElementById(id);
const frame = byId('report');
const name = document.body.dataset.name;
const time = (text) => new Date(text).toLocaleTimeString();
let shown = 0;

const load = (page) => {
  const scroll = frame.contentWindow.scrollY;
  frame.onload = () => frame.contentWindow.scrollTo(0, scroll);
  frame.contentWindow.location.replace('report?' + page);
};

const item = ({ location, message }) => {
  const line = document.createElement('li');
  if (location !== null) line.append(Object.assign(document.createElement('code'), { textContent: location }));
  line.append(Object.assign(document.createElement('pre'), { textContent: message }));
  return line;
};

const show = ({ page, madeAt, faults }) => {
  const count = faults.length;
  const what = count === 1 ? '1 mistake' : count + ' mistakes';
  document.title = (count > 0 ? what + ' · ' : '') + 'Preview of ' + name;
  byId('status').textContent = madeAt === null ? 'No page yet' : 'Made at ' + time(madeAt);
  byId('faults').hidden = count === 0;
  byId('faults').querySelector('h2').textContent =
    what + (page > 0 ? '; the page below is the last one without mistakes' : '');
  byId('faults').querySelector('ol').replaceChildren(...faults.map(item));
  if (page > 0 && page !== shown) load(page);
  shown = page;
};

let known = '';
const ask = async () => {
  try {
    const text = await (await fetch('state')).text();
    if (text !== known) show(JSON.parse(text));
    known = text;
  } catch {
    byId('status').textContent = 'The preview has ended; start it again and open the address that it prints';
  }
  setTimeout(ask, 300);
};
ask();
`;

/**
 * The policy of the page around the report. It allows the page's own script and style, the report in a frame,
 * and the state from the same address.
 */
export const wrapperPolicy = [
  "default-src 'none'",
  `style-src ${hashSource(styles)}`,
  `script-src ${hashSource(script)}`,
  "connect-src 'self'",
  "frame-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
