import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '../../outside/wait-for.ts';
import type { Trouble } from '../run.ts';
import type { Stage } from '../stage.ts';
import { callAs, ownersOf } from '../story.ts';

const ROUNDS = 3;
/** Databases have some room put by: it takes many writes until they feel that the disk is full. */
const FELT_WITHIN_MS = 90_000;

/** Fills the disk until it is felt, makes room again. Whatever has given up meanwhile is started again, as it would be. */
export function diskFull(): Trouble {
  return {
    happen: async (stage) => {
      const { disk, postgres, fleet, dice } = stage;
      if (disk === null) throw new Error('this scenario needs a disk of its own');
      for (let round = 0; round < ROUNDS; round += 1) {
        await sleep(dice.between(2_000, 4_000));
        disk.fill();
        await postgres.startNewLogSegment();
        const calls = await writeUntilItFails(stage);
        await sleep(dice.between(3_000, 6_000));
        disk.free();
        const postgresGaveUp = !postgres.isRunning;
        if (postgresGaveUp) await postgres.startAgain();
        const ended = fleet.unexpectedEnds.splice(0).length;
        await fleet.restartEnded();
        stage.notes.push(
          `full: felt at call ${calls}; ${postgresGaveUp ? 'PostgreSQL gave up, ' : ''}${ended} processes of ours ended by themselves`,
        );
        await sleep(4_000);
      }
      const said = (await stage.readLog()).match(/No space left|ENOSPC|disk full/g)?.length ?? 0;
      stage.notes.push(`the log speaks of a full disk ${said} times`);
    },
  };
}

/** Toggles campaigns that nobody touches, which writes journal entries; the answer is how many calls it took. */
async function writeUntilItFails(stage: Stage): Promise<number> {
  const resting = stage.cast.campaigns.filter(({ kind }) => kind === 'resting');
  let calls = 0;
  await waitFor(
    'the full disk to be felt',
    async () => {
      const answers = await Promise.all(
        resting.map(async (campaign) => {
          const [owner] = ownersOf(stage, campaign);
          if (owner === undefined) throw new Error(`nobody has ${campaign.name}`);
          const path = `/api/smartpause/${campaign.account}/${campaign.id}`;
          calls += 1;
          const body = { enabled: stage.dice.chance(0.5) };
          return callAs(stage, owner, { method: 'POST', path, body });
        }),
      );
      return answers.some((answer) => answer === null || answer.status >= 500);
    },
    FELT_WITHIN_MS,
  );
  return calls;
}
