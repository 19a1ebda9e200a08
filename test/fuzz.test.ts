import { describe, expect, test, onTestFinished } from 'vitest';
import { api } from '#contract/api.ts';
import type { Case } from '../scripts/fuzz/judge.ts';
import { faultsOf } from '../scripts/fuzz/judge.ts';
import type { Change } from '../scripts/fuzz/messages.ts';
import { faultsOfMemory } from '../scripts/fuzz/memory.ts';
import { findByKey } from '../scripts/fuzz/people.ts';
import type { FuzzRequest } from '../scripts/fuzz/request.ts';
import { fuzz } from '../scripts/fuzz/run.ts';
import { Secrets } from '../scripts/fuzz/secrets.ts';
import { readAnswers } from '../scripts/fuzz/wire.ts';
import { safetyHeaders } from '../src/server/http/headers.ts';
import { freshDatabase } from './database.ts';

/** As many as are worth it at every change; `npm run fuzz` sends a hundred thousand. */
const REQUESTS = 3000;

test('three thousand requests of every kind: no fault, no leak, nothing changed by what is refused', async () => {
  const database = await freshDatabase();
  onTestFinished(() => database.close());
  const { findings, statuses } = await fuzz({
    requests: REQUESTS,
    seed: 20_261_121,
    databaseUrl: database.url,
  });
  expect(
    findings.map(({ fault, request, repeat }) => `${fault}\n${request}\n${repeat ?? ''}`).join('\n\n'),
  ).toBe('');
  const of = (name: string) => [...(statuses.get(name)?.keys() ?? [])];
  const calls = Object.keys(api);
  expect(calls.filter((name) => !of(name).some((status) => /^4/.test(status)))).toEqual([]);
  // Whether the few who may delete an account still have one is a matter of what was asked at the same time.
  expect(calls.filter((name) => !of(name).includes('200')).length).toBeLessThanOrEqual(2);
}, 240_000);

