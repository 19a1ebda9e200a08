import { describe, expect, inject, test } from 'vitest';
import { api } from '#contract/api.ts';
import { checkResponse } from '../fuzz/response.ts';
import type { FuzzRequest } from '../fuzz/requests.ts';
import { fuzz } from '../fuzz/run.ts';
import { userOf } from '../fuzz/users.ts';

const TIMEOUT_MS = 1_200_000;

test(
  'a thousand requests of every kind cause no fault, no leak and no unrequested write',
  async () => {
    const postgresUrl = inject('postgresUrl');
    const { findings, statuses } = await fuzz({ requests: 1000, seed: 20_261_121, postgresUrl });
    expect(findings).toEqual([]);
    const statusesOf = (name: string): number[] => [...(statuses.get(name)?.keys() ?? [])];
    const calls = Object.keys(api);
    expect(calls.filter((name) => !statusesOf(name).some((status) => status >= 400))).toEqual([]);
    // Only the product knows the ids of sessions and outages, and deletion codes.
    const refused = calls.filter((name) => !statusesOf(name).includes(200));
    expect(refused.filter((name) => !['endSession', 'outage', 'deletionStatus'].includes(name))).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  'finds a refused request that changed the database',
  async () => {
    const refused = 'await requireMayAct(deps.db, user, now);\n  await inTransaction';
    const fault = {
      file: 'src/server/services/settings.ts',
      find: refused,
      replace: `await applySettings(deps, deps.db, { userId: user.id, body, now });\n  ${refused}`,
    };
    const postgresUrl = inject('postgresUrl');
    const { findings } = await fuzz({ requests: 100, seed: 1, only: 'saveSettings', fault, postgresUrl });
    expect(findings.join('\n')).toMatch(/refused with 4\d\d, and app_user changed/);
  },
  TIMEOUT_MS,
);

describe('the checks of a response', () => {
  const request: FuzzRequest = {
    ...{ target: 'me', isValid: true, who: { key: 'maya' }, method: 'GET', path: '/api/me' },
    ...{ headers: {}, body: null },
  };
  const headers = { 'content-type': 'application/json', 'x-request-id': 'req-1' };
  const user = { name: 'Cnry01 User', isInitialized: true, roles: [], access: 'ok', leaving: null };
  const good = JSON.stringify({ user });
  const refusal = (code: string): string => JSON.stringify({ error: { code, message: 'No.' } });
  const judged = (status: number, body: string, more: Record<string, string> = headers): string[] =>
    checkResponse({
      ...{ request, sent: '/api/me', secrets: ['tokenOfOtherUser'], origins: ['http://127.0.0.1:1'] },
      response: { status, headers: more, body },
    });

  test('accept the reply of the contract and expected refusals', () => {
    expect(judged(200, good)).toEqual([]);
    expect(judged(401, refusal('UNAUTHENTICATED'))).toEqual([]);
    expect(judged(431, '', {})).toEqual([]);
  });

  test.each([
    ['a fault of the server', judged(500, refusal('SERVER_ERROR')), 'status 500'],
    ['an unknown code', judged(400, refusal('WHATEVER')), 'WHATEVER with the status 400'],
    ['a code with the status of another', judged(404, refusal('UNAUTHENTICATED')), 'with the status 404'],
    ['no envelope', judged(400, 'Bad Request'), 'without the error envelope'],
    [
      'no envelope of the parser with another status',
      judged(404, 'Not Found', {}),
      'without the error envelope',
    ],
    ['no request id', judged(403, refusal('ACCESS_DENIED'), {}), '403 without a request id'],
    ['a valid request refused', judged(400, refusal('INVALID_REQUEST')), 'valid by the contract'],
    ['another reply than the contract has', judged(200, '{"user":{}}'), 'not the reply of the contract'],
    ['a limit without a time', judged(429, refusal('TOO_MANY_REQUESTS')), 'without retry-after'],
    ['a redirect away', judged(302, '', { ...headers, location: 'https://evil.example/' }), 'redirects to'],
    ['the name of another user', judged(200, good.replace('Cnry01', 'Cnry02')), 'of user 02'],
    ['the id of another user', judged(404, refusal(userOf('omar').id)), 'of user 02'],
    ['a session', judged(401, refusal('tokenOfOtherUser')), 'the secret tokenO'],
    ['a platform token', judged(200, `${good} EAABabcdefgh1234`), 'the secret EAABab'],
  ])('find %s', (_title, wrong, expected) => {
    expect(wrong.join('\n')).toContain(expected);
  });
});
