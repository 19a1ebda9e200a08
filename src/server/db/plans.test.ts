import type { KyselyPlugin } from 'kysely';
import { CompiledQuery, sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { days, hours, minutes } from '#core/time.ts';
import { useFreshDb } from '../../../test/support/database.ts';
import type { Db } from './database.ts';
import { findRefusedResumes, findRefusingAccounts } from './holds/not-resumed.ts';
import { findUntold, findWaiting, markHeldUp } from './reports/held-up.ts';

// Tables that grow with the history or with the installation: no statement may read one of them as a whole.
const LARGE = ['activities', 'ad_accounts', 'campaigns', 'campaign_writes', 'holds', 'smartpause_settings'];
const NOW = Date.parse('2026-01-09T02:10:00Z');
const [USERS, CAMPAIGNS, OUTAGES] = [500, 5000, 10];

const db = useFreshDb();

/** Outages of months, in each of which all campaigns were paused. In the last one they still are; the match of HIGH is over. */
beforeAll(async () => {
  const at = (ms: number) => new Date(NOW - ms);
  const write = (text: ReturnType<typeof sql>) => text.execute(db());
  await write(sql`insert into users (platform_user_id, name, threshold, resume_settings, created_at, logged_in_at)
    select 'u' || n, 'A', (array['LOW', 'MEDIUM', 'HIGH'])[n % 3 + 1], '{"mode": "instant"}', now(), now()
    from generate_series(1, ${USERS}::int) n`);
  await write(sql`insert into ad_accounts (user_id, id, name, currency, seen_at)
    select id, 'act_' || id, 'A', 'USD', now() from users`);
  await write(sql`insert into campaigns (id, account_id, name, status, objective, seen_at)
    select n, 'act_' || n % ${USERS}::int + 1, 'A', 'PAUSED', '', now() from generate_series(1, ${CAMPAIGNS}::int) n`);
  await write(sql`insert into smartpause_settings (user_id, campaign_id, account_id, setting, changed_at)
    select id::int % ${USERS}::int + 1, id, account_id, 'ON', ${at(days(300))} from campaigns`);
  await write(sql`insert into campaign_writes (campaign_id, account_id, origin, user_id, requested_at, target, state,
      status_before, refusals, failures)
    select id, account_id, 'hold', id::int % ${USERS}::int + 1, now(), 'PAUSED', 'done', 'ACTIVE', 0, 0 from campaigns`);
  for (let past = OUTAGES; past >= 0; past -= 1) {
    const began = at(hours(2) + past * days(3));
    const end = past === 0 ? null : began;
    await write(sql`insert into holds (user_id, account_id, campaign_id, state, threshold, level, decided_at, read_at,
        paused_at, ended_at, outcome, release_reason)
      select user_id, account_id, campaign_id, ${end === null ? 'paused' : 'ended'},
        (array['LOW', 'MEDIUM', 'HIGH'])[user_id % 3 + 1], 'HIGH_DISRUPTION', ${began}, ${began}, ${began},
        ${end}::timestamptz, ${end && 'released'}::text,
        ${end && 'resume_refused'}::text from smartpause_settings`);
  }
  await write(sql`analyze`);
});

/** The plans of the statements that it sends, as text. */
async function plansOf(send: (given: Db) => Promise<unknown>): Promise<string[]> {
  const sent: CompiledQuery[] = [];
  const note: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      sent.push(db().getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  await send(db().withPlugin(note));
  const plans = sent.map(({ sql: text, parameters }) =>
    db().executeQuery<object>(CompiledQuery.raw(`explain ${text}`, [...parameters])),
  );
  return (await Promise.all(plans)).map(({ rows }) => rows.flatMap(Object.values).join('\n'));
}

const stopped = NOW - minutes(10);
const group = { userId: '3', accountId: 'act_3', threshold: 'LOW', isAsked: false } as const;

test.each<[string, (given: Db) => Promise<unknown>, string]>([
  ['refused resumes', (given) => findRefusedResumes(given, ['3', '4'], NOW), 'holds_resume_refused'],
  ['accounts with a refusal', (given) => findRefusingAccounts(given, '3', ['act_3']), 'ad_accounts_pkey'],
  [
    'resumes that wait, by threshold',
    (given) => findUntold(given, { since: stopped, thresholds: ['HIGH'] }),
    'holds_untold',
  ],
  ['resumes that wait in an account', (given) => findWaiting(given, [group], stopped), 'holds_live_account'],
  ['marks of resumes that wait', (given) => markHeldUp(given, ['69990', '69991'], stopped), 'holds_pkey'],
])('no statement reads a table that grows: %s', async (_title, send, index) => {
  const plans = await plansOf(send);
  expect(plans.join('\n')).toContain(index);
  for (const plan of plans) for (const table of LARGE) expect(plan).not.toMatch(`Seq Scan on ${table}`);
});
