import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { minutes, seconds } from '#core/time.ts';
import { plantUser, silentLog, useFreshDb } from '../../../test/support/database.ts';
import { KEY_OF_TESTS } from '../../../test/support/product.ts';
import { OffsetClock } from '../../../scripts/demo-mode/offset-clock.ts';
import type { ActivityEvent } from '#core/events.ts';
import type { Activity } from '../db/activities.ts';
import { recordActivities } from '../db/activities.ts';
import { inTransaction } from '../db/database.ts';
import { lockUserForNotification } from '../db/users/users.ts';
import { writeLastNotifications } from './write-notifications.ts';
import { createTokenCipher } from '../secrets.ts';
import { createChannels } from './channels/channels.ts';
import type { Mailer, OutgoingMail } from './channels/email.ts';
import { startOutboxWorker } from './outbox-worker.ts';

const clock = new OffsetClock();
const cipher = createTokenCipher([KEY_OF_TESTS]);
const db = useFreshDb(clock);
const MAYA = 'maya@example.com';

let emails: OutgoingMail[] = [];
let errors: unknown[] = [];
const mailer: Mailer = {
  send: (mail) => {
    emails.push(mail);
    return Promise.resolve({ ok: true });
  },
};
const outbox = () =>
  startOutboxWorker({
    ...{ db: db(), cipher, clock, publicUrl: 'https://smartpause.example', isStepped: true },
    log: { ...silentLog, debug: () => undefined, error: (facts) => errors.push(facts) },
    channels: createChannels({ mailer, mailDomain: 'smartpause.example' }),
  }).run();
/** The only email that is due after this time. */
async function onlyEmail(afterMs = seconds(10)): Promise<OutgoingMail> {
  clock.advance(afterMs);
  await outbox();
  expect(emails).toHaveLength(1);
  return emails[0] as OutgoingMail;
}

const at = (ms = 0) => new Date(clock.now() - ms);
const id = (n: number) => `c${n}`;

/** Two users with access to one ad account and SmartPause on for three campaigns. */
beforeAll(async () => {
  for (const name of ['Maya', 'Lee'])
    await plantUser(db(), { name, email: `${name.toLowerCase()}@example.com`, threshold: 'LOW' });
});
beforeEach(async () => {
  emails = [];
  errors = [];
  for (const userId of ['1', '2']) {
    await sql`insert into platform_tokens (user_id, ciphertext, key_id, saved_at, check_at, expires_at)
      values (${userId}, '', 'key', ${at(minutes(60))}, now(), ${at(-minutes(60))})`.execute(db());
    await sql`insert into ad_accounts (user_id, id, name, currency, seen_at)
      values (${userId}, 'act_5', 'Lind Outdoor', 'USD', now())`.execute(db());
    for (const n of [0, 1, 2])
      await sql`insert into smartpause_settings (user_id, campaign_id, account_id, setting, changed_at)
        values (${userId}, ${id(n)}, 'act_5', 'ON', now())`.execute(db());
  }
  for (const n of [0, 1, 2])
    await sql`insert into campaigns (id, account_id, name, status, objective, seen_at)
      values (${id(n)}, 'act_5', ${`Campaign ${n}`}, 'PAUSED', 'X', now())`.execute(db());
  await sql`update platform_status set true_level = 'HIGH_DISRUPTION', effective_level = 'HIGH_DISRUPTION',
    known_level = 'HIGH_DISRUPTION', since = now(), checked_at = now()`.execute(db());
  await sql`insert into outages (started_at, peak, levels) values (${at(minutes(30))}, 'HIGH_DISRUPTION',
    ${JSON.stringify([{ level: 'HIGH_DISRUPTION', at: clock.now() - minutes(30) }])}::text::jsonb)`.execute(
    db(),
  );
});
afterEach(async () => {
  for (const table of 'holds work_items activities notifications platform_tokens ad_accounts smartpause_settings campaigns campaign_lists outages'.split(
    ' ',
  ))
    await sql`delete from ${sql.table(table)}`.execute(db());
  await sql`update users set leaving = null`.execute(db());
});

interface HoldColumns {
  user: string;
  state: string;
  reason: string | null;
  isOverride: boolean;
}

/** A hold of a campaign: a reason ends it without a resume. */
async function hold(n: number, over: Partial<HoldColumns> = {}): Promise<string> {
  const { user = '1', state = 'paused', reason = null, isOverride = false } = over;
  const isEnded = state === 'ended';
  const outcome = isEnded ? (reason === null ? 'resumed' : 'released') : null;
  const { rows } = await sql<{ id: string }>`
    insert into holds (user_id, account_id, campaign_id, state, threshold, level, is_override, decided_at, read_at,
      paused_at, ended_at, outcome, release_reason)
    values (${user}, 'act_5', ${id(n)}, ${state}, 'MEDIUM', 'HIGH_DISRUPTION', ${isOverride}, ${at(minutes(20))},
      ${at(minutes(20))}, ${at(minutes(20))}, ${isEnded ? at() : null}, ${outcome}, ${reason})
    returning id`.execute(db());
  return rows[0]?.id ?? '';
}

