import { describe, expect, test } from 'vitest';
import { LATE_WRITE_MS } from '../../../src/core/smartpause/hold.ts';
import { waitFor } from '../../../scripts/outside/wait-for.ts';
import type { Advertiser } from '../../../test/support/product.ts';
import { changesOf, waitForStatuses } from '../../../test/support/product.ts';
import type { Moment } from './suite.ts';
import { startCrashSuite } from './suite.ts';

const INTENT = 'for share of work_item';
const OUTCOME = '^commit after(?!.*for share of work_item).*update hold set';
const RELEASE = 'update work_item set lease_owner = null';

const MOMENTS: [title: string, moment: Moment][] = [
  [
    'with the work item claimed',
    { statement: '^\\s*update work_item set lease_owner = \\$1', when: 'after' },
  ],
  ['before the intent is written', { statement: INTENT, when: 'before' }],
  ['with the intent written and not committed', { statement: `^commit after.*${INTENT}`, when: 'before' }],
  ['with the intent committed', { statement: `^commit after.*${INTENT}`, when: 'after' }],
  ['with the call on its way', { fault: 'hang_before', method: 'POST' }],
  ['with the call carried out and not answered', { fault: 'hang_after', method: 'POST' }],
  ['with the outcome written and not committed', { statement: OUTCOME, when: 'before' }],
  ['with the outcome committed', { statement: OUTCOME, when: 'after' }],
  ['before the work item is given back', { statement: RELEASE, when: 'before' }],
  ['with the work item given back', { statement: `^commit after.*${RELEASE}`, when: 'after' }],
];

/** Each restart is later than any lost write can arrive: else the opposite write would wait for that. */
describe('killed and restarted', () => {
  const suite = startCrashSuite({ aheadMs: LATE_WRITE_MS + 1000 });

  const activitiesOf = ({ accountId }: Advertiser) =>
    suite.rows('select event from activity where account_id = $1 and hold_id is not null order by event', [
      accountId,
    ]);
  const logged = (who: Advertiser, events: number) =>
    waitFor(`${events} activities to be recorded`, async () => (await activitiesOf(who)).length >= events);

  test.each(MOMENTS)('[ENG-14] %s: no write is lost or repeated', async (_title, moment) => {
    for (const phase of ['pause', 'resume'] as const) {
      const who = await suite.advertiser({ campaigns: ['ACTIVE', 'ACTIVE', 'PAUSED'] });
      const { status } = suite.simulators;

      const outage = () => status.reports('High disruptions');
      if (phase === 'pause') await suite.killedAt(moment, who, outage);
      else await outage();
      await waitForStatuses(suite.simulators, who.campaignIds, ['PAUSED', 'PAUSED', 'PAUSED']);
      await logged(who, 2);

      const recovery = () => status.reports('Resolved');
      if (phase === 'resume') await suite.killedAt(moment, who, recovery);
      else await recovery();
      await waitForStatuses(suite.simulators, who.campaignIds, ['ACTIVE', 'ACTIVE', 'PAUSED']);
      await logged(who, 4);
      await waitFor('nothing to be held any more', async () => {
        const user = await who.user.get<{ status: { resumeAt: string | null } }>('/api/user/status');
        return user.status.resumeAt === null;
      });
      await expectNothingLostOrDoubled(who);
    }
  });

  test.each(MOMENTS.slice(3, 6))('[TEST-02] %s: a live test strands no campaign', async (_title, moment) => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'], on: 0 });
    const path = `/api/campaigns/${who.campaignIds[0] ?? ''}/live-test`;
    await suite.killedAt(moment, who, () => who.user.call('POST', path).catch(() => undefined));
    await waitFor('the test to be over', async () => {
      const live = await suite.rows(
        "select id from hold where account_id = $1 and state <> 'ended' and resumed_at is null",
        [who.accountId],
      );
      return live.length === 0;
    });
    await waitForStatuses(suite.simulators, who.campaignIds, ['ACTIVE']);
  });

  async function expectNothingLostOrDoubled(who: Advertiser): Promise<void> {
    const [first = '', second = '', third = ''] = who.campaignIds;
    expect(await changesOf(suite.simulators, first)).toEqual(['PAUSED', 'ACTIVE']);
    expect(await changesOf(suite.simulators, second)).toEqual(['PAUSED', 'ACTIVE']);
    const writes = await suite.simulators.graph.writes();
    expect(writes.filter(({ campaign }) => campaign === third)).toEqual([]);
    const holds = await suite.rows(
      `select campaign_id, case when resumed_at is null then outcome else 'resumed' end as outcome from hold
       where account_id = $1 order by campaign_id`,
      [who.accountId],
    );
    expect(holds).toEqual([
      { campaign_id: first, outcome: 'resumed' },
      { campaign_id: second, outcome: 'resumed' },
    ]);
    const events = (await activitiesOf(who)).map(({ event }) => event);
    expect(events).toEqual(['paused', 'paused', 'resumed', 'resumed']);
  }
});