describe('what counts as a fault', () => {
  const TOKEN = 'tokenOfSomebodyElse'.padEnd(43, 'x');
  const secrets = new Secrets();
  secrets.add(TOKEN);
  const safe = [
    ...Object.entries(safetyHeaders({ isEncrypted: false })).map(([name, value]) => `${name}: ${value}`),
    'content-type: application/json',
  ].join('\r\n');
  const request: FuzzRequest = {
    target: 'me',
    intent: 'valid',
    who: { kind: 'session', person: 'maya', slot: 0 },
    method: 'GET',
    path: '/api/me',
    headers: [],
    body: null,
    framing: 'length',
  };
  const refusal = (code: string) => JSON.stringify({ error: { code, message: 'No.' } });
  const change = (table: string, owner: string | null, columns = 'name'): Change => ({
    table,
    operation: 'UPDATE',
    columns,
    owner,
  });

  function judged(
    status: number,
    body: string,
    more: { head?: string; changes?: Change[]; acts?: string[] } = {},
  ): string {
    const head = `HTTP/1.1 ${status} Any\r\n${more.head ?? safe}\r\ncontent-length: ${body.length}`;
    const received = Buffer.from(`${head}\r\n\r\n${body}`);
    const { changes = [], acts = [] } = more;
    const given: Case = {
      request,
      sent: 'GET /api/me',
      exchange: { answers: readAnswers(received, 'GET'), received, hung: false, ms: 1 },
      verdict: { kind: 'over', label: '1', status, changes, acts },
      origins: ['http://127.0.0.1:1'],
      secrets,
    };
    return faultsOf(given).join('; ');
  }

  const user = { name: 'Cnry01 Person', isInitialized: true, roles: [], access: 'ok', leaving: null };
  const good = JSON.stringify({ user });

  test('not a good answer, nor an expected refusal', () => {
    expect(judged(200, good)).toBe('');
    expect(judged(401, refusal('UNAUTHENTICATED'))).toBe('');
    expect(
      judged(401, refusal('UNAUTHENTICATED'), { changes: [change('session', null, 'last_used_at')] }),
    ).toBe('');
    expect(judged(200, good, { changes: [change('person', findByKey('maya').userId)] })).toBe('');
  });

  test.each([
    ['a fault of the server', judged(500, refusal('SERVER_ERROR')), 'status 500'],
    ['an unknown code', judged(400, refusal('WHATEVER')), 'unknown code'],
    ['a code with the status of another', judged(404, refusal('UNAUTHENTICATED')), 'with the status 404'],
    ['no envelope', judged(400, 'Bad Request'), 'without the error envelope'],
    ['a valid request refused as none', judged(400, refusal('INVALID_REQUEST')), 'valid by the contract'],
    ['another reply than the contract has', judged(200, '{"user":{}}'), 'not what the contract says'],
    ['a header of safety missing', judged(200, good, { head: 'x: y' }), '200 without x-content-type-options'],
    [
      'a page that may be framed',
      judged(200, good, { head: safe.replace('DENY', 'SAMEORIGIN') }),
      '200 with x-frame-options: SAMEORIGIN',
    ],
    [
      'a policy that lets forms be sent',
      judged(200, good, { head: safe.replace("form-action 'none';", '') }),
      '200 with content-security-policy',
    ],
    [
      'data that may be kept',
      judged(200, good, { head: safe.replace('no-store', 'max-age=60') }),
      '200 with cache-control: max-age=60',
    ],
    [
      'data that is taken for a page',
      judged(200, good, { head: safe.replace(';sandbox', '') }),
      '200 with content-security-policy',
    ],
    ['a limit that does not say how long', judged(429, refusal('TOO_MANY_REQUESTS')), 'retry-after'],
    [
      'a way to another site',
      judged(302, '', { head: `${safe}\r\nlocation: https://evil.example/` }),
      'it leads to',
    ],
    ['another cookie', judged(200, good, { head: `${safe}\r\nset-cookie: a=b` }), 'it sets the cookie'],
    [
      'a name of somebody else',
      judged(200, JSON.stringify({ user: { ...user, name: 'Cnry02' } })),
      'of person 02',
    ],
    ['an id of somebody else', judged(404, refusal(findByKey('omar').userId)), 'of person 02'],
    ['a token of a session', judged(401, refusal(TOKEN)), 'the token of a session'],
    ['a token of the platform', judged(200, `${good} EAABabcdefgh1234`), 'a platform token'],
    [
      'a change by what is refused',
      judged(403, refusal('ACCESS_DENIED'), { changes: [change('hold', null)] }),
      'changed hold',
    ],
    [
      'a call to Meta by what is refused',
      judged(403, refusal('ACCESS_DENIED'), { acts: ['POST /v26.0/'] }),
      'asked for POST',
    ],
    [
      'a change of what is somebody else’s',
      judged(200, good, { changes: [change('person', findByKey('omar').userId)] }),
      'changed person of',
    ],
  ])('%s', (_title, faults, expected) => {
    expect(faults).toContain(expected);
  });

  test.each([
    ['as it was', [60, 64, 62, 61, 63, 65, 62, 61, 64, 66, 63], 30_000, []],
    ['one large answer on its way', [60, 64, 62, 61, 63, 65, 62, 61, 64, 63, 240], 30_000, []],
    ['more and more', [60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 160], 30_000, ['60', '150']],
    ['more and more in a short run', [60, 160], 3000, []],
    ['more, and little', [20, 24, 28, 32, 36, 40, 44, 44, 44, 44, 44], 30_000, []],
  ])('memory: %s', (_title, megabytes, requests, expected) => {
    const faults = faultsOfMemory(
      megabytes.map((mb) => mb * 1e6),
      requests,
    );
    expect(faults.flatMap((fault) => fault.match(/\d+/g) ?? [])).toEqual(expected);
  });
});
