import { isControlled } from '#core/detection/panels.ts';
import { CONTROL_HOSTS } from '#core/detection/parameters.ts';
import { seconds } from '#core/time.ts';
import type { Db } from '../db/database.ts';
import { addVotes } from '../db/detection.ts';
import type { Http } from '../platforms/http.ts';
import type { Votes } from './count-votes.ts';

const CONTROL_TIMEOUT_MS = seconds(5);

interface Deps {
  db: Db;
  votes: Votes;
  http: Http;
  /** Hosts that have nothing to do with the platform. */
  controlUrls: readonly URL[];
}

/** Stores the calls of the minutes that have ended. If calls failed, and other hosts do not answer either, they say nothing. */
export async function storeVotes({ db, votes, http, controlUrls }: Deps): Promise<void> {
  const calls = votes.take();
  const isAsked = calls.some(({ bad }) => bad > 0) && isControlled(controlUrls);
  const saysNothing = isAsked && (await countAnswers(http, controlUrls)) < CONTROL_HOSTS;
  await addVotes(db, calls, { saysNothing });
}

/** Any response counts, also an error. */
async function countAnswers(http: Http, urls: readonly URL[]): Promise<number> {
  const results = await Promise.all(
    urls.map((url) => http.send({ method: 'GET', url, timeoutMs: CONTROL_TIMEOUT_MS })),
  );
  return results.filter(({ ok }) => ok).length;
}
