import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Campaign } from '#contract/shapes.ts';
import { userApi } from '#contract/user-api.ts';
import { BusyButton } from '../../../components/busy-button.tsx';
import { call, errorMessage } from '../../../lib/api-client.ts';
import { leaveFocusToList } from '../../../lib/focus-list.ts';
import { hideNotice, showFailure } from '../../../lib/notify.tsx';
import { noticeOf, readAgain } from '../api.ts';
import classes from './list.module.css';

function useRetry({ id, name }: Campaign) {
  const client = useQueryClient();
  const notice = noticeOf({ id });
  const tell = (message: string) => showFailure(notice, { title: `Retry of ${name}`, message });
  // The button goes once Meta has accepted the change.
  useEffect(() => () => hideNotice(notice), [notice]);
  return useMutation({
    mutationFn: () => call(userApi.retryCampaign, { params: { id } }),
    onSuccess: ({ isRefused }) => {
      if (isRefused) tell('Meta refused it again. SmartPause keeps trying.');
      else hideNotice(notice);
    },
    onError: (error) => tell(errorMessage('It could not be tried again.', error)),
    onSettled: () => readAgain(client, false),
  });
}

/** The one button of the banner, for all refused campaigns. */
export function RetryOfBanner({ campaign }: { campaign: Campaign }) {
  const { mutate, isPending } = useRetry(campaign);
  return (
    <BusyButton size="sm" isBusy={isPending} onClick={mutate}>
      Retry now
    </BusyButton>
  );
}

/** For a campaign whose pause or resume Meta refuses. */
export function RetryButton({ campaign }: { campaign: Campaign }) {
  const { mutate, isPending } = useRetry(campaign);
  return (
    <button
      ref={leaveFocusToList}
      type="button"
      className={classes.act}
      aria-busy={isPending}
      aria-disabled={isPending}
      aria-label={`Retry now: ${campaign.name}`}
      onClick={() => {
        if (!isPending) mutate();
      }}
    >
      {isPending ? 'Retrying…' : 'Retry now'}
    </button>
  );
}
