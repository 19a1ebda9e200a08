import { seconds } from '#core/time.ts';
import { Votes } from '../detection/count-votes.ts';
import { storeVotes } from '../detection/store-votes.ts';
import type { Http } from '../platforms/http.ts';
import { createCanary } from '../platforms/meta/canary.ts';
import type { GraphClient } from '../platforms/meta/client.ts';
import { startScheduledTask } from '../scheduled-task.ts';
import type { Base } from './options.ts';

/** Twice before the test of a minute: see `STORED_WITHIN_MS`. */
const VOTES_MS = seconds(10);

/** What early warnings need of every process: its calls are counted, and stored each minute. */
export function startCounting(
  { config, options, clock, log, db }: Base,
  parts: { controls: Http; graph: () => GraphClient },
) {
  const { canary, controlUrls } = config;
  const votes = new Votes(() => clock.now());
  const storing = startScheduledTask({
    ...{ name: 'storing votes', clock, log },
    everyMs: options.isStepped === true ? null : VOTES_MS,
    run: () => storeVotes({ db, votes, controlUrls, http: parts.controls }),
  });
  return {
    votes,
    storing,
    canary: canary && createCanary(parts.graph(), canary),
  };
}
