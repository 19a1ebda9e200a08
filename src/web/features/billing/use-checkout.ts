import { useWindowEvent } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { errorMessage } from '../../lib/api-client.ts';
import { useSubscription } from './subscription-provider.tsx';

export function useCheckout() {
  const { createCheckoutSession } = useSubscription();
  const { mutate, isPending, isSuccess, error, reset } = useMutation({
    mutationFn: createCheckoutSession,
    onSuccess: (address) => window.location.assign(address),
  });
  // The browser's back button may restore this page with its button still busy.
  useWindowEvent('pageshow', ({ persisted }) => {
    if (persisted) reset();
  });
  return {
    start: mutate,
    isProcessing: isPending || isSuccess,
    failure: error === null ? null : errorMessage('Failed to create checkout session', error),
  };
}

export type Checkout = ReturnType<typeof useCheckout>;
