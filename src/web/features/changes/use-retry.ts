import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Campaign } from '#contract/shapes.ts';
import { userApi } from '#contract/user-api.ts';
import { call, errorMessage } from '../../lib/api-client.ts';
import { hideNotice, notifyDone, showFailure } from '../../lib/notify.tsx';
import { readAgain } from './cached-lists.ts';

/** Tries the change again that Meta refuses. */
export function useRetry({ id, name }: Pick<Campaign, 'id' | 'name'>) {
  const client = useQueryClient();
  // Its own: the button goes also after another act, whose notice stays.
  const notice = `retry ${id}`;
  const tell = (message: string) => showFailure(notice, { title: `Retry of ${name}`, message });
  // The button goes once Meta has accepted the change.
  useEffect(() => () => hideNotice(notice), [notice]);
  return useMutation({
    mutationFn: () => call(userApi.retryCampaign, { params: { id } }),
    onSuccess: ({ isRefused, isAccepted = false }) => {
      if (isRefused) {
        tell('Meta refused it again. SmartPause keeps trying.');
        return;
      }
      hideNotice(notice);
      notifyDone(`Retry of ${name}`, isAccepted ? 'Meta accepted the change.' : 'Not confirmed by Meta yet.');
    },
    onError: (error) => tell(errorMessage('It could not be tried again.', error)),
    onSettled: () => readAgain(client, false),
  });
}
