import type { Level } from '#core/smartpause/level.ts';

const FONT = "'Inter','Helvetica Neue',Helvetica,Arial,sans-serif";

/** Inline styles, since email clients ignore stylesheets. Dark mode overrides them by class below. */
export const STYLE = {
  text: 'margin:0 0 16px;font-size:16px;line-height:1.55',
  status:
    'margin:0 0 16px;padding:12px 16px;font-size:16px;line-height:1.5;background:#f1f3f7;border-radius:8px',
  heading: 'margin:24px 0 8px;font-size:16px;line-height:1.4;font-weight:600',
  note: 'margin:0 0 8px;font-size:14px;line-height:1.5;color:#5b6472',
  list: 'margin:0 0 16px;padding:0 0 0 20px',
  item: 'margin:0 0 6px;font-size:16px;line-height:1.5',
  facts: 'margin:0 0 16px;border-collapse:collapse',
  factLabel:
    'padding:3px 16px 3px 0;font-size:15px;line-height:1.5;font-weight:400;text-align:left;vertical-align:top;white-space:nowrap;color:#5b6472',
  factValue: 'padding:3px 0;font-size:15px;line-height:1.5;vertical-align:top',
  quiet: 'font-size:14px;color:#5b6472',
  link: 'color:#3b53c4',
  button:
    'display:inline-block;padding:11px 20px;border-radius:8px;background:#3b53c4;color:#ffffff;font-size:16px;font-weight:600;text-decoration:none',
  shape: {
    UP: 'color:#1c7c36',
    LOW_DISRUPTION: 'color:#8a6d00',
    MEDIUM_DISRUPTION: 'color:#c2410c',
    HIGH_DISRUPTION: 'color:#c11f1f',
    UNKNOWN: 'color:#5b6472',
  } satisfies Record<Level, string>,
} as const;

const DARK = `
.ground{background:#0f1216!important}.card{background:#181c22!important;border-color:#2d333d!important}
.words,.words p,.words li,.words td,.words h1,.words h2{color:#e7eaef!important}
.quiet,.words .quiet,.foot{color:#98a1ae!important}.status{background:#22272f!important}
.link{color:#8fa1ef!important}.words a.button{background:#4a64dc!important;color:#ffffff!important}
.UP .shape{color:#4ecb71!important}.LOW_DISRUPTION .shape{color:#f2cc45!important}
.MEDIUM_DISRUPTION .shape{color:#ff9a4d!important}.HIGH_DISRUPTION .shape{color:#ff7171!important}
.UNKNOWN .shape{color:#98a1ae!important}`;

/** The icon, drawn in styles: an image from our host would be blocked in many clients, and report who reads the email. */
const MARK =
  '<span style="display:inline-block;width:28px;height:28px;line-height:28px;border-radius:8px;background:#3b53c4;text-align:center;vertical-align:middle" aria-hidden="true">' +
  '<span style="display:inline-block;width:4px;height:12px;border-radius:1px;background:#ffffff;vertical-align:middle"></span>' +
  '<span style="display:inline-block;width:0;height:0;margin-left:3px;border-style:solid;border-width:6px 0 6px 9px;border-color:transparent transparent transparent #ffffff;vertical-align:middle"></span></span>';

/** The HTML of an email: one column, readable in any width, light and dark. The parts are HTML already. */
export function layout(part: { title: string; preview: string; body: string; footer: string }): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${part.title}</title>
<style>:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:480px){.card{padding:24px 20px 8px!important}.facts th,.facts td{display:block!important;padding:0!important}.facts td{padding-bottom:8px!important}}
@media (prefers-color-scheme:dark){${DARK}}</style></head>
<body class="ground" style="margin:0;padding:0;background:#f6f7f9">
<div style="display:none;max-height:0;overflow:hidden">${part.preview}</div>
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" style="background:#f6f7f9"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;text-align:left;font-family:${FONT}">
<tr><td class="words" style="padding:0 0 16px;color:#1d2330;font-size:17px;font-weight:700"><p style="margin:0">${MARK}&nbsp; SmartPause</p></td></tr>
<tr><td class="card words" style="padding:32px 32px 16px;background:#ffffff;border:1px solid #e1e4ea;border-radius:14px;color:#1d2330">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:650;text-wrap:balance">${part.title}</h1>${part.body}</td></tr>
<tr><td class="foot" style="padding:16px 0;color:#5b6472;font-size:13px;line-height:1.5">${part.footer}</td></tr>
</table></td></tr></table></body></html>
`;
}
