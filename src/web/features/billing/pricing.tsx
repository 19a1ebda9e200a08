import '@mantine/core/styles/FloatingIndicator.css';
import '@mantine/core/styles/SegmentedControl.css';
import { Alert, Box, Card, Container, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useSearchParams } from 'react-router';
import type { PlanType } from '#core/billing/subscription.ts';
import { checkoutState } from '#core/billing/subscription.ts';
import { Faq, pricingQuestions } from '../../components/faq.tsx';
import { BannerLink } from '../../components/links.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { useNow } from '../../lib/use-now.ts';
import { useAuth } from '../auth/auth-provider.tsx';
import { HeldNotice } from '../campaigns/banners.tsx';
import { useCheckout } from './api.ts';
import { ConnectModal } from './connect-modal.tsx';
import { PlanCard } from './plan-card.tsx';
import { BILLING_SETTINGS, planLabel, readCycle } from './plan-copy.ts';
import { pricingCopy } from './pricing-copy.ts';
import { SubscriptionFailure } from './subscription-failure.tsx';
import { useSubscription } from './subscription-provider.tsx';

const BENEFITS = [
  {
    title: 'Don’t fund a broken auction',
    text: 'While Meta’s delivery is down, your budget buys little. SmartPause stops spending as soon as Meta reports it.',
  },
  {
    title: 'Exactly as you left it',
    text: 'Only running campaigns are paused, and exactly those resume. If you change one yourself, your change wins.',
  },
  {
    title: 'You always know',
    text: 'You get an email for every pause and resume, with the time and the reason.',
  },
];

export function Pricing() {
  const { user, loading } = useAuth();
  const { isLoading, error, ...subscribed } = useSubscription();
  const { subscription, hasActiveSubscription, isTrialAvailable } = subscribed;
  const { cycle, isModalOpen, show } = usePricingAddress(subscription?.planType ?? 'monthly');
  const checkout = useCheckout();
  const { title, text, chargeNote } = pricingCopy(subscribed, useNow());
  const state = checkoutState(subscription, hasActiveSubscription);
  const isKnown = !loading && !isLoading && error === null;
  return (
    <Container size="lg" py={{ base: 32, sm: 56 }}>
      <Box ta="center" maw={640} mx="auto">
        <PageHeading name="Plans" fz={{ base: 30, sm: 40 }} lh={1.15} lts={-0.8}>
          {title}
        </PageHeading>
        <Text fz="lg" c="dimmed" mt="sm" style={{ textWrap: 'balance' }}>
          {text}
        </Text>
      </Box>
      <Stack maw={860} mx="auto" mt={{ base: 28, sm: 40 }} gap="md">
        {user?.isInitialized === true && isKnown && !hasActiveSubscription && <HeldNotice />}
        {error !== null && (
          <Card>
            <SubscriptionFailure />
          </Card>
        )}
        {state === 'payment_issue' && subscription !== null && (
          <Alert color="yellow" role="alert" title="There’s a problem with your payment" p="lg">
            <Text inherit className="figures">
              You already have a subscription: {planLabel(subscription)}. To protect your campaigns again, use
              another card or pay the open invoice.{' '}
              <BannerLink to={BILLING_SETTINGS}>Go to Billing Settings</BannerLink>
            </Text>
          </Alert>
        )}
        <PlanCard
          cycle={cycle}
          onCycle={(chosen) => show(chosen, isModalOpen)}
          checkout={checkout}
          onStart={() => (user !== null ? checkout.start(cycle) : show(cycle, true))}
          chargeNote={error === null ? chargeNote : null}
        />
      </Stack>
      <Benefits />
      <Box component="section" aria-labelledby="faq" maw={860} mx="auto" mt={{ base: 48, sm: 72 }}>
        <Title order={2} id="faq" fz={24} mb="md">
          Frequently asked questions
        </Title>
        <Faq questions={pricingQuestions(isTrialAvailable)} />
      </Box>
      <ConnectModal
        opened={isModalOpen && isKnown && state === 'may_subscribe'}
        onClose={() => show(cycle, false)}
        cycle={cycle}
        checkout={checkout}
        chargeNote={chargeNote}
      />
    </Container>
  );
}

function Benefits() {
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="xl" maw={860} mx="auto" mt={{ base: 48, sm: 72 }}>
      {BENEFITS.map(({ title, text }) => (
        <Box key={title}>
          <Title order={2} fz="lg">
            {title}
          </Title>
          <Text c="dimmed" mt={6} lh={1.55}>
            {text}
          </Text>
        </Box>
      ))}
    </SimpleGrid>
  );
}

/** The address keeps plan and modal, and the rest of it stays. @param usual the plan if the address names none */
function usePricingAddress(usual: PlanType) {
  const [params, setParams] = useSearchParams();
  const isModalOpen = params.get('modal') === 'open';
  const show = (cycle: PlanType, withModal: boolean) =>
    setParams(
      (before) => {
        before.set('cycle', cycle);
        if (withModal) before.set('modal', 'open');
        else before.delete('modal');
        return before;
      },
      // 'Back' closes the modal.
      { replace: isModalOpen || !withModal, preventScrollReset: true },
    );
  return { cycle: readCycle(params) ?? usual, isModalOpen, show };
}
