import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OPEN_APP, silentLog } from '../../../../test/support/database.ts';
import { KEY_OF_TESTS } from '../../../../test/support/product.ts';
import { tokenSuite } from '../../../../test/support/token-suite.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { followLogin, signIn } from '../../../../scripts/simulator-clients/user.ts';
import type { Clock } from '../../clock.ts';
import { createDb } from '../../db/database.ts';
import type { Log } from '../../observability/log.ts';
import type { AccessToken, PlatformLogin, PlatformResult } from '../../platforms/platform.ts';
import { createTokenCipher } from '../../secrets.ts';
import { checkTokens } from './token-checks.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const EXCHANGE = 'oauth/access_token';

describe('[FR-09] the longer token that cannot be had at login', () => {
  const suite = tokenSuite();
  const { advance } = suite;
  let who: Advertiser;

  const exchangeWorks = (extendTokens: boolean) =>
    suite.simulators.graph.post('/settings', { codeTokenSeconds: 5400, extendTokens });
  const tryAgain = suite.checkDue;
  const tokenRow = () => suite.tokenRow(who);
  const accessOf = () => suite.accessOf(who);
  const livesFor = async () => Number((await tokenRow()).expiresAt) - suite.product.clock.now();

  beforeEach(async () => {
    await advance(0);
    await exchangeWorks(false);
    who = await suite.advertiser({ campaigns: [] });
    await suite.simulators.graph.ask('DELETE', '/requests');
  });
  afterEach(() => suite.simulators.graph.ask('DELETE', '/faults'));

  test('the login works, and ten minutes later the exchange does', async () => {
    const end = await followLogin(suite.product.url, { userId: who.userId });
    expect([...end.searchParams.keys()]).toEqual(['token']);
    expect(await livesFor()).toBeLessThanOrEqual(90 * MINUTE);
    await advance(5 * MINUTE);
    await tryAgain();
    expect((await tokenRow()).isShortLived).toBe(true);
    expect(await accessOf()).toBe('ok');
    await exchangeWorks(true);
    await advance(5 * MINUTE);
    await tryAgain();
    expect(await livesFor()).toBeGreaterThan(50 * 24 * 60 * MINUTE);
    expect([await accessOf(), (await tokenRow()).isShortLived]).toEqual(['ok', false]);
    expect(await suite.subjects(who)).toEqual([]);
  });

  test.each([
    ['half a response', { kind: 'truncated' }],
    ['a rate limit', { kind: 'error', code: 4 }],
    ['a rejection', { kind: 'error', code: 100 }],
  ])('after %s it is tried again, two minutes later', async (_title, fault) => {
    await exchangeWorks(true);
    await suite.simulators.graph.fault({ ...fault, path: EXCHANGE });
    await advance(2 * MINUTE);
    await tryAgain();
    expect(await livesFor()).toBeLessThanOrEqual(90 * MINUTE);
    await tryAgain();
    expect(await livesFor()).toBeLessThanOrEqual(90 * MINUTE);
    await advance(2 * MINUTE);
    await tryAgain();
    expect(await livesFor()).toBeGreaterThan(50 * 24 * 60 * MINUTE);
  });

  /** The scheduled task some minutes from now, with this response of Meta to the exchange. */
  async function exchangeReturns(
    inMinutes: number,
    response: (token: string) => PlatformResult<AccessToken>,
  ): Promise<void> {
    const { clock } = suite.product;
    const extend = (token: string) => Promise.resolve(response(token));
    // The product's own clock stands still, so that its own task is not due.
    const later: Clock = {
      after: (ms, callback) => clock.after(ms, callback),
      now: () => clock.now() + inMinutes * MINUTE,
    };
    await checkTokens({
      db: createDb(suite.database.pool, later),
      cipher: createTokenCipher([KEY_OF_TESTS]),
      login: { extend } as unknown as PlatformLogin,
      clock: later,
      staleMs: MINUTE,
      log: silentLog as unknown as Log,
      app: OPEN_APP,
    });
  }
  const givenFor = (ms: number, next: (token: string) => string) => (token: string) =>
    ({ ok: true, value: { token: next(token), expiresInMs: ms } }) as const;

  test('the same token with a later end: its end is saved, and the exchange is not repeated', async () => {
    await exchangeReturns(
      2,
      givenFor(60 * DAY, (token) => token),
    );
    expect((await tokenRow()).isShortLived).toBe(false);
    expect(await livesFor()).toBeGreaterThan(59 * DAY);
  });

  test.each([
    ['the same token, as short as before', (token: string) => token],
    ['another token, as short as before', () => 'other'],
  ])('%s: it is tried again', async (_what, next) => {
    await exchangeReturns(2, givenFor(88 * MINUTE, next));
    expect((await tokenRow()).isShortLived).toBe(true);
    expect(await livesFor()).toBeLessThanOrEqual(91 * MINUTE);
    await exchangeReturns(
      5,
      givenFor(60 * DAY, () => 'long'),
    );
    expect((await tokenRow()).isShortLived).toBe(false);
  });

  test('the user is left alone for an hour, then asked, and at the end of the token must reconnect', async () => {
    await advance(59 * MINUTE);
    expect(await accessOf()).toBe('ok');
    await advance(2 * MINUTE);
    expect(await accessOf()).toBe('stale');
    await advance(30 * MINUTE);
    expect(await accessOf()).toBe('expired');
    await suite.simulators.graph.ask('DELETE', '/requests');
    await tryAgain();
    expect((await suite.simulators.graph.requests()).filter(({ path }) => path.includes(EXCHANGE))).toEqual(
      [],
    );
  });

  /** The exchange of the stored token, parked at Meta. */
  async function heldExchange() {
    const { graph } = suite.simulators;
    await exchangeWorks(true);
    const id = await graph.fault({ kind: 'hang_before', path: EXCHANGE });
    await advance(2 * MINUTE);
    const trying = tryAgain();
    await suite.amid('the exchange to begin', async () => (await graph.parked(id)) > 0);
    return async () => {
      await graph.ask('DELETE', `/faults/${id}`);
      await trying;
    };
  }

  test('a later login wins over the exchange of the older token', async () => {
    const release = await heldExchange();
    await signIn(suite.product.url, who.userId);
    const newer = await tokenRow();
    await release();
    expect((await tokenRow()).ciphertext).toEqual(newer.ciphertext);
  });
});
