import type { Campaign, HeldAccount } from '#contract/shapes.ts';
import type { Level } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';

/** In the order of the page: another one is a row here, and an entry of `bannersOf` or `pageBanners`. */
const KINDS = [
  'suspended',
  'address',
  'leaving',
  'outage',
  'access',
  'paused_all',
  'early_warning',
  'refused_pause',
  'refused',
  'not_resumed',
  'resume',
  'held',
  'not_protected',
  'status',
  'setup',
  'protection',
  'unreached',
  'trial',
] as const;

/** What the user can do about it. */
export type Act =
  | { act: 'protect_all'; label: string }
  | { act: 'choose' | 'show_held' | 'try' | 'pause_all' | 'change_end' | 'resume_all' }
  | { act: 'resume_now'; accounts: readonly HeldAccount[] }
  /** `label`: absent: 'Retry now'. */
  | { act: 'retry'; campaign: Campaign; label?: string }
  | { act: 'log_in' | 'send_link'; label: string }
  | { act: 'visit'; to: string; label: string; isButton?: true }
  | { act: 'leave'; href: string; label: string };

export interface Figure {
  value: string;
  label: string;
  detail?: string | undefined;
}

export interface Banner {
  kind: (typeof KINDS)[number];
  tone: 'red' | 'orange' | 'yellow' | 'blue' | 'green' | 'gray';
  /** The answer in plain words, larger than all else. */
  headline?: string;
  level?: Level;
  /** '36' 'paused' 'in Lind Outdoor'. */
  figures?: readonly Figure[];
  title?: string;
  sentences: readonly string[];
  /** Said before the sentences. */
  resumeAt?: Instant;
  acts: readonly Act[];
  /** Since when the status is as it is, and when it was read: below a disruption, or in place of one. */
  times?: 'disrupted' | 'checked' | 'up';
  /** Of the setup: how many steps are done, and how many there are. */
  steps?: { done: number; count: number };
  isDismissible?: true;
}

export function inOrder(banners: readonly (Banner | null)[]): Banner[] {
  const shown = banners.filter((banner) => banner !== null);
  return shown.toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
}

/** What one frame shows: the answer with its button, and below it what else belongs to it. */
export interface Card {
  lead: Banner;
  notes: Banner[];
}

const ALONE: Banner['kind'][] = ['suspended', 'address', 'leaving'];
const LINKS: Act['act'][] = ['show_held', 'visit', 'try'];
const APART: Banner['kind'][] = ['protection', 'refused_pause', 'refused', 'not_resumed', 'unreached'];

/** One answer for all: the first banner with a headline. What is no answer is a strip in its frame. */
export function cardsOf(banners: readonly Banner[]): Card[] {
  const others = banners.filter(({ kind }) => !ALONE.includes(kind));
  const answer = others.find(({ headline }) => headline !== undefined) ?? others[0];
  const notes = others.filter((banner) => banner !== answer);
  return [
    ...banners.filter(({ kind }) => ALONE.includes(kind)).map((lead) => ({ lead, notes: [] })),
    ...(answer === undefined ? [] : [withButton({ lead: answer, notes })]),
  ];
}

/** An answer without a button gets the first one of its notes, unless that is a matter of its own. */
function withButton(card: Card): Card {
  const helps = ({ act }: Act) => !LINKS.includes(act);
  const notes = card.notes.filter(({ kind }) => !APART.includes(kind));
  const help = notes.flatMap(({ acts }) => acts).find(helps);
  if (help === undefined || card.lead.acts.some(helps)) return card;
  // In an outage its reason, if it is about one ad account, stands beside it.
  const said = notes.find(
    ({ kind, acts: [first, second] }) =>
      card.lead.kind === 'outage' && kind === 'not_protected' && first === help && second?.act !== 'leave',
  );
  const reason = said === undefined ? [] : [`${said.title ?? ''}.`, ...said.sentences];
  return {
    lead: {
      ...card.lead,
      acts: [...(said?.acts ?? [help]), ...card.lead.acts],
      sentences: [...reason, ...card.lead.sentences],
    },
    notes: card.notes
      .filter((note) => note !== said)
      .map((note) => ({ ...note, acts: note.acts.filter((act) => act !== help) })),
  };
}
