import { Box, Button, Group, Modal, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { PlanType } from '#core/billing/subscription.ts';
import { useAuth } from '../../auth.tsx';
import { Failure } from '../../components/failure.tsx';
import { useSubscription } from '../../subscription.tsx';
import { addressToContinueAt } from './address.ts';
import { billedLabel, pricePerMonth } from '../../text/plan-copy.ts';
import classes from './pricing.module.css';
import type { Checkout } from './use-checkout.ts';
import { Muted } from '../../components/muted.ts';

interface ConnectModalProps {
  opened: boolean;
  onClose: () => void;
  cycle: PlanType;
  checkout: Checkout;
  /** When the card is charged. */
  small: string | null;
}

/** The two steps to a subscription: login with Facebook, then checkout (PRICE-03). */
export function ConnectModal({ opened, onClose, cycle, checkout, small }: ConnectModalProps) {
  const { user, login } = useAuth();
  const { isTrialAvailable } = useSubscription();
  const isConnected = user !== null;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={isTrialAvailable ? 'Start your free trial in two steps' : 'Subscribe in two steps'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack component="ol" className={classes.steps} gap="lg">
        <Step number={1} title="Connect your Facebook account" isDone={isConnected}>
          {isConnected ? (
            <Muted>Connected as {user.name}</Muted>
          ) : (
            <>
              <Muted>So we can see your campaigns. Nothing is paused until you turn SmartPause on.</Muted>
              <Button onClick={() => login(addressToContinueAt(cycle))} mt="sm" data-autofocus>
                Connect with Facebook
              </Button>
            </>
          )}
        </Step>
        <Step number={2} title="Payment">
          <Muted className="figures">
            {pricePerMonth(cycle)} per month. {billedLabel(cycle, isTrialAvailable)}. {small}
          </Muted>
          <Button
            mt="sm"
            onClick={() => checkout.start(cycle)}
            disabled={!isConnected || checkout.isProcessing}
            {...(isConnected && { 'data-autofocus': true })}
          >
            {checkout.isProcessing ? 'Processing...' : 'Continue to Payment'}
          </Button>
        </Step>
      </Stack>
      {checkout.failure !== null && (
        <Box mt="lg">
          <Failure text={checkout.failure} />
        </Box>
      )}
    </Modal>
  );
}

interface StepProps {
  number: number;
  title: string;
  isDone?: boolean;
  children: ReactNode;
}

function Step({ number, title, isDone = false, children }: StepProps) {
  return (
    <Group component="li" wrap="nowrap" align="flex-start" gap="md">
      <div className={classes.number} data-done={isDone || undefined} aria-hidden="true">
        {isDone ? '✓' : number}
      </div>
      <Box flex={1}>
        <Title order={3} fz="md" lh="28px">
          {title}
        </Title>
        {children}
      </Box>
    </Group>
  );
}
