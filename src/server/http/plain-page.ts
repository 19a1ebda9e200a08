/** Dark only on a screen. On paper each page repeats the head of a table, and no row is divided. */
const STYLE = `
:root{color-scheme:light dark;--text:light-dark(#1d2330,#d5d9e0);--dim:light-dark(#5b6472,#98a1ae);--line:light-dark(#dee2e6,#3c434f)}
body{margin:0;background:light-dark(#fff,#0f1216);color:var(--text);font:400 15px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif}
main{max-width:1200px;margin:0 auto;padding:24px 16px}
h1{margin:0 0 8px;font-size:26px;line-height:1.25}h2{margin:28px 0 8px;font-size:19px}h3{margin:16px 0 4px;font-size:15px;overflow-wrap:anywhere}
p{max-width:80ch;margin:6px 0}.dim{max-width:none;color:var(--dim);font-size:13px;overflow-wrap:anywhere}
a{color:light-dark(#3b53c4,#8fa1ef)}:focus-visible{outline:2px solid;outline-offset:2px}
.brand{margin:0 0 16px;color:var(--dim);font-weight:600}button{margin-top:8px;padding:9px 18px;border:0;border-radius:8px;background:light-dark(#3b53c4,#4a64dc);color:#fff;font:inherit;font-weight:600;cursor:pointer}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(230px,1fr));gap:8px 16px;margin:8px 0}dt{color:var(--dim);font-size:13px}dd{margin:0}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}
th,td{padding:5px 12px 5px 0;white-space:nowrap;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
th{color:var(--dim);font-weight:600}td.num,th.num{text-align:right}td:first-child{min-width:20ch;white-space:normal;overflow-wrap:anywhere}
pre{margin:0;padding:8px;border:1px solid var(--line);font-size:12px;white-space:pre-wrap;overflow-wrap:anywhere}
@page{size:A4 landscape;margin:12mm}
@media print{th,td{white-space:normal}:root{color-scheme:light}.screen{display:none}main{max-width:none;padding:0}body{font-size:10pt}table{font-size:8pt}pre{font-size:7pt}.wide{overflow:visible}thead{display:table-header-group}tr{break-inside:avoid}h2,h3{break-after:avoid}}
`.trim();

/** A page without a script, whose address is the permission. @param body HTML, after the title */
export function plainPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">
<title>${title}</title><style>${STYLE}</style></head>
<body><main><p class="brand">SmartPause</p><h1>${title}</h1>
${body}
</main></body></html>
`;
}
