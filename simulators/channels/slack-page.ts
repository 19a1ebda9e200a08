import { escapeHtml } from '../kit/page.ts';
import type { SlackMessage } from './schemas.ts';

type Block = SlackMessage['blocks'][number];
type Rich = Extract<Block, { type: 'rich_text' }>['elements'][number];
type Section = Extract<Rich, { type: 'rich_text_section' }>;

const STYLE = `<style>
.slack { font: 15px/1.46668 Slack-Lato, Lato, system-ui, sans-serif; background: light-dark(#fff, #1a1d21); color: light-dark(#1d1c1d, #d1d2d3); border: 1px solid var(--line); border-radius: 8px; padding: 16px 20px; display: grid; grid-template-columns: 36px 1fr; gap: 0 8px; }
.slack .face { width: 36px; height: 36px; border-radius: 4px; background: #3b53c4; color: #fff; display: grid; place-items: center; font-weight: 700; }
.slack .who b { font-weight: 900; } .slack .app { font-size: 10px; font-weight: 700; background: light-dark(#e8e8e8, #35373b); border-radius: 2px; padding: 1px 3px; margin: 0 4px; vertical-align: 1px; }
.slack .at { font-size: 12px; opacity: .7; } .slack h3 { font-size: 18px; line-height: 1.33; font-weight: 900; margin: 8px 0; } .slack p { margin: 0; } .slack .part { margin: 8px 0; }
.slack ul { margin: 0; padding-left: 24px; } .slack a { color: light-dark(#1264a3, #1d9bd1); text-decoration: none; } .slack .context { font-size: 13px; opacity: .7; margin: 8px 0 0; }
.slack .button { display: inline-block; border: 1px solid light-dark(#1d1c1d4d, #e8e8e84d); border-radius: 8px; padding: 3px 12px; font-weight: 700; font-size: 15px; color: inherit; margin: 4px 8px 4px 0; }
.slack .primary { background: #007a5a; border-color: #007a5a; color: #fff; }
</style>`;

/** A message as Slack shows it, without its scripts: all texts are plain. */
export function drawSlack({ blocks }: SlackMessage, time: string): string {
  return `${STYLE}<div class="slack"><div class="face" aria-hidden="true">S</div><div>
<p class="who"><b>SmartPause</b><span class="app">APP</span> <span class="at">${escapeHtml(time)}</span></p>
${blocks.map(drawBlock).join('')}</div></div>`;
}

function drawBlock(block: Block): string {
  switch (block.type) {
    case 'header':
      return `<h3>${escapeHtml(block.text.text)}</h3>`;
    case 'rich_text':
      return `<div class="part">${block.elements.map(drawRich).join('')}</div>`;
    case 'context':
      return block.elements.map(({ text }) => `<p class="context">${escapeHtml(text)}</p>`).join('');
    case 'actions':
      return block.elements
        .map(
          ({ text, url, style = '' }) =>
            `<a class="button ${style}" href="${escapeHtml(url)}">${escapeHtml(text.text)}</a>`,
        )
        .join('');
  }
}

function drawRich(one: Rich): string {
  if (one.type === 'rich_text_section') return `<p>${drawSection(one)}</p>`;
  return `<ul>${one.elements.map((item) => `<li>${drawSection(item)}</li>`).join('')}</ul>`;
}

function drawSection({ elements }: Section): string {
  return elements
    .map((one) => {
      const text = escapeHtml(one.text);
      if (one.type === 'link') return `<a href="${escapeHtml(one.url)}">${text}</a>`;
      return one.style?.bold === true ? `<b>${text}</b>` : text;
    })
    .join('');
}
