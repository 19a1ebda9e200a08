import type { Campaign, HeldAccount } from '#contract/shapes.ts';
import type { Failure, Progress } from '../bulk/run.ts';
import { runBulk } from '../bulk/run.ts';
import type { HeldCampaign, ResumeCalls, ResumeFailures } from './turn-off-and-resume.ts';
import { createResumer } from './turn-off-and-resume.ts';

export interface ResumeResult extends ResumeFailures {
  resumed: number;
  /** SmartPause could not be turned off. */
  failed: readonly Failure<HeldCampaign>[];
  /** Skipped, or not tried. With the failed ones, these keep SmartPause on and their scheduled resume. */
  left: readonly HeldCampaign[];
  /** Ad accounts whose campaigns could not be loaded. */
  unread: readonly HeldAccount[];
  /** Why the rest was not tried. */
  obstacle: string | null;
}

export interface ResumeHeld {
  /** The accounts with held campaigns. */
  accounts: readonly HeldAccount[];
  list: (accountId: string) => Promise<readonly Campaign[]>;
  calls: ResumeCalls;
  signal: AbortSignal;
  onProgress: (resumed: number) => void;
}

/** Turns SmartPause off for the held campaigns of these ad accounts, and resumes them. */
export async function resumeHeld({ accounts, list, calls, ...run }: ResumeHeld): Promise<ResumeResult> {
  const { targets, unread } = await findHeld(accounts, list);
  const resumer = createResumer(calls, accounts);
  let { done, failed }: Progress<HeldCampaign> = { done: [], failed: [] };
  const obstacle = await runBulk({
    targets,
    signal: run.signal,
    concurrency: 1,
    send: resumer.send,
    onProgress: (progress) => {
      ({ done, failed } = progress);
      run.onProgress(done.length);
    },
  });
  const { stillPaused, unknown } = resumer.failures;
  const off = new Set([...stillPaused, ...unknown].map(({ target }) => target));
  failed = failed.filter(({ target }) => !off.has(target));
  const tried = new Set([...done, ...off, ...failed.map(({ target }) => target)]);
  const left = targets.filter((target) => !tried.has(target));
  return { resumed: done.length, failed, left, stillPaused, unknown, unread, obstacle };
}

async function findHeld(accounts: readonly HeldAccount[], list: ResumeHeld['list']) {
  const targets: HeldCampaign[] = [];
  const unread: HeldAccount[] = [];
  for (const account of accounts) {
    try {
      const campaigns = await list(account.id);
      const held = campaigns.filter((campaign) => campaign.held === true);
      targets.push(...held.map(({ id, name }) => ({ accountId: account.id, id, name })));
    } catch {
      unread.push(account);
    }
  }
  return { targets, unread };
}
