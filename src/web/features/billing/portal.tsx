import { Anchor, Stack, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '../../lib/api-client.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { Failure } from '../../components/failure.tsx';
import { useSubscription } from './subscription-provider.tsx';

/** Opens the billing portal for card, plan, cancellation and invoices, in a tab of its own. */
export function Portal({ isUrgent }: { isUrgent: boolean }) {
  const { createPortalSession, refreshSubscription, hasPortal } = useSubscription();
  const [refusedTab, setRefusedTab] = useState<string | null>(null);
  const { isPending, isSuccess, error, mutate } = useMutation({ mutationFn: createPortalSession });
  // The subscription may have changed in the portal.
  useWindowEvent('focus', () => {
    if (isSuccess) refreshSubscription().catch(() => undefined);
  });

  const onOpen = () => {
    // In the click, so that the browser does not block it as a popup; the address follows.
    const tab = window.open('about:blank', '_blank');
    // The opened site must have no access to this page.
    if (tab !== null) tab.opener = null;
    setRefusedTab(null);
    mutate(undefined, {
      onSuccess: (address) => {
        if (tab === null) setRefusedTab(address);
        else tab.location.replace(address);
      },
      onError: () => tab?.close(),
    });
  };
  return (
    <Stack gap="sm" align="flex-start">
      {hasPortal && (
        <BusyButton variant={isUrgent ? 'filled' : 'default'} isBusy={isPending} onClick={onOpen}>
          {isPending ? 'Opening…' : isUrgent ? 'Update payment method' : 'Manage billing'}
        </BusyButton>
      )}
      {refusedTab !== null && (
        <Text fz="sm" role="status">
          Your browser blocked the new tab.{' '}
          <Anchor href={refusedTab} target="_blank" rel="noreferrer" inherit underline="always">
            Open the billing portal
          </Anchor>
        </Text>
      )}
      {/* Outlives the button, which disappears when there is nothing left to manage. */}
      {error !== null && <Failure text={errorMessage('Failed to open billing portal', error)} />}
    </Stack>
  );
}
