import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { reasonOr } from '../../api/call.ts';
import { openTab } from '../../browser/open-tab.ts';
import { useSubscription } from '../../subscription.tsx';

/** The payment provider manages card, plan, cancellation and invoices, in a separate tab. */
export function usePortal() {
  const { createPortalSession } = useSubscription();
  const [refusedTab, setRefusedTab] = useState<string | null>(null);
  const { isPending, error, mutate } = useMutation({ mutationFn: createPortalSession });
  const expectReturn = useRefreshOnReturn();

  const onOpen = () => {
    const tab = openTab();
    setRefusedTab(null);
    mutate(undefined, {
      onSuccess: (address) => {
        expectReturn();
        if (tab === null) setRefusedTab(address);
        else tab.leadTo(address);
      },
      onError: () => tab?.close(),
    });
  };
  return {
    onOpen,
    isPending,
    refusedTab,
    failure: error === null ? null : reasonOr('Failed to open billing portal', error),
  };
}

export type Portal = ReturnType<typeof usePortal>;

export function PortalButton({ portal, isUrgent }: { portal: Portal; isUrgent: boolean }) {
  const { onOpen, isPending, refusedTab } = portal;
  return (
    <Stack gap="sm" align="flex-start">
      <Button variant={isUrgent ? 'filled' : 'default'} onClick={onOpen} disabled={isPending}>
        {isPending ? 'Opening…' : isUrgent ? 'Update Payment Method' : 'Manage Billing'}
      </Button>
      {refusedTab !== null && (
        <Text fz="sm" role="status">
          Your browser blocked the new tab.{' '}
          <Anchor href={refusedTab} target="_blank" rel="noreferrer" inherit underline="always">
            Open the billing portal
          </Anchor>
        </Text>
      )}
    </Stack>
  );
}

/** After a visit to the portal the subscription may have changed, so this refreshes it. */
function useRefreshOnReturn(): () => void {
  const { refreshSubscription } = useSubscription();
  const isExpected = useRef(false);
  useEffect(() => {
    const onFocus = () => {
      if (isExpected.current) refreshSubscription().catch(() => undefined);
    };
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, [refreshSubscription]);
  return () => {
    isExpected.current = true;
  };
}
