import { Alert, Badge, Box, Group, Stack, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { Subscription } from '#core/billing/subscription.ts';
import { hasActiveSubscription, needsPayment } from '#core/billing/subscription.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { Failure } from '../../components/failure.tsx';
import { LinkButton, NewTabLink, TermsLink } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { SectionCard } from '../../components/section-card.tsx';
import { Time } from '../../components/time.tsx';
import { useNow } from '../../lib/use-now.ts';
import { paymentAddress, planLabel } from '../subscription/plan-copy.ts';
import { SubscriptionFailure, useSubscription } from '../subscription/subscription-provider.tsx';
import { billingCopy } from './billing-copy.ts';

export function Billing() {
  const { subscription, error, isTrialAvailable } = useSubscription();
  return (
    <SectionCard id="billing" title="Billing & Subscription">
      {error !== null && <SubscriptionFailure />}
      {error === null && subscription === null && (
        <Group justify="space-between" gap="md">
          <Muted maw={440}>You have no subscription. Start one to protect your campaigns.</Muted>
          <LinkButton to={paymentAddress(null)}>
            {isTrialAvailable ? 'See plans' : 'Subscribe again'}
          </LinkButton>
        </Group>
      )}
      {subscription !== null && <Details subscription={subscription} />}
      <Muted mt="md">
        Prices, renewal and cancellation are described in the <TermsLink />.
      </Muted>
    </SectionCard>
  );
}

function Details({ subscription }: { subscription: Subscription }) {
  const { hasPortal } = useSubscription();
  const now = useNow();
  const { charge, banner } = billingCopy(subscription, now);
  const { status, planType, openInvoiceUrl } = subscription;
  const isActive = hasActiveSubscription(subscription, now);
  const isCanceled = status === 'canceled';
  const owes = needsPayment(subscription);
  return (
    <Stack gap="md">
      {banner !== null && (
        <Alert color={banner.color} title={banner.title} role={banner.color === 'gray' ? 'status' : 'alert'}>
          {banner.text}{' '}
          {owes && openInvoiceUrl != null && (
            <NewTabLink href={openInvoiceUrl} c="inherit" fw={600}>
              Confirm payment
            </NewTabLink>
          )}
        </Alert>
      )}
      <Box>
        <PlanStatus subscription={subscription} />
        {charge !== null && <Muted mt={4}>{charge}</Muted>}
        {isCanceled && isActive && hasPortal && (
          <Muted mt={4}>Active until then. Changed your mind? Renew in the billing portal.</Muted>
        )}
      </Box>
      <Group gap="sm" align="flex-start">
        {isCanceled && !isActive && <LinkButton to={paymentAddress(planType)}>Subscribe again</LinkButton>}
        <Portal isUrgent={owes} />
      </Group>
    </Stack>
  );
}

/** A subscription: its plan, its status and its next date. */
export function PlanStatus({ subscription }: { subscription: Subscription }) {
  const { badge, color, line, lineAt } = billingCopy(subscription, useNow());
  return (
    <Box className="figures" style={{ textWrap: 'balance' }}>
      <Group gap="sm">
        <Text fw={600}>{planLabel(subscription)}</Text>
        <Badge color={color}>{badge}</Badge>
      </Group>
      {line !== null && (
        <Text fz="sm" mt={4} c={color === 'red' ? 'var(--status-high)' : 'dimmed'}>
          <Time at={lineAt}>{line}</Time>
        </Text>
      )}
    </Box>
  );
}

/** Opens the billing portal for card, plan, cancellation and invoices, in a tab of its own. */
function Portal({ isUrgent }: { isUrgent: boolean }) {
  const { createPortalSession, refreshSubscription, hasPortal } = useSubscription();
  const { isPending, isSuccess, error, mutate } = useMutation({
    mutationFn: (_tab: Window | null) => createPortalSession(),
    // Also after the user has left this page. Without a tab, where the browser refuses one, it replaces this page.
    onSuccess: (address, tab) => (tab ?? window).location.replace(address),
    onError: (_error, tab) => tab?.close(),
  });
  // The subscription may have changed in the portal.
  useWindowEvent('focus', () => {
    if (isSuccess) refreshSubscription().catch(() => undefined);
  });
  const onOpen = () => {
    // In the click, so that the browser does not block it as a popup; the address follows.
    const tab = window.open('about:blank', '_blank');
    // The opened site must have no access to this page.
    if (tab !== null) tab.opener = null;
    mutate(tab);
  };
  return (
    <Stack gap="sm" align="flex-start">
      {hasPortal && (
        <BusyButton variant={isUrgent ? 'filled' : 'default'} isBusy={isPending} onClick={onOpen}>
          {isPending ? 'Opening…' : isUrgent ? 'Update payment method' : 'Manage billing'}
        </BusyButton>
      )}
      {/* Outlives the button, which disappears when there is nothing left to manage. */}
      <Failure error={error} otherwise="Failed to open billing portal" />
    </Stack>
  );
}
