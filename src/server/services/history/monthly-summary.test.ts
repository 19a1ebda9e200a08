import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { days, hours } from '#core/time.ts';
import { OffsetClock } from '../../../../scripts/demo-mode/offset-clock.ts';
import { plantUser, silentLog, useFreshDb } from '../../../../test/support/database.ts';
import { KEY_OF_TESTS } from '../../../../test/support/product.ts';
import type { OutgoingMail } from '../../notifications/channels/email.ts';
import { createChannels } from '../../notifications/channels/channels.ts';
import { startOutboxWorker } from '../../notifications/outbox-worker.ts';
import { createTokenCipher } from '../../secrets.ts';
import { sumUpMonths } from './monthly-summary.ts';

const DUE = Date.parse('2026-12-05T14:00:00Z');
const clock = new OffsetClock();
const db = useFreshDb(clock);
const cipher = createTokenCipher([KEY_OF_TESTS]);
const log = { ...silentLog, debug: () => undefined };
const sent: OutgoingMail[] = [];
const mailer = {
  send: (mail: OutgoingMail) => {
    sent.push(mail);
    return Promise.resolve({ ok: true } as const);
  },
};

const day = (of: string) => new Date(`2026-${of}:00:00Z`);

interface Planted {
  at: Date;
  peak?: 'HIGH_DISRUPTION' | 'LOW_DISRUPTION';
  campaigns?: number;
  kept?: number;
}

/** An outage of two hours with the pauses of a user, and what it kept. */
async function plantOutage(userId: string, { at, peak = 'HIGH_DISRUPTION', campaigns = 0, kept }: Planted) {
  const endedAt = new Date(at.getTime() + hours(2));
  const levels = JSON.stringify([
    { level: peak, at: at.getTime() },
    { level: 'UP', at: endedAt.getTime() },
  ]);
  const { id: outageId } = await db()
    .insertInto('outages')
    .values({ startedAt: at, endedAt, peak, levels, recordedAt: endedAt })
    .returning('id')
    .executeTakeFirstOrThrow();
  const reason = peak === 'LOW_DISRUPTION' ? 'below_threshold' : campaigns > 0 ? null : 'no_subscription';
  await sql`insert into outage_users (outage_id, user_id, threshold, reason)
    values (${outageId}, ${userId}, 'MEDIUM', ${reason})`.execute(db());
  for (let n = 0; n < campaigns; n++) {
    const campaignId = `${outageId}${userId}${n}`;
    const about = { userId, campaignId, accountId: `act_${userId}` };
    const named = { id: campaignId, name: 'Hats', status: 'ACTIVE', objective: '', seenAt: at };
    await db()
      .insertInto('campaigns')
      .values({ ...named, accountId: about.accountId })
      .execute();
    const state = { state: 'ended', threshold: 'MEDIUM', level: peak, outcome: 'resumed' } as const;
    await db()
      .insertInto('holds')
      .values({ ...about, ...state, decidedAt: at, readAt: at, pausedAt: at, endedAt })
      .execute();
  }
  if (kept === undefined) return;
  const range = { low: kept / 2, likely: kept, high: kept * 2 };
  const estimate = { pausedMs: hours(2) * campaigns, kept: range, protected: range, later: range };
  await sql`insert into outage_estimates values (
    ${outageId}, ${userId}, 'USD', ${JSON.stringify(estimate)}::jsonb, now())`.execute(db());
}

async function plantSubscriber(email: string, over: Parameters<typeof plantUser>[1] = {}): Promise<string> {
  const at = day('10-20T00');
  const userId = await plantUser(db(), { email, createdAt: at, initializedAt: at, ...over });
  await sql`insert into subscriptions (user_id, source, status, plan_type, current_period_end, renews, access_until)
    values (${userId}, 'stripe', 'active', 'monthly', 'infinity', true, 'infinity')`.execute(db());
  await sql`insert into ad_accounts (user_id, id, name, currency, seen_at) values (${userId}, ${`act_${userId}`}, 'Lind', 'USD', now())`.execute(
    db(),
  );
  return userId;
}

