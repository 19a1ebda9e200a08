import { byName } from '#core/campaign.ts';
import { describeEvent } from '#core/events.ts';
import { counted } from '#core/labels.ts';
import { clockTime, fullTimeWithUtc, monthOf, newYorkTime } from '#core/new-york.ts';
import { refusedChange } from '#core/outages/activity-text.ts';
import type { Instant } from '#core/time.ts';
import type { NamedCampaign, PendingActivity } from '../../db/reports/notified-activities.ts';
import type { Block } from '../render.ts';
import { shortMessage } from '../render.ts';

/** With more ad accounts an email is so long that Gmail hides its end. */
const ACCOUNTS_MAX = 20;

/** '9:10 PM EST' on the New York day of a time that the email names with date and UTC. */
export function timeOn(day: Instant | null, at: Instant): string {
  return day !== null && isSameDay(day, at) ? clockTime(at) : fullTimeWithUtc(at);
}

/** In New York. */
export function isSameDay(one: Instant, other: Instant): boolean {
  const [first, second] = [newYorkTime(one), newYorkTime(other)];
  return first.day === second.day && monthOf(one) === monthOf(other);
}

/** One list per ad account, and one that counts the campaigns of the others. */
export function byAccount<Campaign extends NamedCampaign>(
  verb: string,
  all: readonly Campaign[],
  {
    later = () => null,
    day = null,
  }: { later?: (campaign: Campaign) => string | null; day?: Instant | null } = {},
): Block[] {
  const accounts = [...Map.groupBy(all.toSorted(byNames), ({ account }) => account)];
  const lists: Block[] = accounts.slice(0, ACCOUNTS_MAX).map(([account, own]) =>
    listOf(
      `${verb} in ${account} (${campaigns(own.length)})`,
      own.map((one) => ({ name: one.name, time: timeOn(day, one.at), later: later(one) })),
    ),
  );
  const others = accounts.slice(ACCOUNTS_MAX);
  if (others.length === 0) return lists;
  const count = others.reduce((sum, [, own]) => sum + own.length, 0);
  const list = `${verb} in ${counted(others.length, 'more ad account')} (${campaigns(count)})`;
  return [...lists, { list, items: others.map(([account, own]) => [account, campaigns(own.length)]) }];
}

/** @param given.said Meta's words that stand above the lists: they are not repeated */
export function notChanged(
  verb: string,
  acts: readonly PendingActivity[],
  { said = null, day = null }: { said?: string | null; day?: Instant | null } = {},
): Block[] {
  if (acts.length === 0) return [];
  const rows = acts.toSorted(byNames).map((act) => {
    const why = describeEvent(act.happened).email?.why ?? 'not changed';
    const isSaid = said !== null && why.endsWith(refusedChange(said));
    return { ...columnsOf(act, day), why: isSaid ? '' : shortMessage(why), later: againCopy(act) };
  });
  return [listOf(`${verb} (${campaigns(rows.length)})`, rows)];
}

interface Row {
  name: string;
  account?: string;
  time: string;
  why?: string;
  later?: string | null;
}

export function columnsOf({ name, account, at }: NamedCampaign, day: Instant | null = null): Row {
  return { name, account, time: timeOn(day, at) };
}

/** What all rows share stands once above them; of the times that which most share. */
export function listOf(list: string, rows: readonly Row[]): Block {
  const [first] = rows;
  const isSame = (key: 'account' | 'why') => rows.every((row) => row[key] === first?.[key]);
  const shared =
    rows.length < 2 || first === undefined
      ? {}
      : {
          ...(isSame('account') && { account: first.account }),
          ...(isSame('why') && { why: first.why }),
          time: mostShared(rows.map(({ time }) => time)),
        };
  const items = rows.map((row) => {
    const own = Object.entries(row).filter(([key, text]) => shared[key as keyof typeof shared] !== text);
    const detail = detailOf(Object.fromEntries(own));
    return detail === '' ? ([row.name] as const) : ([row.name, detail] as const);
  });
  const note = detailOf(shared);
  return { list, ...(note !== '' && { note }), items };
}

/** 'Lind Outdoor, Jan 8, 2026, 9:10 PM EST: it was archived; paused again since then'. */
function detailOf({ account, time, why, later }: { [Key in keyof Row]?: Row[Key] | undefined }): string {
  const joined = (texts: readonly (string | null | undefined)[], glue: string) =>
    texts.filter((text) => typeof text === 'string' && text !== '').join(glue);
  return joined([joined([joined([account, time], ', '), why], ': '), later], '; ');
}

/** Undefined: no two are the same. */
function mostShared(texts: readonly string[]): string | undefined {
  const counts = [...Map.groupBy(texts, (text) => text).values()].toSorted((a, b) => b.length - a.length);
  return (counts[0]?.length ?? 0) > 1 ? counts[0]?.[0] : undefined;
}

function byNames(a: NamedCampaign, b: NamedCampaign): number {
  return byName(a.account, b.account) || byName(a.name, b.name);
}

/** What has happened since. */
export function againCopy({ happened: { event }, isHeld, isOn }: PendingActivity): string | null {
  if (event === 'retrying' || event === 'postponed' || event === 'held_up') return null;
  if (isHeld) return 'paused again since then';
  return event === 'deactivated' && isOn ? 'SmartPause has been turned on again' : null;
}

export function campaigns(count: number): string {
  return counted(count, 'campaign');
}

/** '2 campaigns stay'. */
export function stay(count: number): string {
  return `${campaigns(count)} ${count === 1 ? 'stays' : 'stay'}`;
}

export function itOrThem(count: number): string {
  return count === 1 ? 'it' : 'them';
}
