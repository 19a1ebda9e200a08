import type { Mail } from '../../simulators/mailbox/mails.ts';
import type { Activity } from './activity-log.ts';
import type { Query, UserRow } from './snapshot.ts';

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
  received: readonly Received[];
  users: readonly Pick<UserRow, 'id' | 'email'>[];
  nameOf: (campaign: string) => string;
}

const REPORTED = ['paused', 'resumed', 'deactivated'];

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
