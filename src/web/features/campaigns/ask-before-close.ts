import { readToken } from '../../lib/session.ts';

/** Until these calls end, the browser asks before it closes the page: the rest would never be sent. */
export async function askBeforeClose<Result>(calls: Promise<Result>): Promise<Result> {
  const token = readToken();
  const ask = (event: BeforeUnloadEvent) => {
    // After a logout or another login the page leaves, and must not ask.
    if (readToken() === token) event.preventDefault();
  };
  window.addEventListener('beforeunload', ask);
  try {
    return await calls;
  } finally {
    window.removeEventListener('beforeunload', ask);
  }
}
