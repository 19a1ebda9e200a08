import './pricing-styles.css';
import { Box, Card, Container, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { checkoutState } from '#core/billing/subscription.ts';
import { useAuth } from '../../auth.tsx';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { SubscriptionFailure } from '../../components/subscription-failure.tsx';
import { useSubscription } from '../../subscription.tsx';
import { HeldNotice } from '../dashboard/held-notice.tsx';
import { usePricingAddress } from './address.ts';
import { ConnectModal } from './connect-modal.tsx';
import { Faq } from './faq.tsx';
import { PaymentWarning } from './payment-warning.tsx';
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
  const usual = subscription?.planType ?? 'monthly';
  const { cycle, setCycle, isModalOpen, openModal, closeModal } = usePricingAddress(usual);
  const checkout = useCheckout();
  const { title, text, small } = pricingCopy(subscribed);
  const state = checkoutState(subscription, hasActiveSubscription);
  const isKnown = !loading && !isLoading && error === null;
  const mayPay = isKnown && state === 'may_subscribe';
  const mayHaveHolds = user?.isInitialized === true && isKnown && !hasActiveSubscription;

  const onStart = () => (user !== null ? checkout.start(cycle) : openModal());
  return (
    <Container size="lg" py={{ base: 32, sm: 56 }}>
      <Box ta="center" maw={640} mx="auto">
        <PageHeading name="Plans" fz={{ base: 30, sm: 40 }} lh={1.15} lts={-0.8} textWrap="balance">
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
        {state === 'payment_issue' && <PaymentWarning />}
        <PlanCard cycle={cycle} onCycle={setCycle} checkout={checkout} onStart={onStart} small={small} />
      </Stack>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="xl" mt={{ base: 48, sm: 72 }}>
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
      <Faq withTrial={isTrialAvailable} />
      <ConnectModal
        opened={isModalOpen && mayPay}
        onClose={closeModal}
        cycle={cycle}
        checkout={checkout}
        small={small}
      />
    </Container>
  );
}
