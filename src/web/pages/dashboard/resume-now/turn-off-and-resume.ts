import type { HeldAccount } from '#contract/shapes.ts';
import type { RefusalCode } from '#contract/errors.ts';
import { CallError, isRefusal } from '../../../api/call.ts';
import { isDelayed } from '../delay-copy.ts';
import type { Failure } from '../bulk/run.ts';
import { SKIPPED, reasonOf } from '../bulk/run.ts';

export interface HeldCampaign {
  accountId: string;
  id: string;
  name: string;
}

export interface ResumeCalls {
  turnOff: (campaign: HeldCampaign) => Promise<unknown>;
  resume: (campaign: HeldCampaign) => Promise<unknown>;
}

/** The other campaigns keep SmartPause on and their scheduled resume. */
export interface ResumeFailures {
  /** SmartPause is off for them, but the resume failed. */
  stillPaused: readonly Failure<HeldCampaign>[];
  /** No usable response: their state is unknown. */
  unknown: readonly Failure<HeldCampaign>[];
}

/**
 * The rule of every 'Resume now', for `runBulk` with one campaign at a time: accounts whose resume is
 * delayed are skipped, and after a failure the account's other campaigns keep SmartPause on.
 */
export function createResumer(calls: ResumeCalls, accounts: readonly HeldAccount[] = []) {
  const skippedAccounts = new Set(accounts.filter(isDelayed).map(({ id }) => id));
  const stillPaused: Failure<HeldCampaign>[] = [];
  const unknown: Failure<HeldCampaign>[] = [];
  return {
    failures: { stillPaused, unknown } satisfies ResumeFailures,
    send: async (campaign: HeldCampaign): Promise<typeof SKIPPED | undefined> => {
      if (skippedAccounts.has(campaign.accountId)) return SKIPPED;
      let isOff = false;
      try {
        await calls.turnOff(campaign);
        isOff = true;
        await calls.resume(campaign);
      } catch (error) {
        skippedAccounts.add(campaign.accountId);
        const failure = { target: campaign, reason: reasonOf(error) };
        if (isUnknown(error)) unknown.push(failure);
        else if (isOff) stillPaused.push(failure);
        throw error;
      }
      return undefined;
    },
  };
}

/** Server errors that say what Meta did: nothing. */
const UNCHANGED: readonly RefusalCode[] = ['CAMPAIGN_ACTION_FAILED', 'TOKEN_EXPIRED'];

/** The change may have been made: no response, or another server error. */
function isUnknown(error: unknown): boolean {
  if (!(error instanceof CallError)) return true;
  return error.status >= 500 && !UNCHANGED.some((code) => isRefusal(error, code));
}
