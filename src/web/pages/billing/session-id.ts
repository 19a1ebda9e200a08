/** Stripe's are about 70 characters long. */
const SESSION_ID = /^cs_\w{1,150}$/;

/** The checkout session id from the address; null: not a valid id. */
export function shownSessionId(params: URLSearchParams): string | null {
  const id = params.get('session_id') ?? '';
  return SESSION_ID.test(id) ? id : null;
}
