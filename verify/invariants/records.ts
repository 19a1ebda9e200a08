import type { Mail } from '../../simulators/mailbox/mails.ts';
import { type HoldRow, type Query, type UserRow, takeSnapshot } from './snapshot.ts';

/** An event in the activity log that belongs to a campaign. */
export interface Activity {
  hold_id: string | null;
  /** Null once the user's account is deleted. */
  user_id: string | null;
  campaign_id: string;
  event: string;
  at: Date;
  /** The row of the notification that reports it; null: none does. */
  notification_id: string | null;
  /** Meta never confirmed or denied the write, and the event reports that. */
  is_unknown: boolean;
}

const ACTIVITIES = `select hold_id::text, user_id::text, campaign_id, event, created_at as at, notification_id::text,
    coalesce(message like '%did not confirm whether%', false) as is_unknown
  from activities where campaign_id is not null order by activities.created_at, activities.id`;
const OUTBOX = 'select id::text, kind, sent_at from notifications';

export type Received = Pick<Mail, 'to' | 'messageId' | 'text'>;

interface Given {
  query: Query;
  /** The statuses that SmartPause's writes set on Meta, in order, by hold; absent: the write log has its own rules. */
  changes?: ReadonlyMap<number, readonly string[]>;
  received: readonly Received[];
  campaigns: readonly { id: string; name: string }[];
}

/** The activity log, the outbox and the mailbox agree with the holds and the write log. */
export async function checkRecords({ query, changes = new Map(), received, campaigns }: Given) {
  const { holds, users } = await takeSnapshot(query);
  const activities = await query<Activity>(ACTIVITIES);
  const outbox = await query<{ id: string; kind: string; sent_at: Date | null }>(OUTBOX);
  const violations: string[] = [];
  for (const hold of holds) {
    // A deleted account takes its activities with it.
    const stays = users.some(({ id }) => id === hold.user_id);
    violations.push(...checkHold(hold, activities, stays ? (changes.get(hold.id) ?? []) : []));
  }
  const firsts = new Map<string, Received>();
  for (const mail of received) {
    const id = /^<smartpause\.(\w+)\./.exec(mail.messageId ?? '')?.[1] ?? mail.messageId ?? '';
    const first = firsts.get(id) ?? mail;
    firsts.set(id, first);
    if (first.messageId !== mail.messageId) violations.push(`mail ${id} arrived under two Message-IDs`);
    else if (first.text !== mail.text) violations.push(`mail ${id} arrived in two wordings`);
  }
  for (const { id, kind, sent_at } of outbox)
    if (sent_at === null) violations.push(`mail ${id} (${kind}) was never sent`);
  for (const one of activities) {
    const name = campaigns.find(({ id }) => id === one.campaign_id)?.name ?? '?';
    violations.push(...checkReport(one, name, users, firsts.get(one.notification_id ?? '-')));
  }
  return { violations, activities, holds };
}

/** Every pause and resume of a hold is in the activity log exactly once, and so is its end. */
function checkHold(hold: HoldRow, activities: readonly Activity[], changes: readonly string[]): string[] {
  const own = activities.filter(({ hold_id }) => hold_id === String(hold.id)).map(({ event }) => event);
  const wrong = own
    .filter((event, index) => own.indexOf(event) !== index)
    .map((event) => `${event} of hold ${hold.id} is in the activity log twice`);
  const ofCampaign = activities.filter(({ campaign_id }) => campaign_id === hold.campaign_id);
  // A late write that was taken back is logged as one event.
  const has = (event: string): boolean =>
    [event, `test_${event}`, 'taken_back'].some((name) => own.includes(name));
  // Taken over from a user whose activities were deleted with their account.
  const hasPaused =
    has('paused') ||
    ofCampaign.some((one) => one.event === 'taken_over' && one.user_id === String(hold.user_id));
  // Also reported by the activity of a manual pause or resume, which belongs to no hold.
  const isUnknown =
    hold.outcome === 'released' &&
    ofCampaign.some(({ is_unknown, hold_id, at }) => {
      const isOwn = hold_id === String(hold.id);
      return (
        is_unknown && (isOwn || (hold_id === null && at.getTime() === Date.parse(hold.resumed_at ?? '')))
      );
    });
  const written = isUnknown ? [] : changes;
  if ((hold.paused_at !== null || written.includes('PAUSED')) && !hasPaused)
    wrong.push(`hold ${hold.id} paused ${hold.campaign_id}, and the activity log does not say so`);
  if (written.at(-1) === 'ACTIVE' && !has('resumed'))
    wrong.push(`hold ${hold.id} resumed ${hold.campaign_id}, and the activity log does not say so`);
  const others = ['paused', 'test_paused', 'taken_back', 'not_restored'];
  const ends = new Set(own.filter((event) => !others.includes(event)));
  const isOfUser = ['smartpause_off', 'manual_pause'].includes(hold.reason ?? hold.release ?? '');
  if (hold.state === 'ended' && ends.size !== 1 && !isOfUser)
    wrong.push(`the end of hold ${hold.id} is in the activity log as ${[...ends].join(', ') || 'nothing'}`);
  return wrong;
}

/** Each email reports its own events to their user. */
function checkReport(one: Activity, name: string, users: readonly UserRow[], mail?: Received): string[] {
  const { event, hold_id, user_id, is_unknown } = one;
  const text = mail?.text ?? '';
  const leftAlone = text.replaceAll(/\s+/g, ' ').split(/(?:Not resumed|Disabled) \(/)[1] ?? '';
  // The email reports a later event of the same campaign instead.
  if (is_unknown && leftAlone.includes(name) && !leftAlone.includes('did not confirm whether'))
    return [`the unknown outcome of hold ${hold_id ?? '?'} is not in its mail`];
  if (hold_id === null || !['paused', 'resumed', 'deactivated'].includes(event)) return [];
  if (!text.includes(name)) return [`${event} of hold ${hold_id} is in no mail`];
  const email = users.find(({ id }) => String(id) === user_id)?.email;
  return email === undefined || mail?.to.includes(email ?? '') === true
    ? []
    : [`${event} of hold ${hold_id} is reported to ${String(mail?.to)}, not to ${email ?? 'no address'}`];
}
