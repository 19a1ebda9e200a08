import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { HeldAccount } from '#contract/shapes.ts';
import { readCampaigns } from './api.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { sayDone, sayFailure } from '../../lib/notify.ts';
import { questionBeforeResume } from './bulk/copy.ts';
import { useQuestion } from './bulk/question-dialog.tsx';
import { useBulkChange } from './bulk/use-bulk-change.tsx';
import { isDelayed } from './held-copy.ts';

/** Reads the campaigns that SmartPause has paused, asks, turns SmartPause off for them and resumes them. */
export function ResumeNowButton({ accounts }: { accounts: readonly HeldAccount[] }) {
  const client = useQueryClient();
  const { ask, dialog } = useQuestion();
  const start = useBulkChange();
  const { mutate, isPending } = useMutation({
    mutationFn: async () =>
      readCampaigns(
        client,
        accounts.filter((account) => !isDelayed(account)),
      ),
    onSuccess: ({ campaigns, unread }) => {
      const targets = campaigns
        .filter(({ campaign }) => campaign.held === true)
        .map((target) => ({ ...target, resumes: true }));
      const delayed = accounts.filter(isDelayed);
      if (targets.length > 0)
        ask(questionBeforeResume(targets, delayed, unread), () => start({ action: 'off', targets }));
      else if (unread.length > 0)
        sayFailure('Failed to resume campaigns', null, 'The campaigns couldn’t be loaded.');
      else sayDone('Nothing to resume', 'These campaigns are no longer paused by SmartPause.');
    },
  });
  return (
    <>
      <BusyButton size="sm" variant="default" mt="xs" isBusy={isPending} onClick={() => mutate()}>
        Resume now
      </BusyButton>
      {dialog}
    </>
  );
}
