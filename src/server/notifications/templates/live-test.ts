import { lastActivities } from '#core/notifications.ts';
import { activityText } from '#core/outages/activity-text.ts';
import type { PendingActivity } from '../../db/reports/notified-activities.ts';
import type { Facts } from '../facts.ts';
import type { Block, Notification } from '../render.ts';
import { shortMessage } from '../render.ts';
import { openDashboard } from './campaigns.ts';
import { campaigns, columnsOf, itOrThem, listOf } from './lists.ts';
import { retriedCopy, sharedRefusal } from './refusals.ts';

/** One email about a live test: the pause, and how it ended. The activities say what happened. */
export function liveTest(facts: Facts): Notification {
  const { acts, unfinished } = facts;
  const tested = lastActivities(acts);
  const [first] = tested;
  const did =
    first === undefined || tested.length > 1 ? `tested ${campaigns(tested.length)}` : testCopy(first);
  const refusedResumes = tested.filter(
    ({ happened, end }) => happened.event === 'test_retrying' && end === null,
  );
  const resumesAgain =
    refusedResumes.length === 1 ? `“${refusedResumes[0]?.name ?? ''}”` : campaigns(refusedResumes.length);
  const goesOn =
    'The test isn’t over yet because Meta hasn’t confirmed it. SmartPause keeps trying, and we’ll tell you when it’s done.';
  return {
    subject: `Test: ${refusedResumes.length > 0 ? `Meta refused to resume ${resumesAgain}` : did}`,
    blocks: [
      ...(refusedResumes.length > 0
        ? refusedTestCopy(facts, refusedResumes)
        : [unfinished > 0 ? goesOn : 'The test is over. No action needed.']),
      'You started a live test, so SmartPause changed a campaign on Meta the way it does in an outage. There was no outage.',
      listOf(
        'What happened',
        acts.map((act) => ({
          ...columnsOf(act),
          name: testCopy(refusedResumes.includes(act) ? { ...act, detail: null } : act),
        })),
      ),
      openDashboard(facts),
    ],
  };
}

/** The campaigns stay paused, although the test is over. */
function refusedTestCopy(facts: Facts, refused: readonly PendingActivity[]): (Block | null)[] {
  const or = `, or resume ${itOrThem(refused.length)} in Ads Manager`;
  return retriedCopy(facts, refused.length, { words: sharedRefusal(refused), or });
}

/** 'paused “Shoes”', beside words that say that it is a test. */
function testCopy({ message, detail, name }: PendingActivity): string {
  const text = activityText({ message, detail }, `“${name}”`);
  return shortMessage(text.replace(/^Test: /, '').replace(/\.$/, ''));
}
