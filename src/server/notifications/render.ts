import { escapeHtml } from '#core/escape-html.ts';
import { DISCLAIMER, LEVEL_WORDS, figure } from '#core/labels.ts';
import type { Level } from '#core/smartpause/level.ts';
import { STYLE, layout } from './layout.ts';

/** The parts of a notification. Each channel renders the same parts. */
export type Block =
  /** A paragraph. */
  | string
  /** A paragraph in which these words are a link. */
  | { sentence: string; link: string; address: string }
  /** The platform's status as a word, a shape and a colour, with what it is or since when; null: not known. */
  | { status: Level; text: string; since?: string | null }
  | { facts: readonly (readonly [label: string, value: string])[] }
  | List
  | { button: string; address: string };

interface List {
  list: string;
  /** What all items share. */
  note?: string;
  items: readonly (readonly [text: string, detail?: string])[];
  /** How many more there are: `shortened` leaves them out. */
  omitted?: number;
}

export interface Notification {
  subject: string;
  /** Why the user gets this notification; a default reason unless given. */
  why?: string;
  /** Null: not said. */
  blocks: readonly (Block | null)[];
  /** The page that names what long lists leave out. */
  page?: string;
  /** Only that incident ends, of `incidentOf` in the core. */
  ends?: string;
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
  'You’re receiving this email because SmartPause protects your campaigns. Emails about its actions can’t be turned off.';
const TURN_OFF = 'Turn off this email';
const SUBJECT_MAX = 150;
const NAME_MAX = 100;
/** Of messages with a name, its id and a reason. */
const MESSAGE_MAX = 300;
const PREVIEW_MAX = 160;
/** Longer lists are folded to the number of the other items, with a link to the page that names them. */
export const LIST_MAX = 10;
/** Of all lists together, with at least one item each: Gmail hides what comes after 102 KB. */
const ITEMS_MAX = 40;

/** With what it says and lists as long as the longest message shows them: an ad account has thousands of campaigns. */
export function shortened({ blocks, ...rest }: Notification) {
  return { ...rest, blocks: withShortLists(blocks.filter((block) => block !== null)) };
}

/** The email of a notification: both its forms, and its subject. @param unsubscribe where its recipient turns it off */
export function render(notification: Notification, publicUrl: string, unsubscribe?: string) {
  const { subject, why = USUAL_WHY, page = publicUrl, blocks } = shortened(notification);
  const title = plain(subject);
  const footer = `${why} ${DISCLAIMER}`;
  const off = unsubscribe === undefined ? [] : [[TURN_OFF, unsubscribe] as const];
  // One act stands out.
  const main = blocks.find((block) => typeof block === 'object' && 'button' in block);
  const preview = cut(blocks.map(wordsOf).filter(Boolean).join(' '), PREVIEW_MAX);
  return {
    subject: shortSubject(subject),
    text: `${[title, ...blocks.map((block) => toText(block, page)), `--\n${[footer, ...off.map((link) => link.join(': ')), publicUrl].join('\n')}`].join('\n\n')}\n`,
    html: layout({
      title: headlineOf(title),
      preview: escapeHtml(preview),
      body: blocks.map((block) => toHtml(block, { page, isMain: block === main })).join(''),
      footer: [escapeHtml(footer), ...[...off, [publicUrl, publicUrl] as const].map(linkOf)].join('<br>'),
    }),
  };
}

function linkOf([label, address]: readonly [string, string]): string {
  return `<a class="link" href="${escapeHtml(address)}" style="${STYLE.link}">${escapeHtml(label)}</a>`;
}

/** One line without control characters, and without those that change the direction of the text around them. */
export function plain(text: string): string {
  return text
    .replaceAll(/[\p{Bidi_Control}]/gu, '')
    .replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
    .trim();
}

export function shortSubject(subject: string): string {
  return cut(plain(subject), SUBJECT_MAX);
}

/** A name in a sentence or list: one line, and not so long that it hides the rest. */
export function shortName(name: string): string {
  return cut(plain(name), NAME_MAX);
}

export function shortMessage(message: string): string {
  return cut(plain(message), MESSAGE_MAX);
}

const graphemes = new Intl.Segmenter('en');

/** At most so many UTF-16 units, and never in the middle of a character as people see it. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  let kept = '';
  for (const { segment } of graphemes.segment(text)) {
    if (kept.length + segment.length > max - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** What the list of emails shows beside the subject: the sentences, of which the first says what comes next. */
function wordsOf(block: Block): string {
  if (typeof block === 'string') return plain(block);
  if ('sentence' in block) return plain(block.sentence);
  return 'status' in block ? `${LEVEL_WORDS[block.status]}${statusText(block)}` : '';
}

/** ': below your threshold now.' or ' since Jan 8 … . Your threshold is medium.' */
export function statusText({ text, since }: { text: string; since?: string | null }): string {
  return `${since === undefined ? ':' : since === null ? '.' : ` since ${plain(since)}.`} ${plain(text)}`;
}

/** A list without the items that do not fit, and their number. */
type ShortList = List & { omitted: number };
type ShortBlock = Exclude<Block, List> | ShortList;

function withShortLists(blocks: readonly Block[]): ShortBlock[] {
  const lists = blocks.filter((block) => typeof block === 'object' && 'list' in block).length;
  const max = Math.min(LIST_MAX, Math.max(1, Math.floor(ITEMS_MAX / lists)));
  return blocks.map((block) => {
    if (typeof block === 'string' || !('list' in block)) return block;
    // One more line is no longer than the link.
    const shown = block.items.length <= max + 1 ? block.items : block.items.slice(0, max);
    return { ...block, items: shown, omitted: block.items.length - shown.length + (block.omitted ?? 0) };
  });
}

function toText(block: ShortBlock, page: string): string {
  if (typeof block === 'string') return plain(block);
  if ('sentence' in block) return `${plain(block.sentence)}\n${block.address}`;
  if ('status' in block) return `${SHAPES[block.status]} ${LEVEL_WORDS[block.status]}${statusText(block)}`;
  if ('facts' in block) return block.facts.map(([label, value]) => `${label}: ${plain(value)}`).join('\n');
  if ('button' in block) return `${block.button}: ${block.address}`;
  const { list, note, omitted } = block;
  const items = block.items.map((parts) => `- ${parts.map((part = '') => plain(part)).join(': ')}`);
  const more = omitted === 0 ? [] : [`- ${moreLabel(omitted)}: ${page}`];
  return [`${plain(list)}:`, ...(note === undefined ? [] : [plain(note)]), ...items, ...more].join('\n');
}

export function moreLabel(omitted: number): string {
  return `and ${figure(omitted)} more`;
}

function toHtml(block: ShortBlock, { page, isMain }: { page: string; isMain: boolean }): string {
  if (typeof block === 'string') return `<p style="${STYLE.text}">${safe(block)}</p>`;
  if ('sentence' in block) {
    const link = `<a class="link" href="${escapeHtml(block.address)}" style="${STYLE.link}">${safe(block.link)}</a>`;
    return `<p style="${STYLE.text}">${safe(block.sentence).replace(safe(block.link), () => link)}</p>`;
  }
  if ('status' in block)
    return `<p class="status ${block.status}" style="${STYLE.status}"><span class="shape" style="${STYLE.shape[block.status]}">${SHAPES[block.status]}</span> <b>${LEVEL_WORDS[block.status]}</b>${escapeHtml(statusText(block))}</p>`;
  if ('facts' in block)
    return `<table class="facts" role="presentation" cellpadding="0" cellspacing="0" style="${STYLE.facts}">${block.facts.map(factRow).join('')}</table>`;
  if ('button' in block) {
    const name = isMain ? 'button' : 'link';
    return `<p style="${STYLE.text}"><a class="${name}" href="${escapeHtml(block.address)}" style="${STYLE[name]}">${safe(block.button)}</a></p>`;
  }
  const { list, note, items, omitted } = block;
  const shared = note === undefined ? '' : `<p class="quiet" style="${STYLE.note}">${safe(note)}</p>`;
  const more =
    omitted === 0
      ? ''
      : `<li style="${STYLE.item}"><a class="link" href="${escapeHtml(page)}" style="${STYLE.link}">${moreLabel(omitted)}</a></li>`;
  return `<h2 style="${STYLE.heading}">${headingOf(list)}</h2>${shared}<ul style="${STYLE.list}">${items.map(itemRow).join('')}${more}</ul>`;
}

/** '1 campaign' does not wrap. */
function headlineOf(title: string): string {
  return escapeHtml(title).replaceAll(/(\d) (?=campaigns?\b)/g, '$1\u00a0');
}

/** '(1 campaign)' does not wrap. */
function headingOf(list: string): string {
  return safe(list).replace(/\((\S+) (\S+)\)$/, '($1\u00a0$2)');
}

function factRow([label, value]: readonly [string, string]): string {
  return `<tr><th class="quiet" scope="row" style="${STYLE.factLabel}">${safe(label)}</th><td style="${STYLE.factValue}">${safe(value)}</td></tr>`;
}

function itemRow([text, detail]: readonly [string, string?]): string {
  const more =
    detail === undefined ? '' : `<br><span class="quiet" style="${STYLE.quiet}">${safe(detail)}</span>`;
  return `<li style="${STYLE.item}">${safe(text)}${more}</li>`;
}

function safe(text: string): string {
  return escapeHtml(plain(text));
}
