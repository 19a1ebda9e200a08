import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, test } from 'vitest';
import { followLogin, signIn } from '../../../scripts/simulator-clients/user.ts';
import { startSuite } from '../../../test/support/suite.ts';
import { loginsFail } from '#core/system-health.ts';
import { readGauges } from '../db/reports/gauges.ts';

describe('[FR-35] an app with Login for Business', () => {
  const DAY = 86_400_000;
  const CONFIG = '4455667788990011';
  const MAYA = '122093847561029384';
  const logTo = new PassThrough();
  const environment = { META_LOGIN_CONFIG_ID: CONFIG, LOG_LEVEL: 'info' };
  const suite = startSuite({ logTo, environment, rateLimits: { logins: 1000 } });
  const configure = (id: string | null) => suite.simulators.graph.post('/login-config', { id });

  beforeEach(async () => {
    await configure(CONFIG);
    await suite.product.app.db.deleteFrom('loginAttempts').execute();
    await isFailing();
    logTo.read();
  });

  const open = (url: string, cookie = '') =>
    suite.product.app.http.inject({ url, headers: { host: new URL(suite.product.url).host, cookie } });

  /** The start of a login, in a new browser unless it sends a cookie. */
  async function startLogin(sent = ''): Promise<{ cookie: string; back: string }> {
    const { headers } = await open('/auth/facebook', sent);
    const [cookie = ''] = String(headers['set-cookie']).split(';');
    const state = new URL(String(headers.location)).searchParams.get('state') ?? '';
    return { cookie, back: `/auth/facebook/callback?state=${state}` };
  }

  /** Logins in new browsers. @param back the end of the callback; null: they end at Meta */
  async function begin(back: string | null, count = 1): Promise<void> {
    for (let browser = 0; browser < count; browser += 1) {
      const login = await startLogin();
      if (back === null) continue;
      await open(`${login.back}&${back}`, login.cookie);
    }
  }
  /** As System health and the gauge say, and what the log says of it. */
  async function isFailing(): Promise<boolean> {
    // Ends the 5 s for which the numbers are cached.
    suite.product.clock.advance(6000);
    const { db } = suite.product.app;
    const now = suite.product.clock.now();
    const { logins } = await readGauges(db, [], now);
    await suite.product.app.runTask('logging alarms');
    return loginsFail(logins, now);
  }
  const logged = (): unknown[] =>
    String(logTo.read() ?? '').match(/"msg":"alarm (began|ended)"|"alarm":"logins"/g) ?? [];

  test('its dialog is opened with the configuration, and the login ends with the permissions', async () => {
    const end = await followLogin(suite.product.url, { userId: MAYA });
    expect(end.searchParams.get('token')).toMatch(/^[\w-]{43}$/);
    await configure('5');
    await expect(followLogin(suite.product.url, { userId: MAYA })).rejects.toThrow(/app isn’t available/);
  });

  const DENIED = 'error=access_denied&error_reason=user_denied';
  test.each<[string, fails: boolean, begun: () => Promise<unknown>]>([
    ['three browsers end at Meta', true, () => begin(null, 3)],
    ['two browsers end at Meta', false, () => begin(null, 2)],
    [
      'three come back with an error or no code',
      true,
      async () => {
        await begin('error=server_error');
        await begin('code=made-up');
        await begin('');
      },
    ],
    [
      'one browser tries five times',
      false,
      async () => {
        const { cookie } = await startLogin();
        for (let again = 0; again < 4; again += 1) await startLogin(cookie);
      },
    ],
    ['nine decline', false, () => begin(DENIED, 9)],
    ['ten decline, as in development mode', true, () => begin(DENIED, 10)],
    [
      'one of three declines first and then ends at Meta',
      true,
      async () => {
        await begin(null, 2);
        const { cookie, back } = await startLogin();
        await open(`${back}&${DENIED}`, cookie);
        await startLogin(cookie);
      },
    ],
    [
      'one login succeeds after three',
      false,
      async () => {
        await begin(null, 3);
        await signIn(suite.product.url, MAYA);
      },
    ],
    [
      'three end at Meta after the last success',
      true,
      async () => {
        await signIn(suite.product.url, MAYA);
        suite.product.clock.advance(1000);
        await begin(null, 3);
      },
    ],
    ['none begins', false, () => Promise.resolve()],
  ])('two days after %s: the alarm is %s', async (_title, fails, begun) => {
    await begun();
    expect(await isFailing()).toBe(false);
    await suite.advance(2 * DAY);
    expect(await isFailing()).toBe(fails);
  });

  test('is logged once when the alarm begins and once when it ends, with a success or after a week', async () => {
    await begin(null, 3);
    await suite.advance(2 * DAY);
    expect([await isFailing(), await isFailing()]).toEqual([true, true]);
    expect(logged()).toEqual(['"alarm":"logins"', '"msg":"alarm began"']);
    await signIn(suite.product.url, MAYA);
    expect([await isFailing(), await isFailing()]).toEqual([false, false]);
    expect(logged()).toEqual(['"alarm":"logins"', '"msg":"alarm ended"']);
    await suite.advance(1000);
    await begin(null, 3);
    await suite.advance(7 * DAY);
    expect(await isFailing()).toBe(true);
    await suite.advance(20 * 60_000);
    await suite.product.app.runTask('tidying up');
    expect(await isFailing()).toBe(false);
  });
});
