import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Delivery } from '#contract/destination-api.ts';
import { DELIVERY_DAYS } from '#core/periods.ts';
import { hours, minutes } from '#core/time.ts';
import type { Received } from '../../../../simulators/channels/server.ts';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { nextMailTo } from '../../../../test/support/mail.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { dropOldRows } from '../../db/retention.ts';

const KEY = 'R0123456789abcdefABCDEF012345678';

describe('sending to destinations', () => {
  const suite = engineSuite({ usesSmtp: true });
  const receiver = () => suite.simulators.channels;
  let who: Advertiser;

  beforeEach(async () => {
    who = await suite.advertiser({ campaigns: ['ACTIVE'] });
  });
  afterEach(() => receiver().post('/reset'));

  const received = async (path: string) => {
    const { messages } = await receiver().ask<{ messages: Received[] }>('GET', '/messages');
    return messages.filter((one) => one.path === path && one.status < 300);
  };
  const add = async (kind: string, target: string, events: string[]) => {
    const body = { kind, name: kind, target: receiver().url + target, events };
    return (await who.user.post<{ id: string }>('/api/destinations', body)).id;
  };
  const fails = (path: string) => receiver().fault({ kind: 'error', http: 503, times: 0, match: { path } });
  const works = () => receiver().ask('DELETE', '/faults');
  const deliveriesOf = async (id: string) =>
    (await who.user.get<{ deliveries: Delivery[] }>(`/api/destinations/${id}/deliveries`)).deliveries;
  const quiet = (id: string) => {
    const quietUntil = new Date(suite.product.clock.now() + hours(1)).toISOString();
    return who.user.post(`/api/destinations/${id}`, { quietUntil });
  };
  async function sendAfter(ms: number): Promise<void> {
    await suite.advance(ms);
    await suite.product.app.runTask('ending incidents');
    await suite.product.app.runTask('outbox');
  }
  async function outage(): Promise<void> {
    await suite.outage();
    await suite.become(who, ['PAUSED']);
    await nextMailTo(suite, who.email, /paused 1 campaign/);
    await suite.product.app.runTask('outbox');
  }

  test('[CHAN-07] a quiet time ends what waits for a retry, which can be sent again', async () => {
    const id = await add('webhook', '/hooks/night', ['paused']);
    await fails('/hooks/night');
    await outage();
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'waiting', attempts: 1 }]);
    await works();
    await quiet(id);
    for (const ms of [minutes(1), hours(2)]) await sendAfter(ms);
    expect(await received('/hooks/night')).toEqual([]);
    const [ended] = await deliveriesOf(id);
    expect(ended).toMatchObject({ state: 'failed', failure: 'You chose a quiet time.' });
    await who.user.post(`/api/destinations/${id}/deliveries/${ended?.id}/send-again`);
    await suite.product.app.runTask('outbox');
    expect(await received('/hooks/night')).toHaveLength(1);
  });

  test('[CHAN-06, CHAN-07] a quiet time leaves what every channel gets, and the end of an incident', async () => {
    const path = '/v2/enqueue';
    await add('webhook', '/hooks/gone', ['resumed']);
    const id = await add('pagerduty', `${path} ${KEY}`, ['paused', 'resumed']);
    const actions = async () =>
      (await received(path)).map(({ body }) => {
        const { event_action, dedup_key } = body as Record<'event_action' | 'dedup_key', string>;
        return `${event_action} ${dedup_key.split('-')[1]}`;
      });
    await outage();
    expect(await actions()).toEqual(['trigger outage']);
    await fails(path);
    await receiver().fault({ kind: 'gone', match: { path: '/hooks/gone' } });
    await suite.recovery();
    await suite.become(who, ['ACTIVE']);
    await nextMailTo(suite, who.email, /resumed 1 campaign/);
    await nextMailTo(suite, who.email, /^Turned off: /);
    expect(await deliveriesOf(id)).toMatchObject([
      { title: expect.stringMatching(/^Turned off: /) as string, state: 'waiting' },
      { title: expect.stringMatching(/resumed 1 campaign/) as string, state: 'waiting' },
      { state: 'sent' },
    ]);
    await works();
    await quiet(id);
    await sendAfter(minutes(10));
    expect((await actions()).slice(1).toSorted()).toEqual(['resolve outage', 'trigger channel_disabled']);
  });

  test('[CHAN-06] a test whose incident can’t be ended says so', async () => {
    const id = await add('pagerduty', `/v2/enqueue ${KEY}`, ['paused']);
    // It accepts the begin, and not the end.
    await receiver().fault({ kind: 'html', http: 202 });
    await receiver().fault({ kind: 'error', http: 503 });
    const failure = 'The test arrived, but its incident couldn’t be ended: resolve it in PagerDuty.';
    expect(await who.user.post(`/api/destinations/${id}/test`)).toMatchObject({ failure });
    expect(await who.user.post(`/api/destinations/${id}/test`)).toMatchObject({ failure: null });
  });

  test('[CHAN-02] what is sent again is listed until its text is dropped', async () => {
    const id = await add('webhook', '/hooks/again', ['paused']);
    await outage();
    const [sent] = await deliveriesOf(id);
    await who.user.post(`/api/destinations/${id}/deliveries/${sent?.id}/send-again`);
    await suite.product.app.runTask('outbox');
    expect(await deliveriesOf(id)).toMatchObject([{ attempts: 2 }]);
    await sql`update notifications set created_at = created_at - make_interval(days => ${DELIVERY_DAYS})`.execute(
      suite.product.app.db,
    );
    await dropOldRows(suite.product.app.db, suite.product.clock.now(), ['notifications']);
    expect(await deliveriesOf(id)).toEqual([]);
  });
});
