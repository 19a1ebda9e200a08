import { readFile } from 'node:fs/promises';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Advertiser } from '../../../test/support/product.ts';
import { allMailTo, queueMail } from '../../../test/support/mail.ts';
import { startSuite } from '../../../test/support/suite.ts';
import { createMetrics } from '../metrics/metrics.ts';

interface Sample {
  labels: string;
  value: number;
}

describe('the operators’ port', () => {
  const suite = startSuite({ environment: { OPERATIONS_PORT: '0' } });
  let url = '';
  beforeAll(() => {
    const address = suite.product.app.operators?.server.address();
    if (address == null || typeof address === 'string') throw new Error('the server does not listen');
    url = `http://127.0.0.1:${address.port}`;
  });
  afterEach(() => suite.simulators.status.reports('Resolved'));

  const metrics = async (): Promise<Map<string, Sample[]>> => {
    const text = await (await fetch(`${url}/metrics`)).text();
    const found = [...text.matchAll(/^(\w+)(?:\{([^}]*)\})? (\S+)$/gm)];
    return Map.groupBy(
      found.map(([, name = '', labels = '', value]) => ({ name, labels, value: Number(value) })),
      ({ name }) => name,
    );
  };
  const valueOf = async (name: string, ...labels: string[]): Promise<number | undefined> =>
    (await metrics()).get(name)?.find((one) => labels.every((label) => one.labels.includes(label)))?.value;
  /** Ends the 5 s for which database gauges are cached. */
  const expireGauges = () => suite.product.clock.advance(5_100);
  async function hasLevel(level: string): Promise<void> {
    await suite.known(level);
    expireGauges();
    expect(await valueOf('smartpause_status_level', 'kind="effective"', `level="${level}"`)).toBe(1);
  }

  const paused = (who: Advertiser, count: number) =>
    suite.until(`${count} campaigns to be paused`, async () => {
      const holds = await suite.product.app.db
        .selectFrom('holds')
        .select('state')
        .where('accountId', '=', who.accountId)
        .execute();
      return holds.filter(({ state }) => state === 'paused').length === count;
    });

  test('does not count a late SmartPause activation during an outage as a slow pause', async () => {
    await suite.simulators.status.reports('High disruptions');
    await hasLevel('HIGH_DISRUPTION');
    await paused(await suite.advertiser({ campaigns: ['ACTIVE'], on: 1 }), 1);
    expect(await valueOf('smartpause_pause_seconds_count')).toBe(0);
    expect(await valueOf('smartpause_platform_call_seconds_count', 'call="writes"')).toBe(1);
  });

  test('reports an outage in metrics: pause latency, holds, calls to Meta', async () => {
    await hasLevel('UP');
    const who = await suite.advertiser({ campaigns: ['ACTIVE', 'ACTIVE', 'PAUSED'], on: 3 });
    const before = (await valueOf('smartpause_pause_seconds_count')) ?? 0;
    await suite.simulators.status.reports('High disruptions');
    await paused(who, 2);
    expect(await valueOf('smartpause_pause_seconds_count')).toBeGreaterThanOrEqual(before + 2);
    expect(await valueOf('smartpause_pause_seconds_sum')).toBeGreaterThan(0);
    await hasLevel('HIGH_DISRUPTION');
    expect(await valueOf('smartpause_status_level', 'kind="effective"', 'level="UP"')).toBe(0);
    expect(await valueOf('smartpause_status_readings_total', 'level="HIGH_DISRUPTION"')).toBeGreaterThan(0);
    expect(
      await valueOf('smartpause_platform_call_seconds_count', 'call="campaigns"', 'outcome="ok"'),
    ).toBeGreaterThan(0);
  });

  test('reports Stripe calls, responses by route, and notification outcomes', async () => {
    const who = await suite.advertiser({ campaigns: [], renews: true });
    await who.user.get('/api/me');
    expect(
      await valueOf(
        'smartpause_http_request_duration_seconds_count',
        'method="GET"',
        'route="/api/me"',
        'status="200"',
      ),
    ).toBeGreaterThan(0);
    const { status } = await fetch(`${suite.product.url}/webhooks/stripe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': 't=1,v1=00' },
      body: '{}',
    });
    expect(status).toBe(400);
    expect(await valueOf('smartpause_webhooks_total', 'from="stripe"', 'outcome="refused"')).toBeGreaterThan(
      0,
    );
    await who.user.cancelSubscription(suite.simulators.stripe);
    await suite.simulators.stripe.settleWebhooks();
    expect(await valueOf('smartpause_webhooks_total', 'from="stripe"', 'outcome="taken"')).toBeGreaterThan(0);
    await fetch(`${suite.product.url}/nowhere/${'x'.repeat(30)}`);
    const routes = (await metrics()).get('smartpause_http_request_duration_seconds_count') ?? [];
    expect(routes.filter(({ labels }) => labels.includes('nowhere'))).toEqual([]);
    await queueMail(suite.product, who.userId);
    expect(await allMailTo(suite, who.email)).toHaveLength(1);
    expect(await valueOf('smartpause_notifications_total', 'outcome="sent"')).toBeGreaterThan(0);
  });

  test('initializes counters at 0, so that the first event is an increase', async () => {
    const fresh = await createMetrics().registry.metrics();
    for (const outcome of ['sent', 'retried', 'failed'])
      expect(fresh).toContain(`smartpause_notifications_total{outcome="${outcome}"} 0\n`);
    expect(fresh).toContain('smartpause_webhooks_total{from="meta_data_deletion",outcome="failed"} 0\n');
  });

  test('exports every metric of the alerts', async () => {
    const there = new Set((await metrics()).keys());
    const alerts = await readFile('deploy/prometheus/alerts.yaml', 'utf8');
    const names = [...new Set(alerts.match(/\b(?:smartpause|process|nodejs)_\w+_\w+/g))];
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !there.has(name) && !there.has(`${name}_count`))).toEqual([]);
  });

  test('reports health on both ports: unready with older tables, ready with newer ones', async () => {
    const { db } = suite.product.app;
    const table = db.$extendTables<{ kysely_migration: { name: string; timestamp: string } }>();
    const health = async (address: string) => {
      const response = await fetch(address);
      return [response.status, await response.json()];
    };
    const addresses = [
      `${url}/health/ready`,
      ...['/health', '/health/ready'].map((path) => suite.product.url + path),
    ];
    const expectHealth = async (status: number, database: string) => {
      const all = await Promise.all(addresses.map(health));
      expect(all).toEqual(addresses.map(() => [status, { healthy: status === 200, database }]));
    };
    await table.insertInto('kysely_migration').values({ name: '9999-later', timestamp: '' }).execute();
    await expectHealth(200, 'fine');
    const first = await table
      .deleteFrom('kysely_migration')
      .where('name', 'like', '0001-initial-%')
      .returningAll()
      .executeTakeFirstOrThrow();
    await expectHealth(503, 'outdated');
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    await table.insertInto('kysely_migration').values(first).execute();
    await table.deleteFrom('kysely_migration').where('name', '=', '9999-later').execute();
  });

  test('is not served on the port of the pages', async () => {
    const response = await fetch(`${suite.product.url}/metrics`);
    expect(response.headers.get('content-type')).toMatch('text/html');
  });
});
