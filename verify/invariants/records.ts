import type { Mail } from '../../simulators/mailbox/mails.ts';
import { type HoldRow, type Query, type UserRow, takeSnapshot } from './snapshot.ts';

/** An event in the activity log that belongs to a campaign. */
export interface Activity {
  hold_id: string | null;
  /** Null once the user's account is deleted. */
  user_id: string | null;
  campaign_id: string;
  event: string;
  /** The row of the notification that reports it; null: none does. */
  notification_id: string | null;
}

const ACTIVITIES = `select hold_id::text, user_id::text, campaign_id, event, notification_id::text
  from activities where campaign_id is not null order by created_at, id`;
const OUTBOX = 'select id::text, kind, sent_at from notifications';

export type Received = Pick<Mail, 'to' | 'messageId' | 'text'>;

interface Given {
  query: Query;
  received: readonly Received[];
  campaigns: readonly { id: string; name: string }[];
}

/** The activity log, the outbox and the mailbox agree with the holds. */
export async function checkRecords({ query, received, campaigns }: Given) {
  const { holds, users } = await takeSnapshot(query);
  const activities = await query<Activity>(ACTIVITIES);
  const outbox = await query<{ id: string; kind: string; sent_at: Date | null }>(OUTBOX);
  const violations = holds.flatMap((hold) => checkHold(hold, activities));
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
  return { violations, activities };
}

/** Every pause of a hold is in the activity log exactly once, and so is its end. */
function checkHold(hold: HoldRow, activities: readonly Activity[]): string[] {
  const own = activities.filter(({ hold_id }) => hold_id === String(hold.id)).map(({ event }) => event);
  const wrong = own
    .filter((event, index) => own.indexOf(event) !== index)
    .map((event) => `${event} of hold ${hold.id} is in the activity log twice`);
  const hasPaused =
    ['paused', 'test_paused'].some((name) => own.includes(name)) ||
    // Taken over from a user whose activities were deleted with their account.
    activities.some(
      ({ event, campaign_id, user_id }) =>
        event === 'taken_over' && campaign_id === hold.campaign_id && user_id === String(hold.user_id),
    );
  if (hold.paused_at !== null && !hasPaused)
    wrong.push(`hold ${hold.id} paused ${hold.campaign_id}, and the activity log does not say so`);
  const others = ['paused', 'test_paused'];
  const ends = new Set(own.filter((event) => !others.includes(event)));
  const isOfUser = ['smartpause_off', 'manual_pause'].includes(hold.release_reason ?? '');
  if (hold.state === 'ended' && ends.size !== 1 && !isOfUser)
    wrong.push(`the end of hold ${hold.id} is in the activity log as ${[...ends].join(', ') || 'nothing'}`);
  return wrong;
}

/** Each email reports its own events to their user. */
function checkReport(one: Activity, name: string, users: readonly UserRow[], mail?: Received): string[] {
  const { event, hold_id, user_id } = one;
  if (!['paused', 'resumed', 'deactivated', 'taken_over', 'handed_over'].includes(event)) return [];
  const about = `${event} of ${hold_id === null ? name : `hold ${hold_id}`}`;
  if (mail?.text?.includes(name) !== true) return [`${about} is in no mail`];
  const email = users.find(({ id }) => String(id) === user_id)?.email;
  return email === undefined || mail.to.includes(email ?? '')
    ? []
    : [`${about} is reported to ${String(mail.to)}, not to ${email ?? 'no address'}`];
}
