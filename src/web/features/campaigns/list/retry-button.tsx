import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Campaign } from '#contract/shapes.ts';
import { userApi } from '#contract/user-api.ts';
import { BusyButton } from '../../../components/busy-button.tsx';
import { call, errorMessage } from '../../../lib/api-client.ts';
import { showFailure } from '../../../lib/notify.tsx';
import { readAgain } from '../api.ts';

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
    <BusyButton
      size="sm"
      variant="default"
      px={12}
      isBusy={isPending}
      aria-label={`Retry now: ${name}`}
      onClick={() => mutate()}
    >
      {isPending ? 'Retrying…' : 'Retry now'}
    </BusyButton>
  );
}
