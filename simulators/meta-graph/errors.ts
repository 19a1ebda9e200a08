/** A response of the Graph API: also the shape of a response inside a batch. */
export interface GraphAnswer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** By code, or by code and subcode; the others are not spelled out. */
const MESSAGES: Record<string, string> = {
  1: 'An unknown error occurred',
  2: 'Service temporarily unavailable',
  4: '(#4) Application request limit reached',
  '4/1504022': '(#4) There have been too many calls from this ad-account.',
  80000: '(#80000) There have been too many calls to this ad-account.',
  100: 'Invalid parameter',
  190: 'Error validating access token: The session has been invalidated.',
  '190/458': 'Error validating access token: The user has not authorized application.',
  '190/463': 'Error validating access token: Session has expired.',
  273: '(#273) You do not have sufficient permissions to perform this action',
  200: '(#200) Ad account owner has NOT grant ads_management or ads_read permission',
};
const STATUS: Record<number, number> = { 4: 403, 10: 403, 102: 401, 190: 401, 200: 403, 273: 403 };
const TRANSIENT = new Set([1, 2, 4, 17, 960]);

/** The platform's error envelope. Its HTTP status says little: most errors are a 400. */
export function graphError(given: {
  code: number;
  subcode?: number | undefined;
  message?: string | undefined;
  http?: number | undefined;
  transient?: boolean | undefined;
  /** What Meta shows its user. */
  userTitle?: string | undefined;
  userMessage?: string | undefined;
}): GraphAnswer {
  const { code, subcode, userTitle, userMessage } = given;
  const known = MESSAGES[`${code}/${subcode ?? ''}`] ?? MESSAGES[code] ?? `(#${code}) Error`;
  const isTransient = given.transient ?? TRANSIENT.has(code);
  const error = {
    message: given.message ?? known,
    type: 'OAuthException',
    ...(isTransient && { is_transient: true }),
    code,
    error_subcode: subcode,
    error_user_title: userTitle,
    error_user_msg: userMessage,
  };
  return { status: given.http ?? STATUS[code] ?? 400, body: { error } };
}

export function missingObject(method: string, id: string): GraphAnswer {
  const message = `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation.`;
  return graphError({ code: 100, subcode: 33, message });
}

/** A filter with values that the objects of the list cannot have. */
export function refusedFilter(
  given: { code?: number | undefined; subcode?: number | undefined } = {},
): GraphAnswer {
  return graphError({ ...given, code: given.code ?? 100, subcode: given.subcode ?? 1487561 });
}
