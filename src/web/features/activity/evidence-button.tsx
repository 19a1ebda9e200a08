import { Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { outageApi } from '#contract/outage-api.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { Muted } from '../../components/muted.ts';
import { call } from '../../lib/api-client.ts';
import { notifyFailure } from '../../lib/notify.tsx';
import { useHasCapability } from '../auth/auth-provider.tsx';
import classes from './activity.module.css';

/** Opens the server's page about an outage that is over, which needs no script. */
export function EvidenceButton({ outageId }: { outageId: string }) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(outageApi.linkEvidence, { params: { id: outageId } }),
    onSuccess: ({ path }) => window.location.assign(path),
    onError: (error) => notifyFailure('Failed to open the evidence', error),
  });
  if (!useHasCapability('evidence')) return null;
  return (
    <Stack gap={4} mt="lg" align="flex-start" className={classes.screenOnly}>
      <BusyButton variant="default" size="sm" isBusy={isPending} onClick={mutate}>
        Evidence for a refund claim
      </BusyButton>
      <Muted>A page to print: Meta’s words, pauses, spend and CPM against usual, and all ids.</Muted>
    </Stack>
  );
}
