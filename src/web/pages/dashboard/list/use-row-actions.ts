import { useState } from 'react';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { isRefusal } from '../../../api/call.ts';
import { usePauseOrResume, useSetSmartPause } from '../../../api/queries.ts';
import type { resumeOne } from '../resume-now/resume-one.ts';
import { sayFailure } from '../../../notices.ts';

/** None before the setup. Without a subscription: turning SmartPause off, also in bulk, and resuming. */
export type AllowedActions = 'all' | 'off_and_resume' | 'none';

export type ManualAct = 'pause' | 'resume';

export interface RowTarget {
  account: AdAccount;
  campaign: Campaign;
  allowed: AllowedActions;
}

/** Hides a campaign's last notice. */
const hides = new Map<string, () => void>();

function hideNotice(campaignId: string): void {
  hides.get(campaignId)?.();
  hides.delete(campaignId);
}

/** Promises, because the row may unmount before the response, and a failure must still be reported. */
export function useRowActions({ account, campaign, allowed }: RowTarget) {
  const toggle = useSetSmartPause(account.id, campaign.id);
  const manual = usePauseOrResume(account.id, campaign.id);
  // Shows the requested value at once; after a failure the actual value shows again.
  const [asked, setAsked] = useState<boolean | null>(null);

  const turn = async (enabled: boolean, send: () => Promise<unknown>): Promise<void> => {
    setAsked(enabled);
    hideNotice(campaign.id);
    try {
      await send();
    } catch (error) {
      sayFailure('Failed to toggle SmartPause', error);
    } finally {
      setAsked(null);
    }
  };

  const act = async (what: ManualAct, mayUndo = true): Promise<void> => {
    hideNotice(campaign.id);
    // Without it the row still shows the result.
    const notice = loadUndoNotice();
    try {
      // Until Meta confirms, the row says so, and there is nothing to undo.
      if ((await manual.mutateAsync(what)).pending === true) return;
    } catch (error) {
      const isActive = isRefusal(error, 'SMARTPAUSE_ACTIVE');
      sayFailure(isActive ? 'SmartPause is active' : failureOf(what), error);
      return;
    }
    await sayActed(what, notice, mayUndo);
  };

  const sayActed = async (what: ManualAct, notice: UndoNotice, mayUndo: boolean): Promise<void> => {
    const opposite = what === 'pause' ? 'resume' : 'pause';
    const isAllowed = allowed === 'all' || (allowed === 'off_and_resume' && opposite === 'resume');
    const onUndo = mayUndo && isAllowed ? () => void act(opposite, false) : null;
    const hide = (await notice)?.sayPausedOrResumed(what, campaign.name, onUndo);
    if (hide !== undefined) hides.set(campaign.id, hide);
  };

  return {
    asked,
    turn: (enabled: boolean, sayDone?: () => void) =>
      void turn(enabled, () => toggle.mutateAsync(enabled).then(sayDone)),
    act: (what: ManualAct) => void act(what),
    /** @param resume loaded together with the dialog that offers it */
    turnOffAndResume: (resume: typeof resumeOne) =>
      turn(false, async () => {
        const result = await resume(
          { ...campaign, accountId: account.id },
          { turnOff: () => toggle.mutateAsync(false), resume: () => manual.mutateAsync('resume') },
        );
        if (!result.ok) sayFailure(result.title, result.error, result.fallback);
        else if (!result.isPending) await sayActed('resume', loadUndoNotice(), true);
      }),
    /** The manual action in progress. */
    acting: manual.isPending ? manual.variables : null,
  };
}

type UndoNotice = ReturnType<typeof loadUndoNotice>;

function loadUndoNotice() {
  return import('./undo-notice.tsx').catch(() => null);
}

function failureOf(what: ManualAct): string {
  return what === 'pause' ? 'Failed to pause campaign' : 'Failed to resume campaign';
}