const MATCH = { level: 'HIGH_DISRUPTION', threshold: 'MEDIUM' } as const;
const PAUSED = { event: 'paused', facts: { ...MATCH, isOverride: false, wasTest: false } } as const;
const RESUMED = { event: 'resumed', facts: { ...MATCH, isLeaving: false } } as const;
const HANDED_OVER = { event: 'handed_over', facts: {} } as const;

async function act(
  n: number,
  event: ActivityEvent,
  { user = '1', holdId }: { holdId?: string; user?: string } = {},
) {
  const campaign = { id: id(n), name: `Campaign ${n}`, ...(holdId && { holdId }) };
  const activity: Activity = { ...event, userId: user, actor: 'smartpause', accountId: 'act_5', campaign };
  await recordActivities(db(), [activity], clock.now());
}

/** SmartPause has paused the campaign. */
const pause = async (n: number, over: Partial<HoldColumns> = {}) =>
  act(n, PAUSED, { holdId: await hold(n, over) });

describe('[ENG-13] a notification is true when it is written', () => {
  test.each([
    [
      'the token is refused',
      sql`update platform_tokens set rejected_at = now()`,
      'Meta denies SmartPause access',
    ],
    ['access is lost', sql`update ad_accounts set lost_at = now()`, 'Meta denies SmartPause access'],
    ['it was found running', sql`update campaigns set status = 'ACTIVE'`, 'no longer paused by SmartPause'],
    ['it was turned off', sql`update smartpause_settings set setting = 'OFF'`, 'no longer paused'],
    [
      'it was released',
      sql`update holds set state = 'ended', ended_at = now(), outcome = 'released', release_reason = 'archived'`,
      'it was archived; SmartPause is now disabled for it',
    ],
    [
      'a user has asked for the resume',
      sql`update holds set resume_asked_by = 1, resume_asked_at = now()`,
      '; being resumed with “Resume now”',
    ],
    [
      'another user has it now',
      sql`update holds set user_id = 2`,
      'SmartPause keeps it paused for another user of the ad account',
    ],
  ])('no resume is promised if %s', async (_title, change, words) => {
    await pause(0);
    await change.execute(db());
    const { text } = await onlyEmail();
    expect(text).not.toContain('SmartPause resumes');
    expect(text).toContain(words);
  });

  test('[UX-19] it names what still runs by the last list, and nothing that is not delivered or not listed', async () => {
    await pause(0);
    await sql`update campaigns set status = 'ACTIVE', daily_budget = 5000 where id <> 'c0'`.execute(db());
    await sql`update smartpause_settings set setting = 'OFF' where campaign_id = 'c1'`.execute(db());
    await sql`insert into campaigns (id, account_id, name, status, objective, seen_at, is_listed, stop_time)
      values ('gone', 'act_5', '', 'ACTIVE', 'X', now(), false, null), ('over', 'act_5', '', 'ACTIVE', 'X', now(), true, ${at(1)})`.execute(
      db(),
    );
    await sql`insert into campaign_lists (account_id, read_at) values ('act_5', ${at()})`.execute(db());
    const { text } = await onlyEmail();
    expect(text).toContain('1 campaign still runs ($50/day).\n');
  });

  test('a campaign that was paused twice is listed once, with its last state', async () => {
    const first = await hold(0, { state: 'ended' });
    for (const event of [PAUSED, RESUMED]) await act(0, event, { holdId: first });
    await pause(0);
    await pause(1);
    clock.advance(seconds(10));
    await outbox();
    const [paused, resumed] = emails;
    expect(emails.map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^SmartPause paused 2 campaigns: Meta reports high disruptions \(/),
      expect.stringMatching(/^SmartPause resumed 1 campaign \(/),
    ]);
    expect(paused?.text.match(/- Campaign 0\n/g)).toHaveLength(1);
    expect(resumed?.text).toMatch(/Campaign 0: .*; paused again since/);
  });

  test('a resume tells what was running already after an external change', async () => {
    const changed = { reason: 'resumed_outside' } as const;
    const holdId = await hold(0, { state: 'ended', ...changed });
    const facts = { ...changed, refusal: null, outside: null, wasPaused: true };
    await act(0, { event: 'deactivated', facts }, { holdId });
    await act(2, RESUMED, { holdId: await hold(2, { state: 'ended' }) });
    const { subject, text } = await onlyEmail();
    expect(subject).toContain('SmartPause resumed 1 campaign, 1 already running (');
    expect(text).toMatch(/Campaign 0: .*resumed outside/);
    expect(text).toContain('Peak: high disruptions');
    expect(text).toMatch(/See what happened: \S+\/activity\/\d+\n/);
  });

  test('[CHAN-08] a resume names the outage of its pause and those in which it stayed paused, and links to it, or to all if there were two', async () => {
    const now = clock.now();
    const resumedAfter = async (peak: string, from: number, to: number) => {
      await sql`insert into outages (started_at, ended_at, peak, levels) values (${new Date(now - minutes(from))},
        ${new Date(now - minutes(to))}, ${peak}, '[]')`.execute(db());
      emails = [];
      await act(0, RESUMED, { holdId: await hold(0, { state: 'ended' }) });
      return (await onlyEmail()).text;
    };
    await sql`delete from outages`.execute(db());
    await resumedAfter('HIGH_DISRUPTION', 30, 15);
    expect(await resumedAfter('LOW_DISRUPTION', 2, 1)).toMatch(/Duration: 15 min.*\/activity\/\d+\n/s);
    expect(await resumedAfter('MEDIUM_DISRUPTION', 10, 3.5)).toMatch(
      /Duration: 15 min\n.*Next outage: .*\/activity\n/s,
    );
  });

  test('an activity after the end of the last outage does not link to that outage', async () => {
    await sql`update outages set ended_at = ${at(minutes(15))}`.execute(db());
    await act(0, HANDED_OVER);
    const { text } = await onlyEmail();
    expect(text).toMatch(/See what happened: \S+\/activity\n/);
    expect(text).not.toContain('Peak');
  });

  test('an admin’s override is not reported as Meta’s own status', async () => {
    await pause(0, { isOverride: true });
    expect((await onlyEmail()).text).toMatch(
      /our team reports high disruptions\n[^]*High disruption since .*, set by our team\./,
    );
  });

  test('who takes over a hold is notified as of a pause, and who gives it away that it stays paused', async () => {
    await hold(0, { user: '2' });
    await act(0, { event: 'taken_over', facts: { isTest: false } }, { user: '2' });
    await act(0, HANDED_OVER);
    clock.advance(seconds(10));
    await outbox();
    const textTo = (who: string) => emails.find(({ to }) => to === who);
    expect(textTo('lee@example.com')?.subject).toContain(
      'SmartPause paused 1 campaign: Meta reports high disruptions (',
    );
    expect(textTo('lee@example.com')?.text).toContain(
      'SmartPause resumes exactly the paused campaign immediately',
    );
    expect(textTo(MAYA)?.subject).toContain('1 campaign stays paused (');
    expect(textTo(MAYA)?.text).toContain('SmartPause keeps it paused for another user of the ad account');
  });

  test('a token that expires soon is not reported to a user who is leaving', async () => {
    const savedAt = at();
    await sql`update platform_tokens set saved_at = ${savedAt}`.execute(db());
    await act(0, { event: 'token_stale', facts: { savedAt: savedAt.getTime() } });
    await sql`update users set leaving = 'delete', leaving_at = now()`.execute(db());
    clock.advance(seconds(10));
    await outbox();
    expect(emails).toEqual([]);
  });

  test.each([
    ['expired before Meta refused it', minutes(1), 'Your Meta connection expired on'],
    ['was refused, and expired later', -seconds(5), 'Meta no longer accepts'],
  ])('a token that %s', async (_title, ago, cause) => {
    const expiresAt = at(ago);
    await sql`update platform_tokens set expires_at = ${expiresAt}, rejected_at = now()`.execute(db());
    await act(0, { event: 'token_refused', facts: { why: 'no longer valid' } });
    expect((await onlyEmail()).text).toContain(cause);
    await act(0, { event: 'token_refused', facts: { why: 'no longer valid' } });
    await onlyEmail();
  });

  test.each([
    ['blocked', at(-minutes(60)), 1],
    ['accepted again', null, 0],
  ])('an ad account whose changes are %s', async (_title, until, count) => {
    await sql`update ad_accounts set writes_blocked_until = ${until}`.execute(db());
    await act(0, { event: 'account_blocked', facts: { refusal: null } });
    clock.advance(seconds(10));
    await outbox();
    expect(emails.map(({ subject }) => subject)).toEqual(
      Array<string>(count).fill('Not protected: confirm Lind Outdoor in Ads Manager'),
    );
  });

  test.each([
    ['wants nothing else', [], sql`null`],
    ['is quiet', ['paused'], sql`'infinity'::timestamptz`],
  ])(
    '[CHAN-07] the user’s own address gets it although their destination %s',
    async (_title, events, quiet) => {
      await sql`insert into destinations (user_id, kind, name, ciphertext, key_id, events, quiet_until, created_at)
      values (1, 'slack', '', '', 'key', ${events}, ${quiet}, now())`.execute(db());
      await pause(0);
      expect((await onlyEmail()).to).toBe(MAYA);
      const { rows } = await sql`select channel from deliveries`.execute(db());
      expect(rows).toEqual([{ channel: 'email' }]);
      await sql`delete from destinations`.execute(db());
    },
  );

  test('without an address nothing is written, and nothing waits', async () => {
    await pause(0);
    await sql`update users set email = null where id = 1`.execute(db());
    clock.advance(seconds(10));
    await outbox();
    await sql`update users set email = ${MAYA} where id = 1`.execute(db());
    await outbox();
    expect(emails).toEqual([]);
  });
});

