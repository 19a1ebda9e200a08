import { randomBytes } from 'node:crypto';

/** An answer of the Graph API, before headers: also the shape of an answer inside a batch. */
export interface GraphAnswer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

export interface ErrorSpec {
  code: number;
  subcode?: number | undefined;
  message?: string | undefined;
  type?: string;
  http?: number | undefined;
  transient?: boolean | undefined;
  headers?: Record<string, string> | undefined;
}

const TOO_MANY =
  'There have been too many calls to this ad-account. Wait a bit and try again. For more info, please refer to https://developers.facebook.com/docs/graph-api/overview/rate-limiting.';

/** Texts of the codes, and of the subcodes that have one of their own. */
const MESSAGES: Record<string, string> = {
  '-3': "Please reduce the amount of data you're asking for, then retry your request",
  1: 'An unknown error occurred',
  2: 'Service temporarily unavailable',
  3: '(#3) Application does not have the capability to make this API call.',
  4: '(#4) Application request limit reached',
  10: '(#10) Application does not have permission for this action',
  17: '(#17) User request limit reached',
  32: '(#32) Page request limit reached',
  100: 'Invalid parameter',
  101: 'Missing or invalid client id.',
  102: 'Session key invalid or no longer valid',
  104: 'Incorrect signature',
  190: 'Error validating access token: The session has been invalidated.',
  '190/458': 'Error validating access token: The user has not authorized application.',
  '190/459':
    'Error validating access token: You cannot access the app till you log in to www.facebook.com and follow the instructions given.',
  '190/460':
    'Error validating access token: The session has been invalidated because the user changed their password or Facebook has changed the session for security reasons.',
  '190/463': 'Error validating access token: Session has expired.',
  '190/464':
    'Error validating access token: Sessions for the user are not allowed because the user is not a confirmed user.',
  '190/467':
    'Error validating access token: This may be because the user logged out or may be due to a system error.',
  200: '(#200) Ad account owner has NOT grant ads_management or ads_read permission',
  294: '(#294) Managing advertisements requires an access token with the extended permission for ads_management',
  341: '(#341) Application limit reached',
  368: 'The action attempted has been deemed abusive or is otherwise disallowed',
  613: '(#613) Calls to this api have exceeded the rate limit.',
  '613/1487742': '(#613) There have been too many calls from this ad-account. Wait a bit and try again.',
  801: 'Invalid operation',
  803: '(#803) Some of the aliases you requested do not exist',
  960: 'Request aborted. This could happen if a dependent request failed or the entire request timed out.',
  2500: 'An active access token must be used to query information about the current user.',
  2615: '(#2615) Invalid call to update this adaccount',
  2635: '(#2635) You are calling a deprecated version of the Ads API. Please update to the latest version: v26.0.',
  2650: 'Service error',
  3018: '(#3018) The start date of the time range cannot be beyond 37 months from the current date',
  5000: 'Unknown error',
  1404078: 'You are temporarily blocked from performing this action',
  1404163: 'You are no longer allowed to use this ad account for advertising',
  1487566: 'The campaign is deleted: it can only be renamed',
  1815694: 'You do not have permission to perform this action',
  2859015: 'Suspicious activity was found on this account',
  3910001: 'There is a problem with this ad account',
  ...Object.fromEntries(
    [80000, 80001, 80002, 80003, 80004, 80005, 80006, 80008, 80009, 80014].map((code) => [
      code,
      `(#${code}) ${TOO_MANY}`,
    ]),
  ),
};

const STATUS: Record<number, number> = { '-3': 500, 4: 403, 10: 403, 102: 401, 190: 401, 200: 403, 294: 403 };
const TRANSIENT = new Set([1, 2, 4, 17, 341, 960, 2650]);

/** The platform's error envelope. Its HTTP status says little: most errors come as 400. */
export function graphError(spec: ErrorSpec): GraphAnswer {
  const { code, subcode } = spec;
  const message =
    spec.message ?? MESSAGES[`${code}/${subcode ?? ''}`] ?? MESSAGES[code] ?? `(#${code}) Error`;
  const transient = spec.transient ?? TRANSIENT.has(code);
  return {
    status: spec.http ?? STATUS[code] ?? 400,
    body: {
      error: {
        message,
        type: spec.type ?? 'OAuthException',
        ...(transient ? { is_transient: true } : {}),
        code,
        ...(subcode === undefined ? {} : { error_subcode: subcode }),
        fbtrace_id: randomBytes(9).toString('base64url'),
      },
    },
    headers: {
      'www-authenticate': `OAuth "Facebook Platform" "invalid_request" "${plainText(message)}"`,
      ...spec.headers,
    },
  };
}

/** A header takes neither quotes nor letters beyond Latin-1. */
function plainText(message: string): string {
  return message.replaceAll('"', "'").replaceAll(/[^\x20-\x7e]/g, '?');
}

export function missingObject(method: string, id: string): GraphAnswer {
  const verb = method.toLowerCase();
  return graphError({
    code: 100,
    subcode: 33,
    type: 'GraphMethodException',
    message: `Unsupported ${verb} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation. Please read the Graph API documentation at https://developers.facebook.com/docs/graph-api`,
  });
}
