import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { reasonOr } from '../../api/call.ts';
import { openTab } from '../../browser/open-tab.ts';
import { useSubscription } from '../../subscription.tsx';

/** Card, plan, cancellation and invoices are managed at the payment provider, in a tab of its own. */
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
          Your browser did not open a new tab.{' '}
          <Anchor href={refusedTab} target="_blank" rel="noreferrer" inherit underline="always">
            Open the billing portal
          </Anchor>
        </Text>
      )}
    </Stack>
  );
}

/** Whoever looks at this page again after the portal may have changed something there. */
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
