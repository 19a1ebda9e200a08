import type { Mail } from '../../simulators/mailbox/mails.ts';
import type { Write as MetaWrite } from '../../simulators/meta-graph/state.ts';
import { type HoldRow, type Query, type Snapshot, takeSnapshot } from './snapshot.ts';

/** An event in the activity log that belongs to a campaign. */
interface Activity {
  hold_id: string | null;
  /** Null once the user's account is deleted. */
  user_id: string | null;
  campaign_id: string;
  event: string;
  /** A pause that was there before: an early warning had begun it. */
  was_early: boolean;
  /** The row of the notification that reports it; null: none does. */
  notification_id: string | null;
}

const ACTIVITIES = `select campaign ->> 'holdId' as hold_id, user_id::text, c.id as campaign_id, event, notification_id::text,
    coalesce((coalesce(campaign -> 'facts', facts) ->> 'wasEarly')::boolean, false) as was_early
  from activities, jsonb_each(campaigns) as c(id, campaign) order by created_at, activities.id`;
/** Who left before the mail knows it from the last one. */
/** Who leaves gets no mail any more, also about what goes on when they come back. */
const OF_WARNINGS = `select user_id::text, facts ->> 'since' as since, event, notification_id::text,
    notification_id is null and exists (
      select from activities l where l.user_id = a.user_id and l.id > a.id and l.event = 'deauthorize_asked') as "isDropped"
  from activities a join users on users.id = user_id where event like 'early_warning%' and leaving is null`;
const UNSENT = `select n.id::text, kind from deliveries join notifications n on n.id = notification_id
  where deliveries.sent_at is null`;
/** Taken over: from a user whose activities may be deleted with their account. */
const PAUSED = ['paused', 'test_paused', 'taken_over'];

type Received = Pick<Mail, 'to' | 'messageId' | 'subject' | 'text'>;

interface Given {
  query: Query;
  received: readonly Received[];
  campaigns: readonly { id: string; name: string }[];
}

/** The activity log, the outbox and the mailbox agree with the holds. @returns what is wrong */
export async function checkRecords({ query, received, campaigns }: Given): Promise<string[]> {
  const { holds, users } = await takeSnapshot(query);
  const activities = await query<Activity>(ACTIVITIES);
  const unsent = await query<{ id: string; kind: string }>(UNSENT);
  const wrong = unsent.map(({ id, kind }) => `mail ${id} (${kind}) was never sent`);
  wrong.push(...holds.flatMap((hold) => checkHold(hold, activities)));
  const firsts = new Map<string, Received>();
  for (const mail of received) {
    const id = /^<smartpause\.(\w+)\./.exec(mail.messageId ?? '')?.[1] ?? mail.messageId ?? '';
    const first = firsts.get(id) ?? mail;
    firsts.set(id, first);
    if (first.messageId !== mail.messageId) wrong.push(`mail ${id} arrived under two Message-IDs`);
    else if (wordsOf(first) !== wordsOf(mail)) wrong.push(`mail ${id} arrived in two wordings`);
  }
  for (const one of activities) {
    const name = campaigns.find(({ id }) => id === one.campaign_id)?.name ?? '?';
    const mail = firsts.get(one.notification_id ?? '-');
    // What was paused in two outages is two mails, and the entry in the log names one of them.
    const mails = [...firsts.values()].filter((other) => isWrittenWith(other, mail));
    wrong.push(...checkReport(one, name, users, mails.find(({ text }) => text?.includes(name)) ?? mail));
  }
  const ofWarnings = await query<OfWarning>(OF_WARNINGS);
  for (const [about, own] of Map.groupBy(ofWarnings, ({ user_id, since }) => `${since} of user ${user_id}`)) {
    if (own.some(({ isDropped }) => isDropped)) continue;
    const others = ofWarnings.filter((one) => one.event === 'early_warning' && !own.includes(one));
    const ids = new Set(others.map(({ notification_id: id }) => id));
    wrong.push(...checkWarning(about, own, firsts, ids));
  }
  return wrong;
}

/** An early warning begins or ends for its user. */
type OfWarning = Pick<Activity, 'event' | 'user_id' | 'notification_id'> & {
  since: string;
  isDropped: boolean;
};

/**
 * One email says that it begins, and one that it is over; none if it was over before it was said.
 * @param others mails that say that another one begins
 */
