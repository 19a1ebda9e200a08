/** The colours and sizes of the theme in src/web/app/theme.ts. Inline, with its hash in the content policy. */
export const STYLE = `
:root{color-scheme:light dark;--ground:light-dark(#f6f7f9,#0f1216);--card:light-dark(#fff,#181c22);--line:light-dark(#dee2e6,#3c434f);
--text:light-dark(#1d2330,#d5d9e0);--dim:light-dark(#5b6472,#98a1ae);--accent:light-dark(#3b53c4,#8fa1ef);
--up:light-dark(#1c7c36,#4ecb71);--low:light-dark(#8a6d00,#f2cc45);--medium:light-dark(#c2410c,#ff9a4d);--high:light-dark(#c11f1f,#ff7171)}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:400 16px/1.55 'Inter Variable',system-ui,-apple-system,'Segoe UI',sans-serif;font-feature-settings:'cv11','ss03';-webkit-font-smoothing:antialiased}
.wide{max-width:960px;margin:0 auto;padding:0 16px}
header .wide,footer .wide{max-width:1140px}
header{background:var(--card);border-bottom:1px solid var(--line)}
header .wide{display:flex;align-items:center;justify-content:space-between;height:60px}
.home{display:flex;align-items:center;gap:10px;color:inherit;font-size:18px;font-weight:700;letter-spacing:-.3px;text-decoration:none}
a{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
aside{display:flex;flex-wrap:wrap;gap:2px 10px;justify-content:center;padding:6px 16px;background:light-dark(#e5dbff,#2b2147);font-size:14px}aside a{color:inherit}
header nav{display:flex;align-items:center;gap:8px 20px}header nav a{color:var(--text);font-size:14px;font-weight:600;text-decoration:none}header .start{padding:6px 14px;border-radius:8px;background:light-dark(#3b53c4,#4a64dc);color:#fff}
.skip:not(:focus){position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
main.wide{padding-top:40px;padding-bottom:40px}
h1{display:grid;grid-template-columns:auto 1fr;column-gap:.3em;margin:0;font-size:clamp(28px,6vw,44px);letter-spacing:-.02em;line-height:1.25;font-weight:650}
h1 svg{width:.8em;height:.8em;margin-top:.22em}h1 svg.UP{margin-left:-.11em}h1 b{font-weight:inherit;white-space:nowrap}h1 b.UP{color:inherit}
:is(time,dd) span{display:inline-block;text-indent:0}
.dots{display:flex;flex-wrap:wrap;max-width:none;margin-left:-1em;clip-path:inset(0 0 0 1em)}.dots>span{padding-left:1em;text-indent:-1em}.dots>span::before{content:'·';display:inline-block;width:1em;text-align:center;text-indent:0}
.titled{display:flex;flex-wrap:wrap;align-items:baseline;justify-content:space-between;gap:0 16px}
h2{margin:40px 0 12px;font-size:20px;line-height:1.35;font-weight:650}
h3{margin:0;font-size:16px}
p{margin:8px 0;max-width:68ch}
.dim{color:var(--dim);font-size:14px}
.card{padding:20px 24px;background:var(--card);border:1px solid var(--line);border-radius:16px}.card p{max-width:none}
p:first-child{margin-top:0}p:last-child{margin-bottom:0}
h1+.dim{margin-bottom:20px}.note{margin:0 0 16px;border-left:4px solid var(--medium)}.note h2{margin:0 0 8px;font-size:16px}
table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:10px 12px 10px 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
tbody tr:last-child>*{border-bottom:0}
th{font-weight:600}
thead th{color:var(--dim);font-size:14px;font-weight:550}
tbody th{font-weight:550}
.tag{display:inline-block;margin-top:2px;padding:0 8px;border-radius:4px;background:light-dark(#e4effd,#12263d);color:light-dark(#174f92,#8fc1fb);font-size:12px;font-weight:600}
.level{display:inline-flex;align-items:center;gap:8px;font-weight:550;white-space:nowrap}
.level svg{width:12px;height:12px;flex:none}
.UP{color:var(--up)}.LOW_DISRUPTION{color:var(--low)}.MEDIUM_DISRUPTION{color:var(--medium)}.HIGH_DISRUPTION{color:var(--high)}.UNKNOWN{color:var(--dim)}
.level span{color:var(--text)}
.bars{display:block;width:100%;height:56px}
.bars.empty{height:8px}
.bars rect{fill:currentColor}
.ends{display:flex;justify-content:space-between;margin-top:6px}
.key{display:flex;flex-wrap:wrap;gap:6px 20px;margin:12px 0 0;padding:0;list-style:none;font-size:14px}
summary{display:flex;align-items:center;gap:10px;width:fit-content;padding:6px 0;font-size:14px;list-style:none;cursor:pointer}
summary::-webkit-details-marker{display:none}
.incidents h3::after,summary:not(:has(h3))::after{content:'';position:relative;top:-2px;flex:none;width:7px;height:7px;margin-right:2px;border:solid var(--dim);border-width:0 2px 2px 0;transform:rotate(45deg)}
[open]>summary h3::after,[open]>summary:not(:has(h3))::after{top:2px;transform:rotate(225deg)}
.incidents{margin:0;padding:0;list-style:none}
.incidents summary{display:block;width:auto}.incidents h3::after{align-self:center}
.incidents h3 .level{flex:1 1 auto}
.method{margin-top:40px}.method summary{font-size:16px;font-weight:600}.method p{font-size:14px;color:var(--dim)}
rect.UNKNOWN{color:var(--line)}
.incidents>li{padding:8px 0;border-bottom:1px solid var(--line)}
.incidents>li:first-child{padding-top:0}.incidents>li:last-child{padding-bottom:0;border-bottom:0}
h3{display:flex;flex-wrap:wrap;gap:2px 16px;align-items:baseline;justify-content:space-between}
h3 .level{align-items:flex-start;white-space:normal}h3 svg{margin-top:6px}h3 .dim{font-weight:400}.incidents [data-open] h3 .dim{color:var(--high);font-weight:600}
dl{scroll-margin-top:72px;display:grid;grid-template-columns:repeat(auto-fill,minmax(190px,1fr));gap:8px 16px;margin:10px 0 8px;font-size:14px;font-variant-numeric:tabular-nums}
dt{color:var(--dim)}dd{margin:0}
footer{padding:24px 0 32px;color:var(--dim);font-size:14px}
footer .wide{display:flex;flex-wrap:wrap;gap:8px 20px;justify-content:space-between}
footer a{color:inherit;white-space:nowrap;text-decoration:none}footer a:hover{text-decoration:underline}footer span+span{display:flex;flex-wrap:wrap;gap:4px 16px}
@media (max-width:560px){header nav a:first-child{display:none}.card{padding:16px}.wordy{display:none}.bars{height:44px}dl{grid-template-columns:1fr}dl>div{display:grid;grid-template-columns:1fr 174px;gap:8px}h3 .dim{padding-left:20px}details th{white-space:nowrap}}
`.trim();

export function fontFace(url: string): string {
  return `@font-face{font-family:'Inter Variable';src:url(${url}) format('woff2');font-weight:100 900;font-display:swap}\n`;
}