describe('[ENG-13] when a notification is written', () => {
  test('after ten seconds, or two minutes while more is about to join; a follow-up after fifteen', async () => {
    await pause(0);
    await hold(1, { state: 'pausing' });
    const written = [];
    for (const afterMs of [seconds(9), seconds(1), seconds(110), seconds(10), minutes(3), minutes(12)]) {
      clock.advance(afterMs);
      await outbox();
      written.push(emails.length);
      if (afterMs === seconds(110)) await pause(2);
    }
    expect(written).toEqual([0, 0, 1, 1, 1, 2]);
    expect(emails[0]?.text).toContain('1 more campaign is not paused yet');
  });

  test('a pause that is being sent for the first time is about to join', async () => {
    await pause(0);
    const hold = { userId: '1', campaignId: id(1), state: 'pausing', threshold: 'MEDIUM' };
    const intent = [{ campaignId: id(1), hold }];
    await sql`insert into work_items (account_id, intent) values ('act_5', ${JSON.stringify(intent)})`.execute(
      db(),
    );
    clock.advance(seconds(10));
    await outbox();
    expect(emails).toEqual([]);
    expect((await onlyEmail(seconds(110))).text).toContain('1 more campaign is not paused yet');
  });

  test('what another version has stored waits an hour for that version, then the log names it', async () => {
    await pause(0);
    await sql`update activities set event = 'flown'`.execute(db());
    await pause(1);
    await sql`insert into activities (user_id, message, created_at, event, actor, pending_notification)
      values (1, '', ${at()}, 'initialized', 'smartpause', 'postcard')`.execute(db());
    expect((await onlyEmail()).text).toMatch(/\n- Campaign 1:/);
    expect(errors).toEqual([]);
    for (const hour of [minutes(60), minutes(60)]) await onlyEmail(hour);
    const names = { user: '1', activity: expect.any(String) as string };
    expect(errors).toEqual([
      { ...names, kind: 'paused', event: 'flown' },
      { ...names, kind: 'postcard', event: 'initialized' },
    ]);
  });

  test('a hold that another version has ended is not reported as resumed, and the log names it at once', async () => {
    const written = [0, 1].map(async (n): Promise<Activity> => {
      const holdId = await hold(n, n === 0 ? { state: 'ended', reason: 'flown' } : {});
      const campaign = { id: id(n), name: `Campaign ${n}`, holdId };
      return { ...PAUSED, userId: '1', actor: 'smartpause', accountId: 'act_5', campaign };
    });
    await recordActivities(db(), await Promise.all(written), clock.now());
    expect((await onlyEmail()).subject).toContain('paused 1 campaign:');
    expect(errors).toMatchObject([{ kind: 'paused', event: 'paused' }]);
  });

  test('what waits for another version does not hurry what this one reports', async () => {
    await pause(0);
    await sql`update activities set event = 'flown'`.execute(db());
    clock.advance(minutes(20));
    await pause(1);
    await hold(2, { state: 'pausing' });
    clock.advance(seconds(10));
    await outbox();
    expect(emails).toEqual([]);
    await onlyEmail(minutes(2));
  });

  test('before a deletion the log names all that this version cannot read', async () => {
    await pause(0);
    await act(1, RESUMED, { holdId: await hold(1, { state: 'ended' }) });
    await sql`update activities set event = 'flown'`.execute(db());
    await inTransaction(db(), async (tx) => {
      const user = await lockUserForNotification(tx, '1');
      if (user === null) throw new Error('no user');
      const error = (facts: unknown) => errors.push(facts);
      const given = { publicUrl: '', now: clock.now(), confirmationCode: null, log: { error } };
      await writeLastNotifications(tx, { ...user, leaving: 'delete' }, given);
    });
    expect(errors).toMatchObject([{ kind: 'paused' }, { kind: 'deleted' }]);
  });

  test('two processes write each activity into one email', async () => {
    for (const n of [0, 1]) await pause(n);
    clock.advance(seconds(10));
    await Promise.all([outbox(), outbox()]);
    expect(emails).toHaveLength(1);
  });
});
