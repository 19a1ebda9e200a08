import './pricing-styles.css';
import { Alert, Box, Card, Container, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { Subscription } from '#core/billing/subscription.ts';
import { checkoutState } from '#core/billing/subscription.ts';
import { useAuth } from '../auth/auth-provider.tsx';
import { Faq, pricingQuestions } from '../../components/faq.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { BannerLink } from '../../components/links.ts';
import { SubscriptionFailure } from './subscription-failure.tsx';
import { useSubscription } from './subscription-provider.tsx';
import { planLabel } from './plan-copy.ts';
import { HeldNotice } from '../campaigns/held-notice.tsx';
import { BILLING_SETTINGS, usePricingAddress } from './address.ts';
import { ConnectModal } from './connect-modal.tsx';
import { PlanCard } from './plan-card.tsx';
import { pricingCopy } from './pricing-copy.ts';
import { useCheckout } from './use-checkout.ts';

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
  const address = usePricingAddress(subscription?.planType ?? 'monthly');
  const { cycle } = address;
  const checkout = useCheckout();
  const { title, text, chargeNote } = pricingCopy(subscribed);
  const state = checkoutState(subscription, hasActiveSubscription);
  const isKnown = !loading && !isLoading && error === null;
  const mayHaveHolds = user?.isInitialized === true && isKnown && !hasActiveSubscription;
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
        {mayHaveHolds && <HeldNotice />}
        {error !== null && (
          <Card>
            <SubscriptionFailure />
          </Card>
        )}
        {state === 'payment_issue' && subscription !== null && <PaymentWarning subscription={subscription} />}
        <PlanCard
          cycle={cycle}
          onCycle={address.setCycle}
          checkout={checkout}
          onStart={() => (user !== null ? checkout.start(cycle) : address.openModal())}
          chargeNote={chargeNote}
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
        opened={address.isModalOpen && isKnown && state === 'may_subscribe'}
        onClose={address.closeModal}
        cycle={cycle}
        checkout={checkout}
        chargeNote={chargeNote}
      />
    </Container>
  );
}

/** Shown while a payment is open (PRICE-04). */
function PaymentWarning({ subscription }: { subscription: Subscription }) {
  return (
    <Alert color="yellow" role="alert" title="There’s a problem with your payment" p="lg">
      <Text inherit className="figures">
        You already have a subscription: {planLabel(subscription)}. To protect your campaigns again, use
        another card or pay the open invoice.{' '}
        <BannerLink to={BILLING_SETTINGS}>Go to Billing Settings</BannerLink>
      </Text>
    </Alert>
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
