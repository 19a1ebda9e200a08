import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Campaign } from '#contract/shapes.ts';
import { userApi } from '#contract/user-api.ts';
import { call, errorMessage } from '../../../lib/api-client.ts';
import { showFailure } from '../../../lib/notify.tsx';
import { readAgain } from '../api.ts';
import classes from './list.module.css';

/** For a campaign whose pause or resume Meta refuses. */
export function RetryButton({ campaign: { id, name } }: { campaign: Campaign }) {
  const client = useQueryClient();
  const tell = (message: string) => showFailure(`campaign ${id}`, { title: `Retry of ${name}`, message });
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(userApi.retryCampaign, { params: { id } }),
    onSuccess: ({ isRefused }) => {
      if (isRefused) tell('Meta refused it again. SmartPause keeps trying.');
    },
    onError: (error) => tell(errorMessage('It could not be tried again.', error)),
    onSettled: () => readAgain(client, false),
  });
  return (
    <button
      type="button"
      className={classes.act}
      aria-busy={isPending}
      aria-disabled={isPending}
      aria-label={`Retry now: ${name}`}
      onClick={() => {
        if (!isPending) mutate();
      }}
    >
      {isPending ? 'Retrying…' : 'Retry now'}
    </button>
  );
}