function checkWarning(
  about: string,
  own: OfWarning[],
  mails: ReadonlyMap<string, Received>,
  others: ReadonlySet<string | null>,
): string[] {
  const [begun, over] = ['early_warning', 'early_warning_over'].map((event) => {
    const one = own.find((other) => other.event === event);
    return one && { id: one.notification_id, subject: mails.get(one.notification_id ?? '')?.subject ?? '' };
  });
  const isSaid = begun?.subject.startsWith('Early warning') === true;
  const isOverSaid = over?.subject.startsWith('The early warning is over') === true;
  if (begun === undefined) return [`the end of the early warning ${about} has no beginning`];
  // A later one, which goes on, says so.
  const isFollowed = over?.subject.startsWith('Early warning') === true && others.has(over.id);
  if (isSaid)
    return over === undefined || isOverSaid || isFollowed ? [] : [`no mail ends the early warning ${about}`];
  if (over === undefined) return [`no mail says the early warning ${about}`];
  if (begun.id === over.id) return [];
  return isOverSaid || isFollowed ? [`a mail ends the early warning ${about}, and none began it`] : [];
}

/** To the same user at the same time, which the Message-ID says. */
function isWrittenWith(one: Received, other: Received | undefined): boolean {
  const written = ({ messageId, to }: Received) => `${/\.\d+@/.exec(messageId ?? '')?.[0]} ${to.join()}`;
  return other !== undefined && written(one) === written(other);
}

/** Each attempt to send a link makes its own. */
function wordsOf({ text }: Received): string | undefined {
  return text?.replace(/confirm-email#\S+/, '');
}

/** Every pause of a hold is in the activity log exactly once, and so is its end. */
function checkHold(hold: HoldRow, activities: readonly Activity[]): string[] {
  const own = activities
    .filter(({ hold_id, was_early: wasEarly }) => hold_id === String(hold.id) && !wasEarly)
    .filter(({ event }) => !['retrying', 'test_retrying', 'postponed'].includes(event))
    .map(({ event }) => event);
  const wrong = own
    .filter((event, index) => event !== 'taken_over' && own.indexOf(event) !== index)
    .map((event) => `${event} of hold ${hold.id} is in the activity log twice`);
  if (hold.paused_at !== null && !own.some((event) => PAUSED.includes(event)))
    wrong.push(`hold ${hold.id} paused ${hold.campaign_id}, and the activity log does not say so`);
  const ends = new Set(own.filter((event) => !PAUSED.includes(event)));
  const isOfUser = ['smartpause_off', 'manual_pause'].includes(hold.release_reason ?? '');
  if (hold.state === 'ended' && ends.size !== 1 && !isOfUser)
    wrong.push(`the end of hold ${hold.id} is in the activity log as ${[...ends].join(', ') || 'nothing'}`);
  return wrong;
}

/** Each email reports its own events to their user. */
function checkReport(one: Activity, name: string, users: Snapshot['users'], mail?: Received): string[] {
  const { event, hold_id, user_id } = one;
  if (!['paused', 'resumed', 'deactivated', 'taken_over', 'handed_over'].includes(event)) return [];
  const about = `${event} of ${hold_id === null ? name : `hold ${hold_id}`}`;
  if (mail?.text?.includes(name) !== true) return [`${about} is in no mail`];
  const email = users.find(({ id }) => String(id) === user_id)?.email;
  return email === undefined || mail.to.includes(email ?? '')
    ? []
    : [`${about} is reported to ${String(mail.to)}, not to ${email ?? 'no address'}`];
}

/** One accepted status write, as Meta recorded it; `token_user` is null for an external change. */
export type Write = Pick<MetaWrite, 'at' | 'campaign' | 'status' | 'previous' | 'token_user'>;

export interface Campaign {
  id: string;
  name: string;
  /** `watched`: SmartPause on. `resting`: on, paused before. `off`: never on. */
  kind: 'watched' | 'resting' | 'off';
}

export function isOurChange({ token_user: user, previous, status }: Write): boolean {
  return user !== null && previous !== status;
}

/** After a run without external changes every write of ours is an alternating pause or resume, with an activity. */
export async function checkWrites(query: Query, campaigns: readonly Campaign[], writes: readonly Write[]) {
  const activities = await query<Activity>(ACTIVITIES);
  return campaigns.flatMap(({ id, name, kind }) => {
    const changes = writes.filter((one) => one.campaign === id && isOurChange(one)).map((one) => one.status);
    const logged = activities.filter((one) => one.campaign_id === id).map((one) => one.event);
    const times = (event: string): number => logged.filter((one) => one === event).length;
    const expected = Array.from({ length: kind === 'watched' ? times('paused') : 0 }, () => 'PAUSED,ACTIVE');
    if (changes.join() === expected.join() && times('paused') === times('resumed')) return [];
    return [`${name} (${kind}): writes ${changes.join() || 'none'}; activities ${logged.join() || 'none'}`];
  });
}
