import type { HeldAccount, UserStatus } from '#contract/shapes.ts';
import { counted, namesLabel } from '#core/labels.ts';
import type { ResumeDelay } from '#core/smartpause/resume-delay.ts';
import type { Instant } from '#core/time.ts';
import { atOrOnTime } from '../../lib/times.ts';

/** For a user without a subscription: the paused campaigns, and when they resume. */
export function heldCopy(
  count: number,
  resumeAt: Instant | null,
  now: Instant,
): { title: string; text: string } {
  const [are, they] = count === 1 ? ['is', 'It still resumes'] : ['are', 'They still resume'];
  const when = resumeAt === null ? 'when the disruption ends, as set in Settings' : atOrOnTime(resumeAt, now);
  return {
    title: `${counted(count, 'campaign')} ${are} paused by SmartPause right now`,
    text: `${they} ${when}. You don’t need a subscription for that.`,
  };
}

/** '3 campaigns in Lind Outdoor and Lind Kids'; null: a server of the specification sends no counts. */
export function heldLabel({
  heldCampaigns,
  heldAccounts,
}: Pick<UserStatus, 'heldCampaigns' | 'heldAccounts'>): string | null {
  if (heldCampaigns === undefined || heldCampaigns === 0 || heldAccounts === undefined) return null;
  return `${counted(heldCampaigns, 'campaign')} in ${namesLabel(heldAccounts)}`;
}

const DELAYS: Record<ResumeDelay, (accounts: string) => string> = {
  login: () => 'Meta no longer accepts our access: nothing resumes until you reconnect.',
  access_lost: (accounts) =>
    `You no longer have access to ${accounts} on Meta: nothing resumes there without it.`,
  limited: (accounts) =>
    `Meta’s rate limit for ${accounts} is reached: resuming continues when Meta allows it.`,
  no_answer: (accounts) => `Meta isn’t responding for ${accounts}: we keep trying.`,
};

/** What delays the resume, one sentence for each cause. */
export function delayCopy(accounts: readonly HeldAccount[] = []): string[] {
  const byCause = Map.groupBy(accounts, ({ delayedBy }) => delayedBy);
  return [...byCause].flatMap(([cause, delayed]) =>
    cause === undefined ? [] : [DELAYS[cause](namesLabel(delayed))],
  );
}

/** A resume there would fail. */
export function isDelayed({ delayedBy }: HeldAccount): boolean {
  return delayedBy !== undefined;
}
