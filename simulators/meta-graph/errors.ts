import { randomBytes } from 'node:crypto';

/** A response of the Graph API without headers: also the shape of a response inside a batch. */
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
  /** What Meta shows its user. */
  userTitle?: string | undefined;
  userMessage?: string | undefined;
}

/** By code, or by code and subcode; the others are not spelled out. */
const MESSAGES: Record<string, string> = {
  1: 'An unknown error occurred',
  2: 'Service temporarily unavailable',
  100: 'Invalid parameter',
  190: 'Error validating access token: The session has been invalidated.',
  '190/458': 'Error validating access token: The user has not authorized application.',
  '190/460':
    'Error validating access token: The session has been invalidated because the user changed their password or Facebook has changed the session for security reasons.',
  '190/463': 'Error validating access token: Session has expired.',
  200: '(#200) Ad account owner has NOT grant ads_management or ads_read permission',
  80004:
    '(#80004) There have been too many calls to this ad-account. Wait a bit and try again. For more info, please refer to https://developers.facebook.com/docs/graph-api/overview/rate-limiting.',
};

const STATUS: Record<number, number> = { 4: 403, 10: 403, 102: 401, 190: 401, 200: 403 };
const TRANSIENT = new Set([1, 2, 4, 17, 960]);

/** The platform's error envelope. Its HTTP status says little: most errors are a 400. */
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
        ...(spec.userTitle === undefined ? {} : { error_user_title: spec.userTitle }),
        ...(spec.userMessage === undefined ? {} : { error_user_msg: spec.userMessage }),
        fbtrace_id: traceId(),
      },
    },
    headers: {
      'www-authenticate': `OAuth "Facebook Platform" "invalid_request" "${plainText(message)}"`,
    },
  };
}

export function traceId(): string {
  return randomBytes(9).toString('base64url');
}

/** A header accepts neither quotes nor characters beyond Latin-1. */
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
