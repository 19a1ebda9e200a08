import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '../outside/wait-for.ts';
import { flip } from './director.ts';
import type { Stage } from './stage.ts';
import type { Export, ListedCampaign, Story } from './story.ts';
import { readCampaigns, readExport } from './story.ts';

/** A dead process's lease, a doubt of a minute, and backoff: after that nothing may be held any more. */
const REST_WITHIN_MS = 240_000;
/** They are given to each person twenty times a minute, and to few people at once. */
const BETWEEN_EXPORTS_MS = 4_000;
/** Longer than the lease on a mail of whoever died while sending it. */
const MAIL_LEASE_MS = 15 * 60_000;

/** How the story ends: the platform answers, the page reports nothing, and nobody is killed any more. */
export async function comeToRest(stage: Stage, story: Story): Promise<void> {
  await stage.simulators.graph.ask('DELETE', '/faults');
  await stage.fleet.restartEnded();
  if (story.flips.at(-1)?.level !== 'Resolved' || story.flips.at(-1)?.knownAt === null) {
    await flip(stage, story, 'Resolved');
  }
  await waitForNoHolds(stage);
}

async function waitForNoHolds(stage: Stage): Promise<void> {
  let live: string[] = [];
  await waitFor(
    'every hold to end',
    async () => {
      const exports = await readExports(stage);
      if (exports === null) return false;
      live = exports.flatMap(({ holds }) =>
        holds.filter(({ endedAt }) => endedAt === null).map((hold) => `${hold.campaignId} ${hold.state}`),
      );
      return live.length === 0;
    },
    REST_WITHIN_MS,
  ).catch((error: unknown) => {
    throw new Error(`holds do not end: ${live.join(', ')}`, { cause: error });
  });
}

/** Everybody's own data; null while somebody got no answer. */
export async function readExports(stage: Stage): Promise<Export[] | null> {
  await sleep(BETWEEN_EXPORTS_MS);
  const answered: Export[] = [];
  for (const member of stage.cast.members) {
    const one = await readExport(stage, member);
    if (one === null) return null;
    answered.push(one);
  }
  return answered;
}

/** One more disruption without any trouble: whatever can be paused is paused and comes back, nothing else moves. */
export async function oneQuietOutage(stage: Stage, story: Story): Promise<string[]> {
  const before = await stage.simulators.graph.campaigns();
  const on = await watchedNow(stage);
  const expected = [...before.values()].filter(({ id, status }) => on.has(id) && status === 'ACTIVE');
  const others = [...before.values()].filter((one) => !expected.includes(one));
  await flip(stage, story, 'High disruptions');
  const broken: string[] = [];
  await waitForAll(stage, expected, 'PAUSED').catch((error: unknown) => broken.push(String(error)));
  await flip(stage, story, 'Resolved');
  await waitForAll(stage, expected, 'ACTIVE').catch((error: unknown) => broken.push(String(error)));
  await waitForNoHolds(stage);
  const after = await stage.simulators.graph.campaigns();
  for (const { id, name, status } of others) {
    if (after.get(id)?.status !== status) broken.push(`${name} changed in a disruption that is not its own`);
  }
  return broken;
}

async function watchedNow(stage: Stage): Promise<Set<string>> {
  const lists = await waitFor('every list of campaigns', async () => {
    const all = await Promise.all(
      stage.cast.members.flatMap((member) =>
        member.accounts.map((account) => readCampaigns(stage, member, account)),
      ),
    );
    return all.every((one): one is ListedCampaign[] => one !== null) ? all : false;
  });
  return new Set(
    lists
      .flat()
      .filter(({ smartPauseSetting }) => smartPauseSetting === 'ON')
      .map(({ id }) => id),
  );
}

async function waitForAll(
  stage: Stage,
  wanted: readonly { id: string; name: string }[],
  status: string,
): Promise<void> {
  let missing: string[] = [];
  const delays = stage.cast.members.map(({ delayMs }) => delayMs);
  await waitFor(
    `every campaign to be ${status}`,
    async () => {
      const now = await stage.simulators.graph.campaigns();
      missing = wanted.filter(({ id }) => now.get(id)?.status !== status).map(({ name }) => name);
      return missing.length === 0;
    },
    60_000 + Math.max(...delays),
  ).catch((error: unknown) => {
    throw new Error(`not ${status} in a disruption without trouble: ${missing.join(', ')}`, { cause: error });
  });
}

/**
 * The mails that are still to go. One that a dead process was sending is left alone for minutes; nobody waits for
 * that here: the processes are started with their clock put forward.
 */
export async function waitForMails(stage: Stage): Promise<void> {
  await stage.fleet.stopAll();
  stage.fleet.clockOffsetMs += MAIL_LEASE_MS;
  await stage.fleet.startAll();
  await waitFor(
    'every mail to be sent',
    async () => {
      const exports = await readExports(stage);
      return exports?.every(({ emails }) => emails.every(({ sentAt }) => sentAt !== null)) === true;
    },
    90_000,
  );
}
