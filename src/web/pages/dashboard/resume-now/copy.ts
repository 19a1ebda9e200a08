import type { HeldAccount } from '#contract/shapes.ts';
import { counted, figure, namesLabel } from '#core/labels.ts';
import { isDelayed } from '../delay-copy.ts';
import { byReason, failedResumeCopy } from './failed-copy.ts';
import type { ResumeResult } from './resume-held.ts';

/** The confirmation says how many campaigns are resumed, where, what else changes, and what is skipped. */
export function confirmCopy(accounts: readonly HeldAccount[]) {
  const [resumable, delayed] = [accounts.filter((one) => !isDelayed(one)), accounts.filter(isDelayed)];
  const count = resumable.reduce((sum, account) => sum + account.count, 0);
  const campaigns = counted(count, 'campaign');
  const [are, them] = count === 1 ? ['It is', 'it'] : ['They are', 'them'];
  return {
    title: `Resume ${campaigns} now?`,
    button: `Resume ${campaigns}`,
    text: `${are} in ${namesLabel(resumable)}. SmartPause is turned off for ${them}, so the next disruption won’t pause ${them} until you turn it on again.`,
    skipped:
      delayed.length === 0 ? null : `Skipped, because resuming is delayed there: ${namesLabel(delayed)}.`,
  };
}

/** The outcome, one sentence for each group of campaigns, with the server's reasons. */
export function outcomeCopy(result: ResumeResult): string[] {
  const { resumed, failed, left, unread, obstacle } = result;
  const sentences = [
    `Resumed ${counted(resumed, 'campaign')}.`,
    ...failedResumeCopy(result),
    ...byReason(failed).flatMap(({ names, count, reason }) => [
      `${figure(count)} not changed: ${names}. ${keepCopy(count)}`,
      reason,
    ]),
    left.length === 0
      ? ''
      : `${figure(left.length)} not tried: ${namesLabel(left)}. ${keepCopy(left.length)}`,
    unread.length === 0 ? '' : `The campaigns in ${namesLabel(unread)} couldn’t be loaded.`,
    obstacle ?? '',
  ];
  // The same reason may apply to several.
  return [...new Set(sentences)].filter((sentence) => sentence !== '');
}

function keepCopy(count: number): string {
  return `SmartPause stays on for ${count === 1 ? 'it' : 'them'}, and the scheduled resume applies.`;
}

export function isComplete({ stillPaused, unknown, failed, left, unread }: ResumeResult): boolean {
  return [stillPaused, unknown, failed, left, unread].every(({ length }) => length === 0);
}
