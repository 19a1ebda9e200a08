/** Stripe's are about 70 characters long. */
const SHOWN_CHARACTERS = 100;

/** What the address says of the checkout, short enough to be shown; null when it says nothing. */
export function shownSessionId(params: URLSearchParams): string | null {
  const id = params.get('session_id')?.trim() ?? '';
  if (id === '') return null;
  return id.length <= SHOWN_CHARACTERS ? id : `${id.slice(0, SHOWN_CHARACTERS)}…`;
}
