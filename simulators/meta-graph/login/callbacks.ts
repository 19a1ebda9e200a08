import { createHmac } from 'node:crypto';
import type { GraphState } from '../state/state.ts';
import { now } from '../state/state.ts';

/** What the platform sends when a person removes the app or asks for their data to be deleted. */
export function signedRequest(state: GraphState, userId: string): string {
  const issued_at = Math.floor(now(state) / 1000);
  const facts = { algorithm: 'HMAC-SHA256', expires: issued_at + 3600, issued_at, user_id: userId };
  const payload = Buffer.from(JSON.stringify(facts)).toString('base64url');
  const signature = createHmac('sha256', state.app.secret).update(payload).digest('base64url');
  return `${signature}.${payload}`;
}

export async function sendCallback(url: string, signed: string): Promise<{ status: number; body: string }> {
  const answer = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ signed_request: signed }),
    signal: AbortSignal.timeout(10_000),
  });
  return { status: answer.status, body: await answer.text() };
}
