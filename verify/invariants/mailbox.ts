import type { Mail } from '../../simulators/mailbox/mails.ts';
import type { Activity } from './activity-log.ts';
import type { HoldRow, Query, UserRow } from './snapshot.ts';

/** An email as it arrived. */
export interface Received {
  messageId: string;
  to: string;
  text: string;
}

export function receivedOf(mails: readonly Mail[]): Received[] {
  return mails.map(({ messageId, to: [to = ''], text }) => ({
    messageId: messageId ?? '',
    to,
    text: text ?? '',
  }));
}

interface MailRow {
  id: string;
  kind: string;
  sent_at: Date | null;
}

export function readOutbox(query: Query): Promise<MailRow[]> {
  return query<MailRow>('select id::text, kind, sent_at from notification');
}

interface Given {
  outbox: readonly MailRow[];
  activities: readonly Activity[];
  holds: readonly HoldRow[];
  received: readonly Received[];
  users: readonly Pick<UserRow, 'id' | 'email'>[];
  nameOf: (campaign: string) => string;
  accountNameOf: (account: string) => string;
}

const REPORTED = ['paused', 'resumed', 'deactivated'];
const HEADINGS = [
  ['Paused', 'paused'],
  ['Resumed', 'resumed'],
] as const;

/** Every email was sent, under one Message-ID with one text; each reports its own events to their user. */
export function checkMailbox(given: Given): string[] {
  const wrong: string[] = [];
  const byId = Map.groupBy(given.received, ({ messageId }) => messageId);
  for (const [id, same] of byId)
    if (new Set(same.map(({ text }) => text)).size > 1) wrong.push(`${id} arrived in two wordings`);
  const copiesOf = (mail: string | null): Received[] =>
    [...byId].flatMap(([id, [first]]) =>
      first !== undefined && id.startsWith(`<smartpause.${mail ?? '-'}.`) ? [first] : [],
    );
  for (const { id, kind, sent_at } of given.outbox) {
    if (sent_at === null) wrong.push(`mail ${id} (${kind}) was never sent`);
    const copies = copiesOf(id).length;
    if (copies > 1) wrong.push(`mail ${id} arrived under ${copies} Message-IDs`);
  }
  for (const [mail, events] of Map.groupBy(given.activities, ({ notification_id }) => notification_id)) {
    const [received] = copiesOf(mail);
    for (const event of events) wrong.push(...checkEvent(given, event, received));
    if (received !== undefined) wrong.push(...checkHeadings(given, events, received));
  }
  return wrong;
}

function checkEvent({ users, nameOf }: Given, one: Activity, mail: Received | undefined): string[] {
  const { event, hold_id, user_id, campaign_id, is_unknown } = one;
  const name = nameOf(campaign_id);
  const leftAlone =
    mail?.text
      .replaceAll(/\s+/g, ' ')
      .split(/(?:Not resumed|Disabled) \(/)
      .at(1) ?? '';
  // The email reports a later event of the same campaign instead.
  if (is_unknown && leftAlone.includes(name) && !leftAlone.includes('did not confirm whether'))
    return [`the unknown outcome of hold ${hold_id ?? '?'} is not in its mail`];
  if (hold_id === null || !REPORTED.includes(event)) return [];
  if (mail?.text.includes(name) !== true) return [`${event} of hold ${hold_id} is in no mail`];
  const email = users.find(({ id }) => String(id) === user_id)?.email;
  return email !== undefined && mail.to !== email
    ? [`${event} of hold ${hold_id} is reported to ${mail.to}, not to ${email ?? 'no address'}`]
    : [];
}

/** An email lists each campaign once, with its last event; the heading of a list has the count. */
function checkHeadings(given: Given, events: readonly Activity[], { text }: Received): string[] {
  const last = [...new Map(events.map((one) => [one.campaign_id, one])).values()];
  const wrong: string[] = [];
  for (const account of new Set(events.map(({ account_id }) => account_id))) {
    const name = given.accountNameOf(account);
    for (const [verb, event] of HEADINGS) {
      const listed = last.filter((one) => one.account_id === account && one.event === event);
      // An email lists a campaign as not resumed if a later
      // hold of its user was released before it was written.
      const isSure = ({ user_id, campaign_id, at }: Activity): boolean =>
        !given.holds.some(
          (hold) =>
            hold.outcome === 'released' &&
            hold.campaign_id === campaign_id &&
            String(hold.user_id) === user_id &&
            Date.parse(hold.ended_at ?? '') >= at.getTime(),
        );
      const heading = new RegExp(`^${verb} in ${name} \\((\\d+) campaigns?\\):$`, 'gm');
      const listedCount = [...text.matchAll(heading)].reduce((sum, [, count]) => sum + Number(count), 0);
      if (listedCount > listed.length || listedCount < listed.filter(isSure).length)
        wrong.push(
          `a mail reports ${listedCount} campaigns as ${event} in ${name}, and ${listed.length} are its own`,
        );
    }
  }
  return wrong;
}
