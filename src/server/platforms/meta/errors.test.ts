import { describe, expect, test } from 'vitest';
import type { FailureKind } from '#core/platform.ts';
import { mayBeTheToken } from '#core/platform.ts';
import { interpretJson } from './client.ts';
import { classifyError, platformError } from './errors.ts';

describe('errors of the platform are classified by their code', () => {
  test.each<[number, number | undefined, FailureKind]>([
    [1, 99, 'transient'],
    [-3, undefined, 'transient'],
    [-7, undefined, 'transient'],
    [5000, undefined, 'transient'],
    [4, undefined, 'app_limited'],
    [4, 1504022, 'rate_limited'],
    [4, 2446079, 'app_limited'],
    [101, undefined, 'app_blocked'],
    [17, 2446079, 'rate_limited'],
    [32, undefined, 'rate_limited'],
    [341, undefined, 'rate_limited'],
    [613, undefined, 'rate_limited'],
    [80000, 2446079, 'rate_limited'],
    [80014, undefined, 'rate_limited'],
    [80015, undefined, 'rejected'],
    [368, undefined, 'blocked'],
    [190, 460, 'token_invalid'],
    [104, undefined, 'misconfigured'],
    [10, undefined, 'permission'],
    [200, undefined, 'permission'],
    [299, undefined, 'permission'],
    [200, 1870034, 'rejected'],
    [100, undefined, 'rejected'],
    [100, 33, 'gone'],
    [803, undefined, 'gone'],
    [801, undefined, 'rejected'],
    [424_242, undefined, 'rejected'],
  ])('code %i/%s is %s', (code, subcode, kind) => {
    const failure = classifyError({ message: 'm', code, error_subcode: subcode });
    expect(failure).toMatchObject({ kind, code: [code, subcode ?? []].flat().join('/') });
    expect(failure.maybeDone).toBe(kind === 'transient');
  });

  test.each<[number, number | undefined, string[]]>([
    [4, undefined, []],
    [101, undefined, []],
    [190, 460, ['user', 'account', 'campaign']],
    [100, undefined, ['user', 'account', 'campaign']],
    [100, 33, ['user', 'account']],
    [100, 1487566, []],
    [200, undefined, ['user']],
    [2, undefined, []],
    [80004, 2446079, []],
    [368, undefined, []],
    [424_242, undefined, []],
  ])('[FR-03] code %i/%s suspects the token when it is about: %j', (code, subcode, suspected) => {
    const failure = classifyError({ message: 'm', code, error_subcode: subcode });
    const abouts = ['user', 'account', 'campaign'] as const;
    expect(abouts.filter((about) => mayBeTheToken(failure, about))).toEqual(suspected);
  });

  test.each<[code: number, message: string, kind: FailureKind]>([
    [200, 'API access blocked.', 'app_blocked'],
    [200, '(#200) API access blocked', 'app_blocked'],
    [200, 'api access BLOCKED.', 'app_blocked'],
    [10, '(#10) API access blocked.', 'app_blocked'],
    [200, 'API access deactivated. To reactivate, go to the App Dashboard.', 'app_blocked'],
    [200, 'API access disrupted. Go to the App Dashboard and complete Data Use Checkup.', 'app_blocked'],
    [190, 'Error validating application. Application has been deleted.', 'app_blocked'],
    [101, 'Error validating application. Invalid application ID.', 'app_blocked'],
    [200, 'The application is disabled.', 'app_blocked'],
    [190, 'This app is currently unavailable', 'app_blocked'],
    [200, 'App Not Set Up: This app is still in development mode, and you don’t have access.', 'app_blocked'],
    [101, 'Error validating application. Cannot get application info due to a system error.', 'transient'],
    [190, 'Error validating access token: The user has not authorized application 12.', 'token_invalid'],
    [10, '(#10) Application does not have permission for this action', 'permission'],
    [200, '(#200) Ad account owner has NOT grant ads_management or ads_read permission', 'permission'],
    [100, 'The promoted application has been deleted', 'rejected'],
    [100, 'The post was created by an app that is in development mode', 'rejected'],
    [368, 'The app is temporarily blocked', 'blocked'],
  ])('[FR-32] code %i with "%s" is %s', (code, message, kind) => {
    const failure = classifyError({ message, code });
    expect([failure.kind, failure.maybeDone]).toEqual([kind, kind === 'transient']);
    const ofUser = kind === 'token_invalid' || kind === 'permission';
    expect([mayBeTheToken(failure, 'user'), failure.appStop]).toEqual([
      ofUser || code === 100,
      kind === 'app_blocked' ? 'blocked' : null,
    ]);
  });

  test('[FR-31, FR-32] the app is stopped by its own limit, a block or wrong settings, and by nothing else', () => {
    const codes = [4, 101, 104, 2635, 2500, 17, 32, 613, 80_004, 190, 200, 368, 1, 2, 100];
    expect(codes.map((code) => classifyError({ message: 'm', code }).appStop)).toEqual([
      ...['limited', 'blocked', 'misconfigured', 'misconfigured'],
      ...codes.slice(4).map(() => null),
    ]);
  });

  test('is_transient makes an unknown error and a rejected token transient, but not a rate limit', () => {
    const transient = (code: number): FailureKind =>
      classifyError({ message: '', code, is_transient: true }).kind;
    expect([424_242, 100, 200, 17, 190, 4].map(transient)).toEqual([
      'transient',
      'transient',
      'transient',
      'rate_limited',
      'transient',
      'app_limited',
    ]);
  });

  test.each([
    [
      'title and text',
      { error_user_title: 'Campaign has ended', error_user_msg: 'The end date is in the past.' },
      'Campaign has ended. The end date is in the past',
    ],
    ['only a title', { error_user_title: 'Campaign has ended.' }, 'Campaign has ended'],
    ['neither', { error_user_title: ' ', error_user_msg: null }, 'Invalid parameter'],
    ['no texts', { error_user_title: 7, error_user_msg: {} }, 'Invalid parameter'],
    ['line breaks and quotes', { error_user_msg: 'Your "Sale"\r\n\u202Ehas ended' }, "Your 'Sale' has ended"],
    ['a long text', { error_user_msg: 'x'.repeat(5000) }, 'x'.repeat(300)],
  ])('[FR-01] the words for the user: %s', (_title, words, expected) => {
    const envelope = { error: { code: 100, error_subcode: 1487000, message: 'Invalid parameter', ...words } };
    expect(classifyError(platformError.parse(envelope).error)).toMatchObject({
      kind: 'rejected',
      saidToUser: expected,
    });
  });

  test('business limits and blocks for abuse have their own waiting time', () => {
    const wait = (code: number, error_subcode?: number): number | null =>
      classifyError({ message: '', code, error_subcode }).retryAfterMs;
    expect(wait(613, 5044001)).toBe(1000);
    expect(wait(17, 2446079)).toBeNull();
    expect(wait(4)).toBe(60_000);
    for (const code of [368, 1404078, 2859015]) expect(wait(code)).toBe(3_600_000);
  });

  test.each<[status: number, code: number | undefined, kind: FailureKind]>([
    [500, undefined, 'transient'],
    [503, 424_242, 'transient'],
    [502, 1487000, 'transient'],
    [500, 100, 'rejected'],
    [500, 190, 'token_invalid'],
    [400, 424_242, 'rejected'],
    [400, 2, 'transient'],
  ])(
    '[FR-01] HTTP %i with code %s is %s: an unknown fault of Meta refuses nothing for good',
    (status, code, kind) => {
      const response = interpretJson({ error: { message: 'm', code } }, status);
      expect(response).toMatchObject({ ok: false, failure: { kind, maybeDone: kind === 'transient' } });
    },
  );

  test.each<[what: string, error: Record<string, unknown>]>([
    ['null instead of texts', { message: null, type: null, error_user_title: null, error_user_msg: null }],
    ['numbers as texts', { code: '100', error_subcode: '1487000' }],
    ['texts of another shape', { message: {}, is_transient: 'no' }],
  ])('[FR-01] an error with %s keeps its code', (_what, error) => {
    const envelope = { error: { code: 100, error_subcode: 1487000, ...error } };
    expect(interpretJson(envelope, 400)).toMatchObject({
      ok: false,
      failure: { kind: 'rejected', code: '100/1487000' },
    });
  });

  test('an error without a code is not retried', () => {
    expect(classifyError({ message: 'Too many requests in batch message.' }).kind).toBe('rejected');
  });
});
