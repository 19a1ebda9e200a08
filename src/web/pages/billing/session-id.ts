/** Stripe's are about 70 characters long. */
const SESSION_ID = /^cs_\w{1,150}$/;

/** What the address says of the checkout; null when it says something that is no session's id. */
export function shownSessionId(params: URLSearchParams): string | null {
  const id = params.get('session_id') ?? '';
  return SESSION_ID.test(id) ? id : null;
}
