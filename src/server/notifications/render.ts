import { escapeHtml } from '#core/escape-html.ts';
import { LEVEL_WORDS } from '#core/labels.ts';
import type { Level } from '#core/smartpause/level.ts';
import type { Block, ListItem, Notification } from './blocks.ts';
import { LIST_MAX } from './blocks.ts';
import { STYLE, frame } from './frame.ts';

/** A notification as plain text and as HTML. */
export interface Rendered {
  subject: string;
  text: string;
  html: string;
}

/** One per level. Every email client has these characters; the web app draws its own shapes. */
const SHAPES: Record<Level, string> = {
  UP: '●',
  LOW_DISRUPTION: '▲',
  MEDIUM_DISRUPTION: '◆',
  HIGH_DISRUPTION: '⬣',
  UNKNOWN: '◌',
};

const USUAL_WHY =
  "You're receiving this email because SmartPause protects your campaigns. Emails about its actions can't be turned off.";
const FOOTER = 'All times are New York time (EST). SmartPause is not affiliated with Meta.';

const SUBJECT_MAX = 200;

export function render(notification: Notification, publicUrl: string): Rendered {
  const footer = `${notification.why ?? USUAL_WHY} ${FOOTER}`;
  const text = [
    oneLine(notification.title),
    ...notification.blocks.map(toText),
    `--\n${footer}\n${publicUrl}`,
  ].join('\n\n');
  const body = notification.blocks.map(toHtml).join('');
  const html = frame({
    title: escapeHtml(notification.title),
    preview: escapeHtml(notification.preview),
    body,
    footer: `${escapeHtml(footer)}<br><a class="link" href="${escapeHtml(publicUrl)}" style="${STYLE.link}">${escapeHtml(publicUrl)}</a>`,
  });
  return { subject: oneLine(notification.subject).slice(0, SUBJECT_MAX), text: `${text}\n`, html };
}

function toText(block: Block): string {
  if (typeof block === 'string') return oneLine(block);
  switch (block.kind) {
    case 'status':
      return `${SHAPES[block.level]} ${LEVEL_WORDS[block.level]}: ${oneLine(block.text)}`;
    case 'facts':
      return block.rows.map(([label, value]) => `${label}: ${oneLine(value)}`).join('\n');
    case 'list':
      return [`${oneLine(block.title)}:`, ...shown(block.items).map(itemText)].join('\n');
    case 'button':
      return `${block.label}: ${block.address}`;
  }
}

function itemText({ text, detail }: ListItem): string {
  return `- ${oneLine(detail === undefined ? text : `${text}: ${detail}`)}`;
}

function toHtml(block: Block): string {
  if (typeof block === 'string') return `<p style="${STYLE.text}">${escapeHtml(block)}</p>`;
  switch (block.kind) {
    case 'status':
      return `<p class="status ${block.level}" style="${STYLE.status}"><span class="shape" style="${STYLE.shape[block.level]}">${SHAPES[block.level]}</span> <b>${escapeHtml(LEVEL_WORDS[block.level])}</b>: ${escapeHtml(block.text)}</p>`;
    case 'facts':
      return `<table role="presentation" cellpadding="0" cellspacing="0" style="${STYLE.facts}">${block.rows.map(factRow).join('')}</table>`;
    case 'list':
      return `<h2 style="${STYLE.heading}">${escapeHtml(block.title)}</h2><ul style="${STYLE.list}">${shown(block.items).map(itemHtml).join('')}</ul>`;
    case 'button':
      return `<p style="${STYLE.text}"><a class="button" href="${escapeHtml(block.address)}" style="${STYLE.button}">${escapeHtml(block.label)}</a></p>`;
  }
}

function factRow([label, value]: readonly [string, string]): string {
  return `<tr><th class="quiet" scope="row" style="${STYLE.factLabel}">${escapeHtml(label)}</th><td style="${STYLE.factValue}">${escapeHtml(value)}</td></tr>`;
}

function itemHtml({ text, detail }: ListItem): string {
  const more =
    detail === undefined ? '' : `<br><span class="quiet" style="${STYLE.quiet}">${escapeHtml(detail)}</span>`;
  return `<li style="${STYLE.item}">${escapeHtml(text)}${more}</li>`;
}

function shown(items: readonly ListItem[]): ListItem[] {
  if (items.length <= LIST_MAX) return [...items];
  return [...items.slice(0, LIST_MAX), { text: `and ${items.length - LIST_MAX} more` }];
}

/** Removes line breaks, so that a quoted name cannot add lines. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
}
