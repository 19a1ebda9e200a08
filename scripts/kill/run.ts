import { direct, emptyStory } from './director.ts';
import { gather } from './evidence.ts';
import { comeToRest, oneQuietOutage, waitForMails } from './finish.ts';
import type { Verdict } from './judge.ts';
import { judge } from './judge.ts';
import type { Stage, StageOptions } from './stage.ts';
import { setStage } from './stage.ts';
import type { Story } from './story.ts';

export interface Trouble {
  /** What is done to the product meanwhile; the world goes on until it is over. */
  happen: (stage: Stage, story: Story) => Promise<void>;
  /** The world stands still until this trouble moves it itself. */
  worldStandsStill?: boolean;
}

export interface RunReport extends Verdict {
  seconds: number;
  kills: number;
  startMs: number;
  flips: number;
  faults: number;
  notes: readonly string[];
}

/** One run from an empty database to the verdict: load, trouble, rest, one quiet disruption, mails, judgement. */
export async function perform(options: StageOptions, trouble: Trouble): Promise<RunReport> {
  const begun = performance.now();
  const stage = await setStage(options);
  const story = emptyStory();
  const more: string[] = [];
  try {
    await goThrough(stage, story, trouble);
    await comeToRest(stage, story);
    more.push(...(await oneQuietOutage(stage, story)));
    await waitForMails(stage);
    const verdict = judge(await gather(stage, story));
    const { startTimes, kills } = stage.fleet;
    return {
      ...verdict,
      broken: [...more, ...verdict.broken],
      seconds: (performance.now() - begun) / 1000,
      kills,
      startMs: median(startTimes),
      flips: story.flips.length,
      faults: story.faults,
      notes: stage.notes,
    };
  } catch (error) {
    const log = await stage.readLog().catch(() => '');
    process.stderr.write(`${log.split('\n').slice(-25).join('\n')}\n`);
    throw error;
  } finally {
    await stage.close();
  }
}

async function goThrough(stage: Stage, story: Story, trouble: Trouble): Promise<void> {
  if (trouble.worldStandsStill === true) return trouble.happen(stage, story);
  let isOver = false;
  const world = direct(stage, story, () => isOver);
  try {
    await trouble.happen(stage, story);
  } finally {
    isOver = true;
    await world;
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0);
}
