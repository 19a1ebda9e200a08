import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { dumpOf } from '../../test/support/database.ts';
import { advanceTo, advanceToNextPass } from '../../test/support/due.ts';
import { nextMailTo } from '../../test/support/mail.ts';
import type { Advertiser } from '../../test/support/product.ts';
import { KEY_OF_TESTS as KEY } from '../../test/support/product.ts';
import { followLogin } from '../../scripts/simulator-clients/user.ts';
import { SIMULATED_APP, SIMULATED_SMTP_PASSWORD } from '../../scripts/simulator-clients/simulators.ts';
import { startSuite } from '../../test/support/suite.ts';
import { tokenContext } from './db/users/tokens.ts';
import { createTokenCipher } from './secrets.ts';

describe('known secrets in every code path', () => {
  let who: Advertiser;
  let log = '';
  const suite = startSuite({
    usesSmtp: true,
    environment: { LOG_LEVEL: 'trace' },
    logTo: new Writable({
      write(chunk: Buffer, _encoding, done) {
        log += chunk.toString();
        done();
      },
    }),
  });
  const responses: string[] = [];
  const secrets = new Map<string, string>([
    ['the app secret', SIMULATED_APP.META_APP_SECRET],
    ['the encryption key', KEY],
    ['the mail password', SIMULATED_SMTP_PASSWORD],
  ]);

  beforeAll(async () => {
    who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    secrets.set('the session token', who.user.token);
    secrets.set('the platform token', await platformToken());
  });

  async function platformToken(): Promise<string> {
    const row = await suite.product.app.db.selectFrom('platformTokens').selectAll().executeTakeFirstOrThrow();
    const { ciphertext, keyId } = row;
    const token = createTokenCipher([KEY]).decrypt({ ciphertext, keyId }, tokenContext(row.userId));
    if (token === null) throw new Error('the token was encrypted with another key');
    return token;
  }

  async function ask(path: string, init: RequestInit = {}): Promise<void> {
    const response = await fetch(suite.product.url + path, { redirect: 'manual', ...init });
    const location = response.headers.get('location') ?? '';
    responses.push(` ${response.status} ${location} ${await response.text()}`);
  }

  const comesTo = (status: string) =>
    suite.until(`the campaign to be ${status}`, async () => {
      if ((await suite.statuses(who))[0] === status) return true;
      await advanceToNextPass(suite, who.accountId);
      return false;
    });

  const secret = (name: string): string => secrets.get(name) ?? '';

  test('valid and invalid requests with the secrets in every field', async () => {
    const session = secret('the session token');
    for (const value of secrets.values()) {
      const encoded = encodeURIComponent(value);
      await ask(`/?token=${encoded}&access_token=${encoded}`);
      await ask(`/api/me?token=${encoded}`, { headers: { authorization: `Bearer ${value}` } });
      await ask(`/auth/facebook/callback?code=${encoded}&state=${encoded}`);
      await ask('/auth/facebook/deauthorize', {
        method: 'POST',
        body: new URLSearchParams({ signed_request: `${encoded}.${encoded}` }),
      });
      await ask('/auth/logout', { method: 'POST', headers: { authorization: `Bearer ${value}x` } });
      await ask(`/nowhere/${encoded}`, { headers: { cookie: `smartpause_login=${encoded}` } });
    }
    const headers = { authorization: `Bearer ${session}`, 'content-type': 'application/json' };
    for (const path of ['/api/me', '/api/user/status', '/api/ad-accounts']) {
      await ask(path, { headers });
    }
    await ask('/api/user/settings', { method: 'POST', headers, body: '{"broken' });
    await sql`alter table subscriptions rename to subscriptions_away`.execute(suite.product.app.db);
    await ask('/api/user/settings', {
      method: 'POST',
      headers,
      body: JSON.stringify({
        resumeSettings: { mode: 'instant' },
        outageThreshold: 'HIGH',
        email: 'a@example.com',
      }),
    });
    await sql`alter table subscriptions_away rename to subscriptions`.execute(suite.product.app.db);
    expect(responses.some((response) => response.includes(' 500 '))).toBe(true);
  });

  test('a platform that quotes our token in errors of every kind', async () => {
    const message = `Error with ${secret('the platform token')} and ${secret('the app secret')}`;
    await suite.simulators.graph.fault({ kind: 'error', code: 2, message, method: 'POST', user: who.userId });
    await suite.simulators.graph.fault({ kind: 'error', code: 1, message, method: 'POST', user: who.userId });
    await suite.simulators.status.reports('High disruptions');
    await comesTo('PAUSED');
    await nextMailTo(suite, who.email, /paused 1 campaign/);
    await suite.simulators.graph.fault({ kind: 'error', code: 190, message, path: 'me/permissions' });
    responses.push((await followLogin(suite.product.url, { userId: who.userId })).href);
    await suite.simulators.graph.fault({ kind: 'html', path: 'oauth/access_token' });
    responses.push((await followLogin(suite.product.url, { userId: who.userId })).href);
    await suite.simulators.status.reports('Resolved');
    // The last pause was not confirmed: it is resumed once no copy of it can arrive.
    await comesTo('ACTIVE');
    await nextMailTo(suite, who.email, /resumed 1 campaign/);
  });

  test('a token check, a rejected token and an email that cannot be sent', async () => {
    await suite.simulators.mailbox.fault({
      kind: 'refuse',
      stage: 'rcpt',
      code: 535,
      message: SIMULATED_SMTP_PASSWORD,
      times: 3,
    });
    await suite.advance(25 * 3_600_000);
    await suite.simulators.graph.post('/tokens/invalidate', { userId: who.userId });
    await suite.until('the rejection', async () => {
      const row = await suite.product.app.db
        .selectFrom('platformTokens')
        .select(['rejectedAt', 'checkAt'])
        .executeTakeFirstOrThrow();
      if (row.rejectedAt !== null) return true;
      await advanceTo(suite, row.checkAt);
      return false;
    });
    await nextMailTo(suite, who.email, /log in again/);
    expect(log).toContain('could not be sent');
  });

  test('appear in no log line, address, page, email or column', async () => {
    const requests = await suite.simulators.graph.requests();
    expect(requests.length).toBeGreaterThan(10);
    expect(requests.filter(({ secretInQuery }) => secretInQuery)).toEqual([]);
    const mails = await suite.simulators.mailbox.messages();
    expect(mails.length).toBeGreaterThan(2);
    expect(log).toContain('request completed');
    const places = new Map([
      ['the log', log],
      ['a response', responses.join('\n')],
      ['a request', JSON.stringify(requests)],
      ['a mail', JSON.stringify(mails)],
      ['the database', await dumpOf(suite.product.app.db)],
    ]);
    for (const [name, value] of secrets) {
      const forms = [
        value,
        encodeURIComponent(value),
        Buffer.from(value).toString('base64'),
        Buffer.from(value).toString('hex'),
      ];
      for (const [place, text] of places) {
        expect([name, place, forms.some((form) => text.includes(form))]).toEqual([name, place, false]);
      }
    }
  });
});
