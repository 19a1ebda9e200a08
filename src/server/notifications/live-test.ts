import { counted } from '#core/labels.ts';
import { TEST_RELEASE_LABELS, withRefusal } from '#core/smartpause/release-labels.ts';
import { fullTime } from '#core/new-york.ts';
import type { NotifiedActivity } from '../db/reports/notified-activities.ts';
import type { Block, Notification } from './blocks.ts';
import { dashboard } from './campaigns.ts';

type TestActivity = Pick<
  NotifiedActivity,
  'campaignId' | 'name' | 'account' | 'event' | 'at' | 'reason' | 'refusal'
>;

export interface LiveTestFacts {
  publicUrl: string;
  /** Oldest first. */
  acts: readonly TestActivity[];
  /** Tests that are not over yet. */
  unfinished: number;
}

/** One email about a live test: the pause, and how it ended. */
export function liveTestNotification({ publicUrl, acts, unfinished }: LiveTestFacts): Notification {
  const title = titleOf(acts);
  return {
    subject: title,
    preview: 'You started this test. It counts as no outage.',
    title,
    blocks: [
      'You started a live test, so SmartPause changed a campaign on Meta the way it does in an outage. There was no outage.',
      { kind: 'list', title: 'What happened', items: acts.map(itemOf) },
      ...unfinishedCopy(unfinished),
      dashboard(publicUrl),
    ],
  };
}

function titleOf(acts: readonly TestActivity[]): string {
  const campaigns = new Set(acts.map(({ campaignId }) => campaignId));
  if (campaigns.size > 1) return `Test: SmartPause tested ${counted(campaigns.size, 'campaign')}`;
  const name = `"${acts.at(-1)?.name ?? ''}"`;
  const has = (event: string): boolean => acts.some((act) => act.event === event);
  const didPause = has('test_paused');
  const last = acts.at(-1)?.event;
  if (last === 'test_resumed')
    return `Test: SmartPause ${didPause ? 'paused and resumed' : 'resumed'} ${name}`;
  return `Test: SmartPause ${didPause ? 'paused' : 'did not pause'} ${name}`;
}

function itemOf({ name, account, event, at, reason, refusal }: TestActivity) {
  const why =
    event === 'test_released' && reason !== null
      ? `: ${withRefusal(TEST_RELEASE_LABELS[reason], reason, refusal)}`
      : '';
  return { text: `${VERBS[event] ?? 'Changed'} ${name}`, detail: `${account}, ${fullTime(at)}${why}` };
}

const VERBS: Record<string, string> = {
  test_paused: 'Paused',
  test_resumed: 'Resumed',
  test_released: 'Not resumed:',
};

function unfinishedCopy(unfinished: number): Block[] {
  if (unfinished === 0) return [];
  return [
    `The test isn't over yet because Meta hasn't confirmed it. SmartPause keeps trying, and we'll email you when it's done.`,
  ];
}
