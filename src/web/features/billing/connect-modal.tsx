import { Box, Button, Modal, Stack } from '@mantine/core';
import type { PlanType } from '#core/billing/subscription.ts';
import { useAuth } from '../auth/auth-provider.tsx';
import { Failure } from '../../components/failure.tsx';
import { Muted } from '../../components/muted.ts';
import { Step } from '../../components/step.tsx';
import { useSubscription } from './subscription-provider.tsx';
import { billedLabel, pricePerMonth } from './plan-copy.ts';
import type { Checkout } from './api.ts';

interface ConnectModalProps {
  opened: boolean;
  onClose: () => void;
  cycle: PlanType;
  checkout: Checkout;
  /** When the card is charged. */
  chargeNote: string | null;
}

/** The two steps to a subscription: login with Facebook, then checkout (PRICE-03). */
export function ConnectModal({ opened, onClose, cycle, checkout, chargeNote }: ConnectModalProps) {
  const { user, login } = useAuth();
  const { isTrialAvailable } = useSubscription();
  const isConnected = user !== null;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={isTrialAvailable ? 'Start your free trial in two steps' : 'Subscribe in two steps'}
    >
      <Stack component="ol" gap="lg" m={0} p={0} style={{ listStyle: 'none' }}>
        <Step mark={isConnected ? '✓' : 1} title="Connect your Facebook account">
          {isConnected ? (
            <Muted>Connected as {user.name}</Muted>
          ) : (
            <>
              <Muted>So we can see your campaigns. Nothing is paused until you turn SmartPause on.</Muted>
              <Button onClick={() => login(`/payment?modal=open&cycle=${cycle}`)} mt="sm" data-autofocus>
                Connect with Facebook
              </Button>
            </>
          )}
        </Step>
        <Step mark={2} title="Payment">
          <Muted className="figures">
            {pricePerMonth(cycle)} per month. {billedLabel(cycle, isTrialAvailable)}. {chargeNote}
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
