/** The little that the product's parts need of a structured log. */
export interface Log {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Paths and names whose values are never printed, wherever they turn up. */
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
  // PostgreSQL quotes whole rows there: names, mail addresses, sealed tokens.
  'err.detail',
  'err.where',
  'err.internalQuery',
];

const SECRET_PARAMETERS = /([?&](?:token|code|state|access_token|appsecret_proof|signed_request)=)[^&#\s]*/gi;

/** Whatever is long and not a number could be a secret that somebody put in a path by mistake. */
const LONG_WORD = /(?=[\w%~.-]*[a-z])[\w%~.-]{20,}/gi;

/** An address as it may be logged: secrets are struck out, by their parameter's name or by their looks. */
export function withoutSecrets(address: string): string {
  return address.replace(SECRET_PARAMETERS, '$1[removed]').replace(LONG_WORD, '[removed]');
}
