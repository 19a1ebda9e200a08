import { LEVEL_WORDS } from '#core/labels.ts';
import type { Level } from '#core/smartpause/level.ts';
import type { Message } from '../message.ts';
import type { Block } from '../render.ts';
import { cut, moreLabel, plain, statusText } from '../render.ts';

/** What a channel shows of a message: each text in it is already inert there. */
export interface Content {
  title: string;
  /** Null: the message says none. */
  level: Level | null;
  /** Paragraphs first, and of these what the user can act on: a chat folds what is long. */
  parts: Part[];
  /** The first one is the main one: that of the outage, where there is one. */
  buttons: Button[];
  page: string;
  /** Parts are left out. */
  isCut: boolean;
}

export interface Button {
  label: string;
  address: string;
}

export type Part =
  | { paragraph: string; link: Button | null }
  | { status: Level; word: string; since: string | null; text: string; sentence: string }
  | { facts: { label: string; value: string }[] }
  | { list: string; note: string | null; items: { name: string; detail: string | null }[]; omitted: number };

export interface Run {
  text: string;
  isBold?: boolean;
  address?: string;
}

export interface Line {
  runs: Run[];
  /** Of a list. */
  isItem?: boolean;
}

/** What a channel does to each text, so that nothing in a name becomes a link, a mention or markup. */
export type Say = (text: string) => string;

/** What a channel does to a text may double it, or make it a third longer. */
const MAX = { title: 110, paragraph: 1_000, heading: 250, name: 150, detail: 400, button: 35 };
/** How many items of a list and parts are shown: first as much as any channel shows. */
type Size = readonly [items: number, parts: number];
const LONGEST: Size = [50, 45];
/** Tried one after the other; the last one fits everywhere. */
const SHORTER: readonly Size[] = [20, 10, 5, 2]
  .map((items): Size => [items, 45])
  .concat([
    [1, 12],
    [1, 4],
    [0, 1],
  ]);

interface Given {
  message: Message;
  publicUrl: string;
  say: Say;
}

/** The request with as much of the message as fits. Lists become shorter first, and say how many items are left out. */
export function fitting<Request>(
  given: Given,
  render: (content: Content) => Request,
  fits: (request: Request) => boolean,
): Request {
  let request = render(contentOf(given, LONGEST));
  for (const size of SHORTER) {
    if (fits(request)) break;
    request = render(contentOf(given, size));
  }
  return request;
}

function contentOf({ message, publicUrl, say }: Given, [items, most]: Size): Content {
  const { blocks } = message;
  const level = blocks.find((block) => typeof block === 'object' && 'status' in block)?.status ?? null;
  const page =
    message.outage === null ? (message.page ?? publicUrl) : `${publicUrl}/activity/${message.outage}`;
  const buttons = blocks.flatMap((block) => (typeof block === 'object' && 'button' in block ? [block] : []));
  const toPage = buttons.filter(({ address }) => address === page);
  const others = buttons.filter(({ address }) => address !== page);
  const shown =
    message.outage === null
      ? [...others, ...(toPage.length > 0 ? toPage : [{ button: 'Open SmartPause', address: page }])]
      : [...(toPage.length > 0 ? toPage : [{ button: 'See the outage', address: page }]), ...others];
  // No service accepts an empty text.
  const short = (text: string, max: number): string => say(cut(plain(text) || '–', max));
  const ordered = [...Map.groupBy(blocks, (block, index) => rankOf(block, blocks.slice(index + 1)))]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([, own]) => own);
  const parts = ordered.flatMap((block) => partOf(block, items, short));
  return {
    ...{ title: short(message.subject, MAX.title), level, page, parts: parts.slice(0, most) },
    buttons: shown.map(({ button, address }) => ({ label: short(button, MAX.button), address })),
    isCut: parts.length > most,
  };
}

/** A paragraph with a button of its own is an act; the last button belongs to the whole message. */
function rankOf(block: Block, [next, ...rest]: readonly Block[]): number {
  if (typeof block === 'object' && !('sentence' in block)) return 2;
  return typeof next === 'object' && 'button' in next && rest.length > 0 ? 0 : 1;
}

function partOf(block: Block, most: number, short: (text: string, max: number) => string): Part[] {
  if (typeof block === 'string') return [{ paragraph: short(block, MAX.paragraph), link: null }];
  if ('sentence' in block) {
    const link = { label: short(block.link, MAX.heading), address: block.address };
    return [{ paragraph: short(block.sentence, MAX.paragraph), link }];
  }
  if ('button' in block) return [];
  if ('facts' in block) {
    const facts = block.facts.slice(0, most + 1).map(([label, value]) => ({
      label: short(label, MAX.heading),
      value: short(value, MAX.detail),
    }));
    return [{ facts }];
  }
  if ('status' in block) {
    const { status, text, since = null } = block;
    const dated = since === null ? null : short(since, MAX.detail);
    return [
      {
        status,
        word: LEVEL_WORDS[status],
        since: dated,
        text: short(text, MAX.paragraph),
        sentence: short(statusText(block), MAX.paragraph),
      },
    ];
  }
  const { list, note, items, omitted = 0 } = block;
  const shown = items.slice(0, most).map(([name, detail = '']) => ({
    name: short(name, MAX.name),
    detail: detail === '' ? null : short(detail, MAX.detail),
  }));
  return [
    {
      ...{ list: short(list, MAX.heading), note: note === undefined ? null : short(note, MAX.detail) },
      ...{ items: shown, omitted: omitted + items.length - shown.length },
    },
  ];
}

/** How people read a part in a chat. */
export function linesOf(part: Part, page: string): Line[] {
  if ('paragraph' in part) return [{ runs: runsOf(part) }];
  if ('status' in part) {
    return [
      {
        runs: [
          { text: part.word, isBold: true },
          { text: part.since === null ? part.sentence : ` ${part.sentence}` },
        ],
      },
    ];
  }
  if ('facts' in part)
    return part.facts.map(({ label, value }) => ({
      runs: [{ text: `${label}: `, isBold: true }, { text: value }],
    }));
  const items = part.items.map(({ name, detail }) => ({
    ...{ runs: [{ text: detail === null ? name : `${name}: ${detail}` }], isItem: true },
  }));
  const more = { runs: [{ text: moreLabel(part.omitted), address: page }], isItem: true };
  return [
    { runs: [{ text: part.list, isBold: true }] },
    ...(part.note === null ? [] : [{ runs: [{ text: part.note }] }]),
    ...(part.omitted === 0 ? items : [...items, more]),
  ];
}

function runsOf({ paragraph, link }: { paragraph: string; link: Button | null }): Run[] {
  const at = link === null ? -1 : paragraph.indexOf(link.label);
  if (link === null || at < 0) return [{ text: paragraph }];
  const { label: text, address } = link;
  const runs: Run[] = [{ text: paragraph.slice(0, at) }, { text, address }];
  return [...runs, { text: paragraph.slice(at + text.length) }].filter((run) => run.text !== '');
}

/** For channels that show a text as it is, except that they may look for addresses in it. */
export function inert(text: string): string {
  return text.replaceAll('://', ':\u200b//');
}

export function bytesOf(body: string): number {
  return Buffer.byteLength(body);
}
