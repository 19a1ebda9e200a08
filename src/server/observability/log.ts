/** The part of a structured logger that the server needs. */
export interface Log {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Fields whose values are never logged, at any depth. */
export const REDACTED = [
  'token',
  'access_token',
  'accessToken',
  'appSecret',
  'appsecret_proof',
  'authorization',
  'cookie',
  '*.token',
  '*.access_token',
  '*.authorization',
  'req.headers.authorization',
  'req.headers.cookie',
  'res.headers["set-cookie"]',
  // PostgreSQL quotes whole rows there: names, email addresses, encrypted tokens.
  'err.detail',
  'err.where',
  'err.internalQuery',
];

const SECRET_PARAMETERS = /([?&](?:token|code|state|access_token|appsecret_proof|signed_request)=)[^&#\s]*/gi;

/** Any long word that is not a number could be a secret in a path. */
const LONG_WORD = /(?=[\w%~.-]*[a-z])[\w%~.-]{20,}/gi;

/** An address without secrets: removes them by parameter name and by pattern. */
export function withoutSecrets(address: string): string {
  return address.replace(SECRET_PARAMETERS, '$1[removed]').replace(LONG_WORD, '[removed]');
}
