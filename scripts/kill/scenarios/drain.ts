import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '../../outside/wait-for.ts';
import { flip } from '../director.ts';
import type { Trouble } from '../run.ts';
import type { Stage } from '../stage.ts';
import type { Story } from '../story.ts';

const ROUNDS = 4;
const SLOW_MS = 1_200;
const DRAINED_WITHIN_MS = 10_000;
/** Far less than the lease of half a minute: what was claimed has been given back. */
const GOES_ON_WITHIN_MS = 12_000;

/**
 * SIGTERM in the middle of pauses and resumes and of people's own calls, with a platform that is slow: every call that
 * was under way is answered, the process ends well in time, and the next one goes on with the rest at once.
 */
export function drained(): Trouble {
  return {
    worldStandsStill: true,
    happen: async (stage, story) => {
      await stage.simulators.graph.post('/latency', { ms: SLOW_MS });
      for (let round = 0; round < ROUNDS; round += 1) {
        const slot = round % stage.fleet.size;
        await drainOnce(stage, story, { slot, level: round % 2 === 0 ? 'High disruptions' : 'Resolved' });
      }
      await stage.simulators.graph.post('/latency', { ms: 0 });
    },
  };
}

async function drainOnce(
  stage: Stage,
  story: Story,
  { slot, level }: { slot: number; level: 'High disruptions' | 'Resolved' },
): Promise<void> {
  const { fleet, dice } = stage;
  await flip(stage, story, level);
  const calls = stage.cast.campaigns
    .filter(({ kind }) => kind === 'pressed')
    .map((campaign) => answerOf(stage, fleet.urlOf(slot), campaign.id, level));
  await sleep(dice.between(50, SLOW_MS));
  const [ending, answers] = await Promise.all([fleet.process(slot).stop(), Promise.all(calls)]);
  if (ending.code !== 0) throw new Error(`SIGTERM: it ended with ${ending.code ?? 'a signal'}`);
  if (ending.ms > DRAINED_WITHIN_MS) throw new Error(`SIGTERM: it took ${ending.ms.toFixed(0)} ms`);
  const cut = answers.filter((status) => status === null).length;
  if (cut > 0) throw new Error(`SIGTERM: ${cut} of ${answers.length} calls under way were cut`);
  const began = performance.now();
  await fleet.start(slot);
  await allAre(stage, level === 'Resolved' ? 'ACTIVE' : 'PAUSED');
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  stage.notes.push(
    `drained in ${(ending.ms / 1000).toFixed(1)} s with ${answers.length} calls under way (${answers.join(', ')}); all was done ${seconds} s later`,
  );
}

/** A manual act that takes long; null: the connection was cut. */
async function answerOf(stage: Stage, url: string, campaign: string, level: string): Promise<number | null> {
  const owner = stage.cast.members.find(({ index }) =>
    stage.cast.campaigns.some((one) => one.id === campaign && one.watchers[0]?.index === index),
  );
  const what = level === 'Resolved' ? 'resume' : 'pause';
  const headers = { authorization: `Bearer ${owner?.person.token ?? ''}` };
  const answer = await fetch(`${url}/api/campaigns/${campaign}/${what}`, { method: 'POST', headers }).catch(
    () => null,
  );
  return answer?.status ?? null;
}

async function allAre(stage: Stage, status: string): Promise<void> {
  const watched = stage.cast.campaigns.filter(({ kind }) => kind === 'watched').map(({ id }) => id);
  await waitFor(
    `every watched campaign to be ${status}`,
    async () => {
      const now = await stage.simulators.graph.campaigns();
      return watched.every((id) => now.get(id)?.status === status);
    },
    GOES_ON_WITHIN_MS,
  );
}
