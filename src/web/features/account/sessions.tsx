import { Group } from '@mantine/core';
import { counted } from '#core/labels.ts';
import { useEndOtherSessions } from './api.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { Muted } from '../../components/muted.ts';
import { SectionCard } from '../../components/section-card.tsx';
import { sayDone, sayFailure } from '../../lib/notify.ts';

export function Sessions() {
  const end = useEndOtherSessions();
  const onEnd = () =>
    end.mutate(undefined, {
      onSuccess: ({ ended }) =>
        ended === 0
          ? sayDone('No other sessions', 'You’re only logged in here.')
          : sayDone('Logged out everywhere else', `${counted(ended, 'other session')} ended.`),
      onError: (error) => sayFailure('Failed to log out everywhere else', error),
    });
  return (
    <SectionCard id="sessions" title="Sessions">
      <Group justify="space-between" gap="md">
        <Muted maw={340}>Ends your sessions in all other browsers. You stay logged in here.</Muted>
        <BusyButton variant="default" isBusy={end.isPending} onClick={onEnd}>
          Log out everywhere else
        </BusyButton>
      </Group>
    </SectionCard>
  );
}
