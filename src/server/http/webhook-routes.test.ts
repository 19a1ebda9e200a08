import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { countBlocked, dumpOf } from '../../../test/support/database.ts';
import { nextMailTo } from '../../../test/support/mail.ts';
import type { Advertiser } from '../../../test/support/product.ts';
import { statusesOf } from '../../../test/support/product.ts';
import { startSuite } from '../../../test/support/suite.ts';
import { waitFor } from '../../../scripts/programs/wait-for.ts';
import { SIMULATED_APP } from '../../../scripts/simulator-clients/simulators.ts';
import { inTransaction } from '../db/database.ts';

const SECRET = SIMULATED_APP.META_APP_SECRET;
const DEAUTHORIZE = '/auth/facebook/deauthorize';
const DELETION = '/auth/facebook/data-deletion';

function sign(payload: object | string, secret = SECRET): string {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const encoded = Buffer.from(text).toString('base64url');
  return `${createHmac('sha256', secret).update(encoded).digest('base64url')}.${encoded}`;
}

describe('callbacks from Meta', () => {
  const suite = startSuite();

  beforeEach(async () => {
    await suite.simulators.status.post('/reset');
    // The simulator's clock follows the clock of the tests.
    await suite.simulators.graph.post('/clock', { offsetMs: suite.product.clock.now() - Date.now() });
  });

  const nowS = (): number => Math.floor(suite.product.clock.now() / 1000);
  const genuine = (user_id: string) => ({
    algorithm: 'HMAC-SHA256',
    issued_at: nowS(),
    expires: nowS() + 3600,
    user_id,
  });

  /** Without an expiry. */
  const unending = (user_id: string) => ({ ...genuine(user_id), expires: 0 });

  async function send(
    path: string,
    signed: string,
  ): Promise<{ status: number; body: Record<string, string> }> {
    const body = new URLSearchParams({ signed_request: signed });
    const response = await fetch(suite.product.url + path, { method: 'POST', body });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  }

  /** As Meta does it: removes the app, then sends the callback. */
  async function removedOnMeta(who: Advertiser, path: string): Promise<Record<string, string>> {
    const order = { userId: who.userId, url: suite.product.url + path, removeApp: true };
    const { answer } = await suite.simulators.graph.post<{ answer: { status: number; body: string } }>(
      '/callbacks',
      order,
    );
    expect(answer.status).toBe(200);
    return JSON.parse(answer.body) as Record<string, string>;
  }

  const isLoggedIn = async (who: Advertiser) => (await who.user.call('GET', '/api/me')).status === 200;
  async function deletionOf(code = ''): Promise<Record<string, unknown>> {
    const response = await fetch(`${suite.product.url}/api/data-deletion/${encodeURIComponent(code)}`);
    return { status: response.status, ...((await response.json()) as object) };
  }

  test('[API-07] app removed on Meta: sessions and token are deleted, and campaigns that stay paused are reported', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'], resume: { mode: 'next_day' } });
    await suite.simulators.status.reports('High disruptions');
    await suite.become(who, ['PAUSED']);
    await removedOnMeta(who, DEAUTHORIZE);
    await suite.until('the session to end', async () => !(await isLoggedIn(who)));
    const user = await suite.rowOf(who);
    expect(user).toMatchObject({ leaving: null, initializedAt: null });
    const notification = await nextMailTo(suite, who.email, /no longer has access/);
    expect(notification.text).toContain('You removed SmartPause on Meta');
    expect(notification.text).toContain('Please check 1 campaign in Ads Manager');
    expect(notification.text).toContain('Campaign 0');
    expect(await statusesOf(suite.simulators, who.campaignIds)).toEqual(['PAUSED']);
    const subjects = (await suite.simulators.mailbox.messagesTo(who.email)).map(({ subject }) => subject);
    expect(subjects.join()).not.toContain('log in again');
  });

  test('[API-08] a data deletion returns a status page, and in the end no data is left', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    await suite.simulators.status.reports('High disruptions');
    await suite.become(who, ['PAUSED', 'PAUSED']);
    const first = await send(DELETION, sign(genuine(who.userId)));
    expect(first.status).toBe(200);
    const { url = '', confirmation_code: code = '' } = first.body;
    expect(code).toMatch(/^[0-9A-Z]{20}$/);
    expect(url).toBe(`${suite.product.url}/data-deletion/${code}`);
    expect((await fetch(url)).status).toBe(200);
    expect(await deletionOf(code)).toMatchObject({ confirmationCode: code });
    await suite.until('the user to be gone', async () => (await suite.rowOf(who)) === undefined);
    expect(Date.parse(String((await deletionOf(code))['finishedAt']))).toBeGreaterThan(0);
    expect(await statusesOf(suite.simulators, who.campaignIds)).toEqual(['ACTIVE', 'ACTIVE']);
    const notification = await nextMailTo(suite, who.email, /account is deleted/);
    expect(notification.text).toContain(code);
    // Data written during the deletion is removed by the next tidying up.
    await suite.until('nothing to be left', async () => {
      const left = await dumpOf(suite.product.app.db);
      const found = [who.userId, who.email, who.accountId, ...who.campaignIds].filter((word) =>
        left.includes(word),
      );
      if (found.length > 0) await suite.product.app.runTask('tidying up');
      return found.length === 0;
    });
    const again = await send(DELETION, sign(genuine(who.userId)));
    expect(again.status).toBe(200);
    expect((await deletionOf(again.body['confirmation_code']))['finishedAt']).toBeTruthy();
  });

  test('[API-08] a repeated request during the deletion returns the same code', async () => {
    const who = await suite.advertiser({ campaigns: [] });
    await suite.simulators.graph.fault({
      kind: 'html',
      times: 0,
      match: { method: 'DELETE', user: who.userId },
    });
    const signed = sign(genuine(who.userId));
    const [first, second] = [await send(DELETION, signed), await send(DELETION, signed)];
    expect(second.body).toEqual(first.body);
    expect((await deletionOf(first.body['confirmation_code']))['finishedAt']).toBeNull();
    await suite.simulators.graph.ask('DELETE', '/faults');
    await suite.until('the user to be gone', async () => (await suite.rowOf(who)) === undefined);
  });

  test('a request in the second of the last login counts: Meta’s times have whole seconds', async () => {
    const who = await suite.advertiser({ campaigns: [] });
    const request = genuine(who.userId);
    const loggedInAt = new Date(request.issued_at * 1000 + 900);
    const users = suite.product.app.db.updateTable('users').set({ loggedInAt });
    await users.where('platformUserId', '=', who.userId).execute();
    await send(DEAUTHORIZE, sign(request));
    expect(await suite.rowOf(who)).toMatchObject({ leaving: 'deauthorize' });
  });

  test.each([DEAUTHORIZE, DELETION])(
    '%s: a request from before the last login changes nothing',
    async (path) => {
      const who = await suite.advertiser({ campaigns: [] });
      const old = sign({ ...genuine(who.userId), issued_at: nowS() - 600 });
      const { status, body } = await send(path, old);
      expect(status).toBe(200);
      expect(await suite.rowOf(who)).toMatchObject({ leaving: null });
      expect(await isLoggedIn(who)).toBe(true);
      if (path === DEAUTHORIZE) return;
      const superseded = { finishedAt: null, isSuperseded: true };
      expect(await deletionOf(body['confirmation_code'])).toMatchObject(superseded);
    },
  );

  test.each([DEAUTHORIZE, DELETION])(
    '%s: a forged, expired or malformed request is rejected and changes nothing',
    async (path) => {
      const who = await suite.advertiser({ campaigns: [] });
      const [signature = '', payload = ''] = sign(genuine(who.userId)).split('.');
      const other = Buffer.from(JSON.stringify(genuine('42'))).toString('base64url');
      const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
      const bad: [string, string][] = [
        ['another secret', sign(genuine(who.userId), 'guessed')],
        ['a flipped signature', `${flipped}.${payload}`],
        ['another payload', `${signature}.${other}`],
        ['no signature', `.${payload}`],
        ['a short signature', `${signature.slice(0, 20)}.${payload}`],
        ['a padded signature', `${signature}=.${payload}`],
        ['no payload', `${signature}.`],
        ['no dot', `${signature}${payload}`],
        ['another algorithm', sign({ ...genuine(who.userId), algorithm: 'none' })],
        ['expired', sign({ ...genuine(who.userId), expires: nowS() - 10 })],
        ['of the day before yesterday', sign({ ...unending(who.userId), issued_at: nowS() - 2 * 86_400 })],
        ['of tomorrow', sign({ ...unending(who.userId), issued_at: nowS() + 86_400 })],
        ['no user', sign({ ...genuine(who.userId), user_id: undefined })],
        ['a hostile user', sign({ ...genuine(who.userId), user_id: "' or 1=1 --" })],
        ['no JSON', sign('hello')],
        ['nothing', ''],
        ['very long', `${signature}.${'a'.repeat(9000)}`],
      ];
      for (const [title, signed] of bad) {
        const response = await send(path, signed);
        expect([title, response.status]).toEqual([title, 400]);
      }
      const json = await fetch(suite.product.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ other: 1 }),
      });
      expect(json.status).toBe(400);
      expect(await suite.rowOf(who)).toMatchObject({ leaving: null });
      expect(await isLoggedIn(who)).toBe(true);
    },
  );

  test.each(['x', 'A'.repeat(19), 'a'.repeat(20), "' or 1=1"])(
    'the confirmation code %j is rejected',
    async (code) => {
      expect((await deletionOf(code))['status']).toBe(400);
    },
  );

  test('an unknown confirmation code is not found', async () => {
    const unknown = { status: 404, error: { code: 'DELETION_NOT_FOUND' } };
    expect(await deletionOf('A'.repeat(20))).toMatchObject(unknown);
  });

  /** Starts a request that waits for the end of the user's deletion. */
  async function amidDeletion<T>(who: Advertiser, begin: () => Promise<T>): Promise<T> {
    const { db } = suite.product.app;
    const { pending } = await inTransaction(db, async (tx) => {
      await tx.deleteFrom('users').where('platformUserId', '=', who.userId).execute();
      const begun = begin();
      await waitFor('it to wait for the deletion', async () => (await countBlocked(db)) > 0);
      return { pending: begun };
    });
    return pending;
  }

  test.each([DEAUTHORIZE, DELETION])('%s during the deletion finds no user and reports it', async (path) => {
    const who = await suite.advertiser({ campaigns: [] });
    const signed = sign({ ...unending(who.userId), issued_at: nowS() + 2 });
    const { status, body } = await amidDeletion(who, () => send(path, signed));
    expect(status).toBe(200);
    if (path === DEAUTHORIZE) return;
    expect(await deletionOf(body['confirmation_code'])).toMatchObject({
      finishedAt: expect.any(String) as string,
      isSuperseded: false,
    });
  });

  test.each(['deauthorize', 'delete'])('%s by the user during the deletion is 401', async (how) => {
    const who = await suite.advertiser({ campaigns: [] });
    const { status } = await amidDeletion(who, () => who.user.call('POST', `/api/account/${how}`));
    expect(status).toBe(401);
  });
});
