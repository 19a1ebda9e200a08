import { beforeEach, describe, expect, test } from 'vitest';
import type { Advertiser } from '../../../../test/support/product.ts';
import { tokenSuite } from '../../../../test/support/token-suite.ts';
import { readGauges } from '../../db/reports/gauges.ts';
import { noteInspection, suspectTokens } from '../../db/users/tokens.ts';

const MINUTE = 60_000;
const EXPIRED = /^Your Meta connection has expired: please log in again/;

describe('[FR-33] Meta refuses to inspect tokens for our app', () => {
  const suite = tokenSuite();

  beforeEach(async () => {
    await suite.simulators.status.post('/reset');
    await suite.simulators.graph.ask('DELETE', '/faults');
    await suite.simulators.graph.ask('DELETE', '/requests');
    await noteInspection(suite.product.app.db, null);
  });

  const dies = (who: Advertiser) =>
    suite.simulators.graph.post('/tokens/invalidate', { userId: who.userId, subcode: 460 });
  const refuse = (code: number, message: string) =>
    suite.simulators.graph.fault({ kind: 'error', code, message, times: 0, path: 'debug_token' });

  /** After that time: a call of each was refused, and the due tokens are checked. */
  async function check(all: Advertiser[], afterMs = 0): Promise<boolean[]> {
    await suite.advance(afterMs);
    await suite.untilStatusIsTrusted();
    const rows = await Promise.all(all.map((who) => suite.tokenRow(who)));
    const userIds = rows.map(({ userId }) => userId);
    await suspectTokens(suite.product.app.db, userIds, suite.product.clock.now());
    await suite.checkDue();
    return Promise.all(all.map(async (who) => (await suite.tokenRow(who)).rejectedAt !== null));
  }
  const refusedSince = async () =>
    (await readGauges(suite.product.app.db, [], suite.product.clock.now())).tokenChecks.oldest;
  const calls = async (path: RegExp): Promise<number> =>
    (await suite.simulators.graph.requests()).filter((request) => path.test(request.path)).length;
  const mails = async (who: Advertiser) =>
    (await suite.subjects(who)).filter((subject) => EXPIRED.test(subject)).length;

  test('an app token that Meta issues inspects instead, for all users, without an alarm', async () => {
    const [dead, good] = [await suite.newcomer(), await suite.newcomer()];
    await suite.simulators.graph.post('/app-tokens/invalidate', {});
    await suite.simulators.graph.ask('DELETE', '/requests');
    await dies(dead);
    expect(await check([dead, good])).toEqual([true, false]);
    expect(await check([dead, good], 11 * MINUTE)).toEqual([true, false]);
    const requests = await suite.simulators.graph.requests();
    expect(requests.filter(({ path }) => path.endsWith('oauth/access_token'))).toHaveLength(1);
    expect(requests.filter(({ secretInQuery }) => secretInQuery)).toEqual([]);
    expect([await mails(dead), await mails(good), await refusedSince()]).toEqual([...[1, 0, null]]);
  });

  test.each([
    [190, 'Invalid OAuth access token - Cannot get application info'],
    [104, 'Incorrect signature'],
    [101, 'Error validating application. Invalid application ID.'],
  ])('%d: after a quarter of an hour the own calls of a dead token count', async (code, message) => {
    const [dead, good] = [await suite.newcomer(), await suite.newcomer()];
    await refuse(code, message);
    await dies(dead);
    await suite.simulators.graph.ask('DELETE', '/requests');
    expect(await check([dead, good])).toEqual([false, false]);
    const since = await refusedSince();
    expect(since).toBe((await suite.tokenRow(dead)).checkedAt);
    expect(await check([dead, good], 14 * MINUTE)).toEqual([false, false]);
    expect(await calls(/\/me$/)).toBe(0);
    await suite.simulators.graph.ask('DELETE', '/requests');
    for (let again = 0; again < 3; again += 1)
      expect(await check([dead, good], 11 * MINUTE)).toEqual([true, false]);
    // At most one of each token in a check, and another app token after a quarter of an hour only.
    expect(await calls(/\/me$/)).toBeLessThanOrEqual(await calls(/^\/v[\d.]+\/?$/));
    expect(await calls(/oauth\/access_token$/)).toBeLessThanOrEqual(2);
    expect([await mails(dead), await mails(good)]).toEqual([1, 0]);
    expect(await suite.accessOf(dead)).toBe('expired');
    // Since the first refusal, also after the dead token was rejected.
    expect(await refusedSince()).toBe(since);

    await suite.simulators.graph.ask('DELETE', '/faults');
    expect(await check([dead, good], 11 * MINUTE)).toEqual([true, false]);
    expect(await refusedSince()).toBeNull();
  });

  test('a failure that proves nothing is no refusal; nor does it reject a token', async () => {
    const who = await suite.newcomer();
    await suite.simulators.graph.fault({ kind: 'error', code: 2, times: 0, path: 'debug_token' });
    await dies(who);
    for (let again = 0; again < 3; again += 1) expect(await check([who], 16 * MINUTE)).toEqual([false]);
    expect(await refusedSince()).toBeNull();
  });

  test('own calls that fail otherwise reject no token, nor does 190 while login is disrupted', async () => {
    const who = await suite.newcomer();
    await refuse(190, '');
    const own = { kind: 'error', times: 0, path: '^/?me$' } as const;
    for (const code of [2, 4, 10, 100, 200]) {
      await suite.simulators.graph.fault({ ...own, code });
      expect([code, await check([who], 16 * MINUTE)]).toEqual([code, [false]]);
    }
    await suite.simulators.graph.ask('DELETE', '/faults');
    await refuse(190, '');
    await dies(who);
    await suite.disturbLogin();
    await suite.advance(16 * MINUTE);
    await suite.untilDisturbed();
    await suite.checkDue();
    expect((await suite.tokenRow(who)).rejectedAt).toBeNull();
    await suite.simulators.status.post('/reset');
    expect(await check([who], 16 * MINUTE)).toEqual([true]);
  });
});
