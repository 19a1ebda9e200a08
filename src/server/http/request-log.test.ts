import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, test } from 'vitest';
import { startSuite } from '../../../test/support/suite.ts';

describe('the log', () => {
  let text = '';
  const logTo = new PassThrough();
  logTo.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const suite = startSuite({ logTo, environment: { LOG_LEVEL: 'debug' } });
  beforeEach(() => (text = ''));

  const linesWith = (message: string) =>
    text
      .split('\n')
      .filter((line) => line.includes(`"${message}"`))
      .map((line): Record<string, unknown> & { line: string } => ({
        ...(JSON.parse(line) as Record<string, unknown>),
        line,
      }));

  test('names the request id, which the response has too, and the user', async () => {
    const who = await suite.advertiser({ campaigns: [] });
    const { id } = (await suite.rowOf(who)) ?? {};
    text = '';
    const responses = await Promise.all(
      [1, 2].map(() =>
        fetch(`${suite.product.url}/api/me`, { headers: { authorization: `Bearer ${who.user.token}` } }),
      ),
    );
    const ids = responses.map(({ headers }) => headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(2);
    const completed = linesWith('request completed').filter((line) => line['url'] === '/api/me');
    expect(new Set(completed.map((line) => line['request']))).toEqual(new Set(ids));
    expect(completed.map((line) => line['user'])).toEqual([id, id]);
  });

  test('has the request context in code that does not know of requests', async () => {
    const who = await suite.advertiser({ campaigns: [] });
    const { id } = (await suite.rowOf(who)) ?? {};
    await suite.simulators.stripe.fault({ kind: 'error', http: 500, times: 0 });
    text = '';
    const response = await fetch(`${suite.product.url}/api/stripe/create-portal-session`, {
      method: 'POST',
      headers: { authorization: `Bearer ${who.user.token}`, 'content-type': 'application/json' },
      body: '{}',
    });
    await suite.simulators.stripe.ask('DELETE', '/faults');
    const [line] = linesWith('Stripe request failed');
    expect(line).toMatchObject({ request: response.headers.get('x-request-id'), user: id });
  });

  test('names each field once in a line', async () => {
    const who = await suite.advertiser({ campaigns: [] });
    text = '';
    await who.user.call('GET', '/api/admin/stats');
    const lines = [...linesWith('request completed'), ...linesWith('refused')];
    expect(lines.length).toBeGreaterThanOrEqual(2);
    for (const { line } of lines) {
      expect(line.match(/"request":/g)).toHaveLength(1);
      expect((line.match(/"user":/g) ?? []).length).toBeLessThanOrEqual(1);
    }
  });

  test('has no user in the lines of background work', async () => {
    await suite.known('UP');
    await suite.simulators.status.reports('High disruptions');
    await suite.known('HIGH_DISRUPTION');
    const lines = linesWith('the platform status changed');
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      expect(line).not.toHaveProperty('request');
      expect(line).not.toHaveProperty('user');
    }
  });
});
