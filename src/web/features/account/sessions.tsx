import { Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { userApi } from '#contract/user-api.ts';
import { counted } from '#core/labels.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { Muted } from '../../components/muted.ts';
import { SectionCard } from '../../components/section-card.tsx';
import { call } from '../../lib/api-client.ts';
import { notifyDone, notifyFailure } from '../../lib/notify.tsx';

export function Sessions() {
  const { isPending, mutate } = useMutation({
    mutationFn: () => call(userApi.endOtherSessions),
    onSuccess: ({ ended }) =>
      ended === 0
        ? notifyDone('No other sessions', 'You’re only logged in here.')
        : notifyDone('Logged out everywhere else', `${counted(ended, 'other session')} ended.`),
    onError: (error) => notifyFailure('Failed to log out everywhere else', error),
  });
  return (
    <SectionCard id="sessions" title="Sessions">
      <Group justify="space-between" gap="md">
        <Muted maw={440}>Ends your sessions in all other browsers. You stay logged in here.</Muted>
        <BusyButton variant="default" isBusy={isPending} onClick={mutate}>
          Log out everywhere else
        </BusyButton>
      </Group>
    </SectionCard>
  );
}