/** What is sent of this month by then; two processes sum it up. */
async function summaries(now: number): Promise<OutgoingMail[]> {
  clock.advance(now - clock.now());
  await Promise.all([sumUpMonths({ db: db(), clock }), sumUpMonths({ db: db(), clock })]);
  clock.advance(10_000);
  const channels = createChannels({ mailer, mailDomain: 'a.example' });
  const publicUrl = 'https://a.example';
  const worker = startOutboxWorker({ db: db(), cipher, clock, log, publicUrl, isStepped: true, channels });
  await worker.run();
  await worker.close();
  return sent.splice(0);
}

test('[SPEND-05, SPEND-07] each subscriber gets one summary: of its outages, or how often the status was read', async () => {
  const maya = await plantSubscriber('maya@example.com');
  const outage = { at: day('11-12T15'), campaigns: 3, kept: 34_000 };
  // In New York the first is of October, and the last of December.
  await plantOutage(maya, { ...outage, at: day('11-01T03') });
  await plantOutage(maya, outage);
  await plantOutage(maya, { ...outage, at: day('11-20T15'), campaigns: 1, kept: 6000 });
  await plantOutage(maya, { ...outage, at: day('12-01T05') });
  await plantSubscriber('noor@example.com', { createdAt: day('11-25T00'), initializedAt: day('11-25T00') });
  // Nothing to tell: not set up in that month, without a subscription, leaving, or turned off.
  await plantSubscriber('new@example.com', { initializedAt: day('12-01T06') });
  const former = await plantSubscriber('former@example.com');
  await sql`update subscriptions set access_until = '2026-12-01' where user_id = ${former}`.execute(db());
  const leaving = { leaving: 'delete', leavingAt: new Date(), leavingBy: 'user' } as const;
  await plantSubscriber('leaver@example.com', leaving);
  await plantSubscriber('quiet@example.com', { hasMonthlySummary: false });
  await sql`insert into status_reads values ('2026-11', 259140, '2026-11-01T04:00:03Z')`.execute(db());

  expect(await summaries(DUE - 1000)).toEqual([]);
  // In an outage, what users must know comes first.
  await sql`update platform_status set known_level = 'HIGH_DISRUPTION'`.execute(db());
  expect(await summaries(DUE)).toEqual([]);
  await sql`update platform_status set known_level = 'UP'`.execute(db());
  const mails = new Map((await summaries(DUE)).map((mail) => [mail.to, mail]));
  expect([...mails.keys()].toSorted()).toEqual(['maya@example.com', 'noor@example.com']);
  const [mayas, noors] = [mails.get('maya@example.com'), mails.get('noor@example.com')];
  expect(mayas?.subject).toBe('November 2026: SmartPause paused campaigns in 2 outages, about $400 kept');
  for (const words of [
    'Pauses of campaigns: 4\nPaused, all campaigns together: 8 h\nKept, estimated: about $400 (between $200 and $800)\nProtected from waste, estimated: about $400 (between $200 and $800)\n\n2 outages:',
    '- Nov 12, 2026, 10:00 AM EST (15:00 UTC), 2 h: 3 campaigns paused · about $340 kept',
    'We read Meta’s status page 259,140 times in November 2026.',
  ])
    expect(mayas?.text).toContain(words);
  expect(noors?.subject).toBe('November 2026: no outage met your threshold');
  expect(noors?.text).toContain(
    'No outage that began from Nov 24 on met your threshold (medium), so there was nothing to pause.',
  );
  expect(noors?.text).toContain('We read Meta’s status page 259,140 times in November 2026.');
  expect(mayas?.unsubscribe).toMatch(/^https:\/\/a\.example\/unsubscribe\/[\w.-]+$/);
  expect(mayas?.text).toContain(`Turn off this email: ${mayas?.unsubscribe}\n`);
  expect(await summaries(DUE + days(3))).toEqual([]);
  expect(await summaries(DUE + days(8))).toEqual([]);
});
