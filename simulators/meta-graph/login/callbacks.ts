import { createHmac } from 'node:crypto';
import { ControlError } from '../../kit/simulator.ts';
import type { GraphState } from '../state/state.ts';
import { now } from '../state/state.ts';

/** Sends the request of the platform when a user removes the app or asks for data deletion. */
export async function callBack(state: GraphState, userId: string, url: string): Promise<object> {
  const answer = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ signed_request: signedRequest(state, userId) }),
    signal: AbortSignal.timeout(10_000),
  }).catch((error: unknown) => {
    throw new ControlError(`${url} did not answer: ${String(error)}`);
  });
  return { answer: { status: answer.status, body: await answer.text() } };
}

function signedRequest(state: GraphState, userId: string): string {
  const issued_at = Math.floor(now(state) / 1000);
  const facts = { algorithm: 'HMAC-SHA256', expires: issued_at + 3600, issued_at, user_id: userId };
  const payload = Buffer.from(JSON.stringify(facts)).toString('base64url');
  const signature = createHmac('sha256', state.app.secret).update(payload).digest('base64url');
  return `${signature}.${payload}`;
}
