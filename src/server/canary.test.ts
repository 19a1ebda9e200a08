import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dumpOf, freshDatabase } from '../../test/support/database.ts';
import { advanceTo, advanceToNextPass } from '../../test/support/due.ts';
import { nextMailTo } from '../../test/support/mail.ts';
import type { Advertiser, TestProduct } from '../../test/support/product.ts';
import { newAdvertiser, startProduct, statusesOf, waitForStatuses } from '../../test/support/product.ts';
import { followLogin } from '../../scripts/outside/user.ts';
import { SIMULATED_APP } from '../../scripts/outside/simulators.ts';
import type { LocalSimulators } from '../../test/support/simulators.ts';
import { startSimulators } from '../../test/support/simulators.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { tokenContext } from './db/users/tokens.ts';
import { createTokenCipher } from './secrets.ts';

const KEY = 'canary-encryption-key-0123456789abcdef';
const SMTP_PASSWORD = 'canary-smtp-password-0123456789';

describe('known secrets in every code path', () => {
  let simulators: LocalSimulators;
  let product: TestProduct;
  let who: Advertiser;
  let log = '';
  const answers: string[] = [];
  const secrets = new Map<string, string>([
    ['the app secret', SIMULATED_APP.META_APP_SECRET],
    ['the encryption key', KEY],
    ['the mail password', SMTP_PASSWORD],
  ]);

  beforeAll(async () => {
    simulators = await startSimulators();
    const smtp = new URL(simulators.environment['SMTP_URL'] ?? '');
    smtp.username = 'canary';
    smtp.password = SMTP_PASSWORD;
    product = await startProduct({
      simulators,
      usesSmtp: true,
      database: await freshDatabase(),
      environment: { ENCRYPTION_KEY: KEY, SMTP_URL: smtp.href, LOG_LEVEL: 'trace' },
      logTo: new Writable({
        write(chunk: Buffer, _encoding, done) {
          log += chunk.toString();
          done();
        },
      }),
    });
    who = await newAdvertiser({ product, simulators, campaigns: ['ACTIVE'] });
    secrets.set('the session token', who.user.token);
    secrets.set('the platform token', await platformToken());
  });
  afterAll(async () => {
    await product.close();
    await simulators.stop();
  });

  async function platformToken(): Promise<string> {
    const row = await product.app.db.selectFrom('platform_token').selectAll().executeTakeFirstOrThrow();
    const { ciphertext, key_id: keyId } = row;
    const token = createTokenCipher([KEY]).decrypt({ ciphertext, keyId }, tokenContext(row.user_id));
    if (token === null) throw new Error('the token was encrypted with another key');
    return token;
  }

  async function ask(path: string, init: RequestInit = {}): Promise<void> {
    const answer = await fetch(product.url + path, { redirect: 'manual', ...init });
    const location = answer.headers.get('location') ?? '';
    answers.push(` ${answer.status} ${location} ${await answer.text()}`);
  }

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
    await sql`alter table subscription rename to subscription_away`.execute(product.app.db);
    await ask('/api/user/settings', {
      method: 'POST',
      headers,
      body: JSON.stringify({
        resumeSettings: { mode: 'instant' },
        outageThreshold: 'HIGH',
        email: 'a@example.com',
      }),
    });
    await sql`alter table subscription_away rename to subscription`.execute(product.app.db);
    expect(answers.some((answer) => answer.includes(' 500 '))).toBe(true);
  });

  test('a platform that quotes our token in errors of every kind', async () => {
    const message = `Error with ${secret('the platform token')} and ${secret('the app secret')}`;
    await simulators.graph.fault({ kind: 'error', code: 2, message, method: 'POST', user: who.userId });
    await simulators.graph.fault({ kind: 'error', code: 1, message, method: 'POST', user: who.userId });
    await simulators.status.reports('High disruptions');
    await waitForStatuses(simulators, who.campaignIds, ['PAUSED']);
    await nextMailTo({ product, simulators }, who.email, /paused 1 campaign/);
    await simulators.graph.fault({ kind: 'error', code: 190, message, path: 'me/permissions' });
    answers.push((await followLogin(product.url, { userId: who.userId })).href);
    await simulators.graph.fault({ kind: 'html', path: 'oauth/access_token' });
    answers.push((await followLogin(product.url, { userId: who.userId })).href);
    await simulators.status.reports('Resolved');
    // The last pause was not confirmed: it is resumed once no copy of it can arrive.
    await waitFor('the resume', async () => {
      if ((await statusesOf(simulators, who.campaignIds))[0] === 'ACTIVE') return true;
      await advanceToNextPass(product, who.accountId);
      return false;
    });
    await nextMailTo({ product, simulators }, who.email, /resumed 1 campaign/);
  });

  test('a token check, a rejected token and an email that cannot be sent', async () => {
    await simulators.mailbox.fault({
      kind: 'refuse',
      stage: 'rcpt',
      code: 535,
      message: SMTP_PASSWORD,
      times: 3,
    });
    product.clock.advance(25 * 3_600_000);
    await simulators.graph.post('/tokens/invalidate', { userId: who.userId });
    await waitFor('the refusal', async () => {
      const row = await product.app.db
        .selectFrom('platform_token')
        .select(['refused_at', 'check_at'])
        .executeTakeFirstOrThrow();
      if (row.refused_at !== null) return true;
      await advanceTo(product, row.check_at.getTime());
      await waitFor(
        'the status',
        async () => (await who.user.get<{ status: string }>('/api/status')).status === 'UP',
      );
      await product.app.runTask('checking tokens');
      return false;
    });
    await nextMailTo({ product, simulators }, who.email, /log in again/);
    await waitFor('a failed mail in the log', () => log.includes('could not be sent'));
  });

  test('appear in no log line, address, page, email or column', async () => {
    const requests = await simulators.graph.requests();
    expect(requests.length).toBeGreaterThan(10);
    expect(requests.filter(({ secretInQuery }) => secretInQuery)).toEqual([]);
    const mails = await simulators.mailbox.messages();
    expect(mails.length).toBeGreaterThan(2);
    expect(log).toContain('answered');
    const places = new Map([
      ['the log', log],
      ['an answer', answers.join('\n')],
      ['a request', JSON.stringify(requests)],
      ['a mail', JSON.stringify(mails)],
      ['the database', await dumpOf(product.app.db)],
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
